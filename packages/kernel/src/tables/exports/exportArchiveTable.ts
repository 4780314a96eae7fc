/** The table `exportArchives`. */

import type { OrganizationId } from "@lectern/model/organizations"
import { type BlobHash, Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"

const exportArchiveColumns = {
  organization: Table.text<OrganizationId>(),
  /** A digest of the content of the archive. */
  content: Table.text(),
  /** The holder of the bytes, which are temporary: see `storage/temporaryUse.ts`. */
  holder: Table.text(),
  /** The hash of the bytes. */
  hash: Table.text<BlobHash>(),
  createdAt: Table.text(),
  expiresAt: Table.text()
}

/** A row of the table `exportArchives`. */
export interface ExportArchiveRow extends Table.RowOf<typeof exportArchiveColumns> {}

/** The table of complete archives, until they expire. Rows change by single statements. */
export const exportArchives: Table.ProtectedTable<
  "exportArchives",
  ExportArchiveRow,
  "organization" | "content"
> = Table.makeProtected("exportArchives", {
  tenant: "organization",
  columns: exportArchiveColumns,
  locking: Table.withoutLocks,
  key: ["organization", "content"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["expiresAt"]]
})
