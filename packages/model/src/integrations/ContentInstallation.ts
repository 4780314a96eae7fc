/** Installations of integrations on single spaces and sites, as parts of an installation for an organization. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { SiteId } from "../sites/Site.ts"
import { SpaceId } from "../spaces/Space.ts"
import { ExternalIds, InstallationId, InstallationStatus, Values } from "./Installation.ts"
import { IntegrationName } from "./Integration.ts"

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
    publicEndpoint: Schema.String,
    /** The URL that receives requests for content from other systems: the same. */
    publicContentEndpoint: Schema.String
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
