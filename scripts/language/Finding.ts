/** A place where the repository breaks a rule of language. */

/**
 * The kinds of findings, each with a total:
 *
 * - `public`: phrasings in text that users read
 * - `internal`: phrasings in text that maintainers read
 * - `undocumented`: exported names and members without a doc comment that starts with a sentence
 * - `citations`: decisions cited without a link to their record
 */
export type Measure = "public" | "internal" | "undocumented" | "citations"

/** All measures, in the order of reports. */
export const measures: ReadonlyArray<Measure> = ["public", "undocumented", "citations", "internal"]

/** A place where a rule is broken. */
export interface Finding {
  readonly file: string
  readonly line: number
  readonly rule: string
  readonly measure: Measure
  /** The text in its context. */
  readonly found: string
  /** The phrasings to use instead, or the action to take. */
  readonly instead: string
}
