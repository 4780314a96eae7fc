/** Habits of sentences: openings and constructions that hide the subject. */
import type { PhraseRule } from "./PhraseRule.ts"

export const habits: ReadonlyArray<PhraseRule> = [
  {
    id: "module-comment",
    pattern: "see the module's comment|see the comment of (the|its) module",
    instead: "one sentence on what it does, then parameters and errors",
    why: "The tooltip of an editor shows this comment only."
  },
  {
    id: "what-opening",
    pattern: "what(?! (happens|to do))",
    isOpening: true,
    kinds: ["doc", "comment", "text"],
    instead: 'the noun: "The result of a merge.", "Options of …"; of a function, the verb: "Returns …"',
    why: "A comment that opens with a clause names nothing."
  },
  { id: "what-callers-do", pattern: "what callers do with", instead: '"Operations on …", "Manages …"' },
  {
    id: "nominal-what",
    pattern: "(of|with|by|from|at|than|behind|beside|for|into|all) what",
    instead: "the noun that `what` hides: the value, the error, the content, the fields"
  },
  {
    id: "undefined-where",
    pattern: "(undefined|null|absent|empty|false|true|none|nothing|fails|throws) where",
    instead: "if",
    why: "`where` is a place or a condition of SQL."
  },
  {
    id: "where-there-is",
    pattern: "where (it|there|that|this|one|they|nothing|none) (is|are|was|were|has|have)",
    instead: "if, when",
    why: "`where` is a place or a condition of SQL."
  },
  {
    id: "there-is-none",
    pattern: "there (is|was|are|were) none",
    instead: "if it does not exist, if it is not set"
  },
  { id: "all-that-is", pattern: "all (that|of what) (is|are|was|were)", instead: "every …, the whole …" },
  { id: "in-whatever", pattern: "the way in which|in which way", instead: "how" },
  {
    id: "those-that",
    pattern: "those (that|which|of|with|in|on|for|from|at|it|they|the)",
    instead: 'the noun: "the rows that", "the pages of"'
  },
  {
    id: "what-clause",
    pattern:
      "(?<=[\\w,;_)] )(?<!\\b(?:describes?|determines?|decides?|defines?|explains?|shows?|states?|lists?|know|see|checks?|exactly|about|on|regardless of|no matter|of|with|by|for|from|at|than|behind|beside|into|all) )what (is|was|are|were|it|they|has|had|a|an|the|one|there|others?|no|only|does|may|can)",
    instead:
      "the noun that the clause describes: the content, the stored rows, the result, the remaining items"
  },
  { id: "any-more", pattern: "any more", instead: "no longer" },
  {
    id: "refuse",
    pattern: "(?<!connection )refus(e|es|ed|al|als|ing)",
    instead: "reject, fail with, deny; error"
  },
  {
    id: "leave-out",
    pattern: "(leaves?|left|leaving)( (it|them|that|what|one|its|the \\w+))? out",
    instead: "omit, skip, exclude"
  },
  { id: "has-none", pattern: "(has|have|had) none", instead: "has no …, is empty, is absent" },
  { id: "white-space", pattern: "white space", instead: "whitespace" },
  {
    id: "is-of",
    pattern: "(is|are|was|were) of (an?|the|one|another|its|their|this|that|those)",
    instead: "belong to, originate from, have the type of"
  },
  { id: "tried", pattern: "(is|are|was|were|be|been) tried", instead: "attempted, retried, executed" }
]
