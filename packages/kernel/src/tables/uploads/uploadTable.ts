/** The table `stagedUploads`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { UploadKey, UploadKind } from "@lectern/model/uploads"
import type { UserId } from "@lectern/model/users"
import { type BlobHash, Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"

const stagedUploadColumns = {
  id: Table.text<UploadKey>(),
  organization: Table.text<OrganizationId>(),
  user: Table.text<UserId>(),
  kind: Table.text<UploadKind>(),
  name: Table.text(),
  contentType: Table.text(),
  /** The declared size, which the bytes have. */
  size: Table.integer(),
  /** The hash of the bytes; null before they are uploaded. */
  hash: Table.nullable(Table.text<BlobHash>()),
  createdAt: Table.text(),
  expiresAt: Table.text()
}

/** A row of the table `stagedUploads`. */
export interface StagedUploadRow extends Table.RowOf<typeof stagedUploadColumns> {}

/** The table of uploads. Their bytes are reachable until they expire. Rows change by single statements. */
export const stagedUploads: Table.ProtectedTable<"stagedUploads", StagedUploadRow, "id"> =
  Table.makeProtected("stagedUploads", {
    tenant: "organization",
    columns: stagedUploadColumns,
    locking: Table.withoutLocks,
    key: ["id"],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [["organization", "user"], ["expiresAt"]]
  })
