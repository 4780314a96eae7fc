/** The entries of the table of contents of a repository, `SUMMARY.md`. */

/** An entry of a table of contents. */
export interface SummaryEntry {
  /** A heading, a link, the text of an item without a link, a rule, or a block of YAML. */
  readonly kind: "group" | "link" | "text" | "end" | "settings"
  /** The text of the heading, the link or the item. */
  readonly title: string
  /** The destination of a link. */
  readonly destination?: string
  /** The anchor of a heading, which is the slug of the group. */
  readonly slug?: string
  /** The values of a block of YAML, or the attributes of a heading. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The Markdown of the first line of the item. */
  readonly written: string
  /** The entries below the item, in order. */
  readonly entries: ReadonlyArray<SummaryEntry>
}
