/** A generated page of the documentation. */
export interface Page {
  /** The path of the file in the repository. */
  readonly path: string
  readonly markdown: string
}

/** Escapes the text of a cell of a table. */
const escapeCell = (text: string): string =>
  text
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim()

/** Renders a table. */
export const tableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(escapeCell).join(" | ")} |`).join("\n")

/** Joins the blocks of a page, which begins with a note that it is generated. */
export const pageOf = (path: string, blocks: ReadonlyArray<string>): Page => ({
  path,
  markdown: `${blocks.filter((block) => block !== "").join("\n\n")}\n`
})
