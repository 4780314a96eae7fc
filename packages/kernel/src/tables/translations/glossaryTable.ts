/** The table `glossaryEntries`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { GlossaryEntryId } from "@lectern/model/translations"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const glossaryEntryColumns = {
  organization: Table.text<OrganizationId>(),
  id: Table.text<GlossaryEntryId>(),
  translations: Table.json<Readonly<Record<string, string>>>(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A stored entry of the glossary. */
export interface GlossaryEntryRow extends Table.RowOf<typeof glossaryEntryColumns> {}

/** The table of the entries of glossaries. */
export const glossaryEntries: Table.ProtectedTable<
  "glossaryEntries",
  GlossaryEntryRow,
  "organization" | "id"
> = Table.makeProtected("glossaryEntries", {
  tenant: "organization",
  columns: glossaryEntryColumns,
  locking: lockedByOrganization,
  key: ["organization", "id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } }
})
