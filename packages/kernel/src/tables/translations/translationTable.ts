/** The table `translations`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import type { TranslationId, TranslationOutcome, TranslationPlan } from "@lectern/model/translations"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { spaces } from "../spaces/spaceTable.ts"

const translationColumns = {
  id: Table.text<TranslationId>(),
  organization: Table.text<OrganizationId>(),
  title: Table.text(),
  languages: Table.json<ReadonlyArray<string>>(),
  createdAt: Table.text(),
  updatedAt: Table.text(),
  /** The space of the plan, whose readers see the settings; null for settings that have only a title. */
  source: Table.nullable(Table.text<SpaceId>()),
  /** The space and the languages of the translation, and its instructions; null for settings that have only a title. */
  plan: Table.nullable(Table.json<TranslationPlan>()),
  /** The outcome of the runs; null before the first one. */
  outcome: Table.nullable(Table.json<TranslationOutcome>())
}

/** Stored translation settings. */
export interface TranslationRow extends Table.RowOf<typeof translationColumns> {}

/** The table of translation settings. */
export const translations: Table.ProtectedTable<"translations", TranslationRow, "id"> = Table.makeProtected(
  "translations",
  {
    tenant: "organization",
    columns: translationColumns,
    locking: lockedByOrganization,
    key: ["id"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      source: { table: () => spaces, onRemove: "cascade" }
    },
    indexes: [["organization", "id"], ["source"]]
  }
)
