import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import {
  BlocksOfIntegration,
  InstallationWithIntegration,
  InstalledIntegration,
  Integration,
  IntegrationName,
  ListInstallationStatuses,
  ListInstalled,
  OrganizationId,
  pageOf,
  SiteId,
  SpaceId,
  StatusOfInstallation
} from "../../index.ts"
import { reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const searched = { ...page, search: ListInstalled.fields.search }

/** The group of lists of the integrations that are in use. */
export const InstalledIntegrationsApi = HttpApiGroup.make("installedIntegrations")
  .add(
    HttpApiEndpoint.get("listOrganizationInstallations", "/orgs/:organizationId/installations", {
      params: organization,
      query: searched,
      success: pageOf(InstallationWithIntegration),
      error: reading
    }).annotateMerge(
      describe(
        "List the installations of an organization",
        "Returns the installations with their configurations and their integrations, newest first."
      )
    ),
    HttpApiEndpoint.get(
      "listOrganizationIntegrationsStatus",
      "/orgs/:organizationId/integrations/installations-status",
      {
        params: organization,
        query: { ...page, target: ListInstallationStatuses.fields.target },
        success: pageOf(InstalledIntegration),
        error: reading
      }
    ).annotateMerge(
      describe(
        "List the statuses of installed integrations",
        "Returns the installed integrations with their statuses, newest first. With the target `space` or `site`, an integration has an entry for each space or site that it is installed on."
      )
    ),
    HttpApiEndpoint.get(
      "getOrganizationIntegrationStatus",
      "/orgs/:organizationId/integrations/:integrationName/installation_status",
      {
        params: { organizationId: OrganizationId, integrationName: IntegrationName },
        success: StatusOfInstallation,
        error: reading
      }
    ).annotateMerge(
      describe(
        "Get the status of an installed integration",
        "Returns the status of the installation for the organization."
      )
    ),
    HttpApiEndpoint.get("listSiteIntegrations", "/orgs/:organizationId/sites/:siteId/integrations", {
      params: { organizationId: OrganizationId, siteId: SiteId },
      query: searched,
      success: pageOf(Integration),
      error: reading
    }).annotateMerge(
      describe(
        "List the integrations of a site",
        "Returns the integrations that are installed for all sites of the organization, or on this site, newest first."
      )
    ),
    HttpApiEndpoint.get("listSpaceIntegrations", "/spaces/:spaceId/integrations", {
      params: { spaceId: SpaceId },
      query: searched,
      success: pageOf(Integration),
      error: reading
    }).annotateMerge(
      describe(
        "List the integrations of a space",
        "Returns the integrations that are installed for all spaces of the organization, or on this space, newest first."
      )
    ),
    HttpApiEndpoint.get("listSpaceIntegrationsBlocks", "/spaces/:spaceId/integration-blocks", {
      params: { spaceId: SpaceId },
      success: Schema.Array(BlocksOfIntegration),
      error: reading
    }).annotateMerge(
      describe(
        "List the blocks of the integrations of a space",
        "Returns the blocks that the integrations of the space add to its documents: the blocks of at most 1,000 integrations, the newest."
      )
    )
  )
  .annotateMerge(
    describeGroup("Installed integrations", "The integrations that organizations, spaces and sites use.")
  )
