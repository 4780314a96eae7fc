/** The table of PDFs that are rendered, or that can be downloaded until they expire. */
import { type BlobHash, Table } from "../../storage/index.ts"

const storedPdfColumns = {
  /** A digest of the content, the pages and the titles that the PDF shows. */
  id: Table.text(),
  state: Table.text<"rendering" | "complete" | "failed">(),
  /** The number of rendered pages, and of all pages. Both are 0 until the first progress is stored. */
  rendered: Table.integer(),
  total: Table.integer(),
  /** The hash of the bytes. Null until the PDF is complete. */
  hash: Table.nullable(Table.text<BlobHash>()),
  /** Why the content cannot be rendered. Null unless the PDF has failed. */
  error: Table.nullable(Table.text()),
  expiresAt: Table.text()
}
/** A row of the table `pdfs`. */
export interface StoredPdfRow extends Table.RowOf<typeof storedPdfColumns> {}

/** PDFs. Each write is independent of others. */
export const pdfs: Table.Table<"pdfs", StoredPdfRow, "id"> = Table.make("pdfs", {
  columns: storedPdfColumns,
  locking: Table.withoutLocks,
  key: ["id"],
  indexes: [["expiresAt"]]
})
