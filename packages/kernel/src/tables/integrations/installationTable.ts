/** The table `installations`. */

import type { InstallationId, IntegrationScope, Selection, Values } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { lockedByIntegration } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { integrations } from "./integrationTables.ts"

const installationColumns = {
  id: Table.text<InstallationId>(),
  integration: Table.text(),
  organization: Table.text<OrganizationId>(),
  /** The administrator whom tokens of the installation act for; null if it was installed before there were such tokens. */
  user: Table.nullable(Table.text<UserId>()),
  /** The scopes that were requested when it was installed, which later versions cannot extend; null if they are not recorded. */
  scopes: Table.nullable(Table.json<ReadonlyArray<typeof IntegrationScope.Type>>()),
  spaceSelection: Table.text<typeof Selection.Type>(),
  siteSelection: Table.text<typeof Selection.Type>(),
  configuration: Table.json<typeof Values.Type>(),
  /** A set of strings in one column, encoded by `textSet.ts`, so that conditions can match a member. */
  externalIds: Table.text(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `installations`. */
export interface InstallationRow extends Table.RowOf<typeof installationColumns> {}

/** The table of installations. An organization has at most one installation of an integration. */
export const installations: Table.ProtectedTable<"installations", InstallationRow, "id"> =
  Table.makeProtected("installations", {
    tenant: "organization",
    columns: installationColumns,
    locking: lockedByIntegration,
    key: ["id"],
    unique: [["integration", "organization"]],
    references: {
      integration: { table: () => integrations, onRemove: "cascade" },
      organization: { table: () => organizations, onRemove: "cascade" }
    },
    indexes: [["integration", "id"], ["organization"]]
  })
