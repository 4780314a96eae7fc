/** Integrations that are installed for an organization, or apply to a space or a site. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { SiteId } from "../sites/Site.ts"
import { SpaceId } from "../spaces/Space.ts"
import { Installation, InstallationStatus } from "./Installation.ts"
import { Block, Integration, IntegrationName } from "./Integration.ts"

/** An installation of an organization, with its integration. */
export class InstallationWithIntegration extends resource<InstallationWithIntegration>()(
  Schema.Struct({
    /** The installation. */
    installation: Installation,
    /** The integration that is installed. */
    integration: Integration
  }).annotate({ identifier: "InstallationWithIntegration" })
) {}

/** An integration that is installed, with the status of the installation. */
export class InstalledIntegration extends resource<InstalledIntegration>()(
  Schema.Struct({
    /** The status: `active`, `pending` if a required property has no value, or `paused`. */
    status: InstallationStatus,
    /** The integration that is installed. */
    integration: Integration,
    /** Where the integration is installed: for the organization, on a space, or on a site. */
    target: Schema.Union([
      Schema.Struct({
        /** The kind of the target. */
        type: Schema.Literal("organization"),
        /** The id of the organization. */
        organizationId: OrganizationId
      }),
      Schema.Struct({
        /** The kind of the target. */
        type: Schema.Literal("space"),
        /** The id of the space. */
        spaceId: SpaceId
      }),
      Schema.Struct({
        /** The kind of the target. */
        type: Schema.Literal("site"),
        /** The id of the site. */
        siteId: SiteId
      })
    ])
  }).annotate({ identifier: "InstalledIntegration" })
) {}

/** The status of the installation of an integration for an organization. */
export class StatusOfInstallation extends resource<StatusOfInstallation>()(
  Schema.Struct({
    /** The status: `active`, `pending` if a required property has no value, or `paused`. */
    status: InstallationStatus
  }).annotate({ identifier: "StatusOfInstallation" })
) {}

/** The blocks that an integration adds to the documents of a space. */
export class BlocksOfIntegration extends resource<BlocksOfIntegration>()(
  Schema.Struct({
    /** The name of the integration. */
    name: IntegrationName,
    /** The blocks, at most 100. */
    blocks: Schema.Array(Block)
  }).annotate({ identifier: "BlocksOfIntegration" })
) {}

/** The filter and the page of a list of installed integrations. */
export class ListInstalled extends resource<ListInstalled>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Lists only integrations whose name or title contains this text, at most 255 characters; case-insensitive. */
    search: Schema.optionalKey(text({ max: 255 }))
  })
) {}

/** The filter and the page of a list of statuses. */
export class ListInstallationStatuses extends resource<ListInstallationStatuses>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Lists the installations for the organization, the default, or the installations on its single spaces or sites. */
    target: Schema.optionalKey(Schema.Literals(["organization", "space", "site"]))
  })
) {}
