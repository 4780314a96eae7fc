/** Installations of integrations on single spaces and sites, as parts of an installation for an organization. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Table } from "../../kernel/storage/index.ts"
import { lockedBySerialization } from "../locks/tableLocks.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"
import { SiteId, sites } from "../sites/Site.ts"
import { SpaceId, spaces } from "../spaces/Space.ts"
import { ExternalIds, InstallationId, InstallationStatus, installations, Values } from "./Installation.ts"
import { IntegrationName, integrations } from "./Integration.ts"

const contentInstallation = {
  /** The name of the integration. */
  integration: IntegrationName,
  /** The id of the installation for the organization. */
  installation: InstallationId,
  /** The status: `active`, `pending` if a required property has no value, or `paused`. */
  status: InstallationStatus,
  /** Values by the names of the properties that the integration declares for this kind of target. */
  configuration: Values,
  /** Ids in other systems, which the integration has set: at most 5, of 1 to 255 characters. */
  externalIds: ExternalIds,
  /** URLs of the installation. */
  urls: Schema.Struct({
    /** The URL of the installation in the API. */
    location: Schema.String,
    /** The URL that receives requests from other systems. */
    publicEndpoint: Schema.String
  })
}

/** An integration that is installed on a space. */
export class SpaceInstallation extends resource<SpaceInstallation>()(
  Schema.Struct({
    ...contentInstallation,
    /** The id of the space. */
    space: SpaceId
  }).annotate({ identifier: "IntegrationSpaceInstallation" })
) {}

/** An integration that is installed on a site. */
export class SiteInstallation extends resource<SiteInstallation>()(
  Schema.Struct({
    ...contentInstallation,
    /** The id of the site. */
    site: SiteId
  }).annotate({ identifier: "IntegrationSiteInstallation" })
) {}

/** The space to install the integration on. */
export class InstallOnSpace extends resource<InstallOnSpace>()(
  Schema.Struct({
    /** The id of a space of the organization that installed the integration. */
    space: SpaceId
  }).annotate({ identifier: "InstallIntegrationOnSpace" })
) {}

/** The site to install the integration on. */
export class InstallOnSite extends resource<InstallOnSite>()(
  Schema.Struct({
    /** The id of a site of the organization that installed the integration. */
    siteId: SiteId
  }).annotate({ identifier: "InstallIntegrationOnSite" })
) {}

/** The fields of an installation on a space or a site to update. Absent fields do not change. */
export class UpdateContentInstallation extends resource<UpdateContentInstallation>()(
  Schema.Struct({
    /** Ids in other systems, which replace the stored ones: at most 5, of 1 to 255 characters. */
    externalIds: Schema.optionalKey(ExternalIds),
    /** Values to merge into the configuration: at most 100, by names of properties. Null removes a value. */
    configuration: Schema.optionalKey(Values)
  }).annotate({ identifier: "UpdateContentInstallation" })
) {}

/** The kind of content that an integration is installed on. */
export type ContentKind = "space" | "site"

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
  locking: lockedBySerialization,
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
