/** Installations of integrations for organizations. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { idSchema } from "../schema/Id.ts"
import { mapOf } from "../schema/MapOf.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"

/** The id of an installation. */
export const InstallationId = idSchema("The id of an installation.").pipe(Schema.brand("InstallationId"))

/** The id of an installation. */
export type InstallationId = string & Brand.Brand<"InstallationId">

/** Whether an integration applies to all resources of the organization or to selected ones. */
export const Selection = Schema.Literals(["all", "selected"])

/** The maximum number of values in the configuration of an installation. */
export const maximumValues = 100

/** The configuration of an installation: values by the names of the integration's properties. */
export const Values = mapOf(
  Schema.Union([text({ max: 10_000 }), Schema.Finite, Schema.Boolean, Schema.Null]),
  {
    min: 1,
    max: 100,
    maxEntries: maximumValues,
    noun: "values"
  }
)

/** Ids in other systems. */
export const ExternalIds = Schema.Array(text({ min: 1, max: 255 })).check(
  Schema.isMaxLength(5, { message: "must be at most 5" })
)

/** The status of an installation: `active`, `pending` if a required property has no value, or `paused`. */
export const InstallationStatus = Schema.Literals(["active", "pending", "paused"])

/** An integration that is installed for an organization. */
export class Installation extends resource<Installation>()(
  Schema.Struct({
    /** The id of the installation. */
    id: InstallationId,
    /** The status: `active`, `pending` if a required property has no value, or `paused`. */
    status: InstallationStatus,
    /** Whether the integration applies to all spaces of the organization or to selected ones. */
    space_selection: Selection,
    /** Whether the integration applies to all sites of the organization or to selected ones. */
    site_selection: Selection,
    /** The number of spaces that the integration applies to: all of the organization, or the selected ones. */
    spaces: Schema.Int,
    /** Values by the names of the integration's properties. */
    configuration: Values,
    /** When the integration was installed. */
    createdAt: Timestamp,
    /** When the installation was last changed. */
    updatedAt: Timestamp,
    /** URLs of the installation. */
    urls: Schema.Struct({
      /** The URL of the installation in the API. */
      location: Schema.String,
      /** The URL of the installation in the application. */
      app: Schema.String,
      /** The URL that receives requests from other systems. */
      publicEndpoint: Schema.String,
      /** The URL that receives requests for content from other systems: the same. */
      publicContentEndpoint: Schema.String
    }),
    /** Ids in other systems, which the integration has set: at most 5, of 1 to 255 characters. */
    externalIds: ExternalIds,
    /** The target of the installation. */
    target: Schema.Struct({
      /** The organization that the integration is installed for. */
      organization: OrganizationId
    })
  }).annotate({ identifier: "IntegrationInstallation" })
) {}

/** The target of a new installation. */
export class Install extends resource<Install>()(
  Schema.Struct({
    /** The organization to install the integration for. The caller must be its administrator. */
    organization: OrganizationId
  }).annotate({ identifier: "InstallIntegration" })
) {}

/** The fields of an installation to update. Absent fields do not change. */
export class UpdateInstallation extends resource<UpdateInstallation>()(
  Schema.Struct({
    /** Ids in other systems, which replace the stored ones: at most 5, of 1 to 255 characters. */
    externalIds: Schema.optionalKey(ExternalIds),
    /** Values to merge into the configuration: at most 100, by names of properties. Null removes a value. */
    configuration: Schema.optionalKey(Values),
    /** Whether the integration applies to all spaces of the organization or to selected ones. */
    space_selection: Schema.optionalKey(Selection),
    /** Whether the integration applies to all sites of the organization or to selected ones. */
    site_selection: Schema.optionalKey(Selection)
  }).annotate({ identifier: "UpdateInstallation" })
) {}

/** The filter and the page of a list of installations. */
export class ListInstallations extends resource<ListInstallations>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Lists only installations with this external id, at most 255 characters. */
    externalId: Schema.optionalKey(text({ max: 255 }))
  })
) {}
