/** Everyday verbs and pronouns that leave open what happens, and the precise ones to write instead. */
import type { PhraseRule } from "./PhraseRule.ts"

export const plainWords: ReadonlyArray<PhraseRule> = [
  {
    id: "whoever",
    pattern: "whoever|whomever|for whom|those (who|whose|whom)|he who",
    instead: "the caller, clients, users, members"
  },
  { id: "whatever", pattern: "whatever|whichever|wherever", instead: "any, every, regardless of" },
  {
    id: "however-many",
    pattern: "however (often|many|deep|deeply|long|much|large|small|far|few)",
    instead: "regardless of the number (depth, size) of"
  },
  { id: "nobody", pattern: "nobody('s)?", instead: "no user, no caller, no process" },
  {
    id: "somebody",
    pattern: "(somebody|anybody|everybody)('s)?",
    instead: "a user, a member, a caller, any user"
  },
  {
    id: "stand",
    pattern: "(stands?|stood|standing)(?! in for)(?! for)",
    instead: "be, occur, appear, be located"
  },
  { id: "stand-for", pattern: "(stands?|stood) for", instead: "represent, denote" },
  { id: "beside", pattern: "beside", instead: "next to, in addition to, besides, compared with" },
  { id: "behind", pattern: "(?<!proxy )behind(?! (a|the|an)( \\w+)? proxy)", instead: "after, following" },
  {
    id: "come-by",
    pattern: "(comes?|came|coming) (to|of|by|in|along|back|out|again|through|over|around)",
    instead: "result in, originate from, return, join, import, arrive"
  },
  { id: "as-it-came", pattern: "as (it|they) (came|comes?)", instead: "unchanged, verbatim" },
  {
    id: "as-it-is",
    pattern:
      "(leaves?|left|taken?|written|shown|stays?|stay|stored|it|them|works?|sources?|used|given|passed) as (it|they) (is|are|was|were)",
    instead: "unchanged, verbatim, as given"
  },
  {
    id: "go-on",
    pattern:
      "(goes|went|gone) (by|in|on|out|along|with|away|back|around|round|further|too|over|first|last|under|where)|go (on|along|by|with|out|away|around)",
    instead: "continue, proceed, be written to, disconnect, leave, accompany"
  },
  { id: "gone", pattern: "gone", instead: "deleted, removed, no longer exists", isCaseSensitive: true },
  {
    id: "knows",
    pattern: "knows|is not known|(what|that) is known",
    instead: "has, stores, records, supports, recognizes"
  },
  { id: "want", pattern: "wants|wanted|for want of", instead: "require, request, need" },
  {
    id: "let-in",
    pattern: "lets? (\\w+ )?(in|go|through|pass|go of|out)",
    instead: "admit, allow, release, forward"
  },
  {
    id: "die",
    pattern:
      "(process|processes|server|servers|thread|threads|worker|workers|machine|connection|they) (dies|die|died|has died|have died)",
    instead: "exit, crash, terminate, close"
  },
  { id: "hand-on", pattern: "hand(s|ed|ing)? (on|over|out|back|in)", instead: "pass, transfer, return" },
  {
    id: "make",
    pattern:
      "(is|are|was|were|been|be|being|it|they|one|that|having|not|once|never|newly) made(?! (up|available|public|private|default|optional))|makes (a|an|one|its|new|it|them|no|another|what|such)",
    instead: "create, build, generate, derive, render"
  },
  {
    id: "made-of",
    pattern: "made (of|from|into|out of)",
    instead: "consist of, be derived from, be generated from"
  },
  { id: "gives", pattern: "gives|gave|giv(e|en|ing) back", instead: "return, provide, grant, assign, yield" },
  {
    id: "put",
    pattern: "puts(?!( \\w+){0,3} right)|(is|are|was|were|be|been|that|side|both|they|it|one) put",
    instead: "store, set, insert, add, write, move"
  },
  {
    id: "take-away",
    pattern:
      "(takes?|taken|took|taking)( (it|them|one|that|all|what|away|an?|the|its)( \\w+)?)? (away|along|back|over|out)",
    instead: "remove, move, include, revoke"
  },
  {
    id: "holds-for",
    pattern: "(holds?|held) (for|of|where|in|here|there|too)",
    instead: "be true for, apply to, match"
  },
  { id: "is-had", pattern: "(is|are|was|were|be) had", instead: "is available, can be exported" },
  { id: "is-good", pattern: "(is|are|was|were) (not )?good", instead: "valid, invalid, active" },
  {
    id: "is-none",
    pattern: "(is|are|was|were|be|it|that) none",
    instead: "is not a …; does not exist; is absent"
  },
  {
    id: "is-no",
    pattern:
      "(?<!there )(?<!there (?:would|will|must|can|should) )(?<!than )(is|are|was|were|be) no(?= )(?! (longer|such|more|fewer|less|matter)\\b)",
    instead: "is not a …, does not"
  },
  {
    id: "is-there",
    pattern:
      "(?<!whether )(is|are|was|were|be) (not |no longer |still |already )?there(?! (is|are|was|were))",
    instead: "exist, be present"
  },
  { id: "meanwhile", pattern: "meanwhile", instead: "concurrently, in the meantime, before it completes" },
  { id: "at-once", pattern: "at once", instead: "immediately, concurrently, in one call, in one response" },
  { id: "once-more", pattern: "once more|again and again", instead: "again, repeatedly" },
  { id: "alone", pattern: "alone", instead: "only, separately" },
  {
    id: "nothing-else",
    pattern: "(and )?nothing else|nothing of (it|the|what|its|their)",
    instead: "only, none of"
  },
  { id: "no-more-than", pattern: "no more than", instead: "at most" },
  { id: "but-for", pattern: "but for|save for|all but", instead: "except" },
  {
    id: "what-is-wrong",
    pattern: "(what|all that|something|anything|nothing|everything|much) is wrong|what went wrong",
    instead: "the problem, the errors, invalid"
  },
  { id: "see-to-it", pattern: "sees? to (it|that)", instead: "ensure" },
  {
    id: "is-to-be",
    pattern: "(is|are|was|were) to be|is to (have|hold|tell|take|do|come|go)",
    instead: "must be, will be"
  },
  { id: "own-right", pattern: "of itself|by itself", instead: "automatically, on its own" },
  { id: "a-while", pattern: "a while", instead: "some time, a duration with its unit" },
  { id: "to-the-letter", pattern: "to the letter|to the byte", instead: "identical, byte for byte" }
]
