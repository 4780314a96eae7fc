/** A rule against a phrasing. */
import type { PassageKind } from "../Passage.ts"

/** A phrasing that the repository does not use. */
export interface PhraseRule {
  /** Names the rule in reports, counts and fixtures. */
  readonly id: string
  /**
   * Regular expression of the phrasing. Letter case is ignored, it matches whole words, and a space in it matches any white
   * space, across lines of a comment too.
   */
  readonly pattern: string
  /** The phrasings to choose from. */
  readonly instead: string
  /** The reason, where the replacement does not show it. */
  readonly why?: string
  /** The passages that the rule reads. All by default. */
  readonly kinds?: ReadonlyArray<PassageKind>
  /** Whether letter case counts. */
  readonly isCaseSensitive?: boolean
  /** Whether the phrasing must open the passage. */
  readonly isOpening?: boolean
}
