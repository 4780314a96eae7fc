/** Places where a phrasing of the vocabulary is right. `npm run check:language` fails if one is no longer needed. */

/** A place where a rule does not apply. */
export interface AllowedPhrase {
  readonly rule: string
  /** The words of the passage around the phrasing. A space matches any whitespace. */
  readonly text: string
  /** Why the phrasing is right there. */
  readonly why: string
}

/** All allowed phrases. Prefer a rewrite; add a line here if the phrasing is the field's or the specification's own term. */
export const allowedPhrases: ReadonlyArray<AllowedPhrase> = []
