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
  { id: "in-whatever", pattern: "the way in which|in which way", instead: "how" }
]
