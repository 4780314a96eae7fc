/** The phrasings that the repository does not use, with the terms to use instead. See `docs/decisions` for the reasons. */
import { habits } from "./rules/habits.ts"
import type { PhraseRule } from "./rules/PhraseRule.ts"
import { plainWords } from "./rules/plainWords.ts"
import { terms } from "./rules/terms.ts"

/** All rules about phrasings. */
export const phraseRules: ReadonlyArray<PhraseRule> = [...terms, ...plainWords, ...habits]
