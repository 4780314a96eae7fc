/** The table `contentInstallations`. */

import type { ContentKind, InstallationId, Values } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Table } from "../../storage/index.ts"
import { lockedByIntegration } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { sites } from "../sites/siteTable.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { installations } from "./installationTable.ts"
import { integrations } from "./integrationTables.ts"

const contentInstallationColumns = {
  installation: Table.text<InstallationId>(),
  /** The id of the space or of the site. */
  content: Table.text(),
  kind: Table.text<ContentKind>(),
  /** The space; null for an installation on a site. */
  space: Table.nullable(Table.text<SpaceId>()),
  /** The site; null for an installation on a space. */
  site: Table.nullable(Table.text<SiteId>()),
  integration: Table.text(),
  organization: Table.text<OrganizationId>(),
  configuration: Table.json<typeof Values.Type>(),
  /** A set of strings in one column, encoded by `textSet.ts`. */
  externalIds: Table.text(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `contentInstallations`. */
export interface ContentInstallationRow extends Table.RowOf<typeof contentInstallationColumns> {}

/** The table of installations on spaces and sites. It repeats `integration` and `organization` of the installation. */
export const contentInstallations: Table.ProtectedTable<
  "contentInstallations",
  ContentInstallationRow,
  "installation" | "content"
> = Table.makeProtected("contentInstallations", {
  tenant: "organization",
  columns: contentInstallationColumns,
  locking: lockedByIntegration,
  key: ["installation", "content"],
  references: {
    installation: { table: () => installations, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" },
    site: { table: () => sites, onRemove: "cascade" },
    integration: { table: () => integrations, onRemove: "cascade" },
    organization: { table: () => organizations, onRemove: "cascade" }
  },
  indexes: [["integration", "kind"], ["installation", "kind"], ["space"], ["site"], ["organization"]]
})
