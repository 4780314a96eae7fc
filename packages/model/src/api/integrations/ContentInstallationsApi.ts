import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  InstallOnSite,
  InstallOnSpace,
  ListInstallations,
  pageOf,
  SiteInstallation,
  SpaceInstallation,
  UpdateContentInstallation
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import {
  installationParams,
  integrationParams,
  siteInstallationParams,
  spaceInstallationParams
} from "./params.ts"

const path = "/integrations/:integrationName/installations/:installationId" as const

/** The group of operations on installations of integrations on spaces. */
export const SpaceInstallationsApi = HttpApiGroup.make("spaceInstallations")
  .add(
    HttpApiEndpoint.get("listIntegrationSpaceInstallations", "/integrations/:integrationName/spaces", {
      params: integrationParams,
      query: { ...page, externalId: ListInstallations.fields.externalId },
      success: pageOf(SpaceInstallation),
      error: reading
    }).annotateMerge(
      describe(
        "List the installations of an integration on spaces",
        "Returns all of them if the caller administers the organization that owns the integration, otherwise the installations in organizations that the caller administers."
      )
    ),
    HttpApiEndpoint.get("listIntegrationInstallationSpaces", `${path}/spaces`, {
      params: installationParams,
      query: page,
      success: pageOf(SpaceInstallation),
      error: reading
    }).annotateMerge(
      describe(
        "List the spaces of an installation",
        "Returns the spaces that the integration is installed on."
      )
    ),
    HttpApiEndpoint.post("installIntegrationOnSpace", `${path}/spaces`, {
      params: installationParams,
      payload: InstallOnSpace,
      success: created(SpaceInstallation),
      error: changing
    }).annotateMerge(
      describe(
        "Install an integration on a space",
        "Installs the integration on a space of the organization."
      )
    ),
    HttpApiEndpoint.get("getIntegrationSpaceInstallation", `${path}/spaces/:spaceId`, {
      params: spaceInstallationParams,
      success: SpaceInstallation,
      error: reading
    }).annotateMerge(
      describe("Get an installation on a space", "Returns the installation, with its configuration.")
    ),
    HttpApiEndpoint.patch("updateIntegrationSpaceInstallation", `${path}/spaces/:spaceId`, {
      params: spaceInstallationParams,
      payload: UpdateContentInstallation,
      success: SpaceInstallation,
      error: editing
    }).annotateMerge(
      describe(
        "Update an installation on a space",
        "Merges the given values into the stored ones. `null` removes a value."
      )
    ),
    HttpApiEndpoint.delete("uninstallIntegrationFromSpace", `${path}/spaces/:spaceId`, {
      params: spaceInstallationParams,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe("Uninstall an integration from a space", "Removes the installation from the space.")
    )
  )
  .annotateMerge(
    describeGroup("Space installations", "Installations of integrations on single spaces of an organization.")
  )

/** The group of operations on installations of integrations on sites. */
export const SiteInstallationsApi = HttpApiGroup.make("siteInstallations")
  .add(
    HttpApiEndpoint.get("listIntegrationSiteInstallations", "/integrations/:integrationName/sites", {
      params: integrationParams,
      query: { ...page, externalId: ListInstallations.fields.externalId },
      success: pageOf(SiteInstallation),
      error: reading
    }).annotateMerge(
      describe(
        "List the installations of an integration on sites",
        "Returns all of them if the caller administers the organization that owns the integration, otherwise the installations in organizations that the caller administers."
      )
    ),
    HttpApiEndpoint.get("listIntegrationInstallationSites", `${path}/sites`, {
      params: installationParams,
      query: page,
      success: pageOf(SiteInstallation),
      error: reading
    }).annotateMerge(
      describe("List the sites of an installation", "Returns the sites that the integration is installed on.")
    ),
    HttpApiEndpoint.post("installIntegrationOnSite", `${path}/sites`, {
      params: installationParams,
      payload: InstallOnSite,
      success: created(SiteInstallation),
      error: changing
    }).annotateMerge(
      describe("Install an integration on a site", "Installs the integration on a site of the organization.")
    ),
    HttpApiEndpoint.get("getIntegrationSiteInstallation", `${path}/sites/:siteId`, {
      params: siteInstallationParams,
      success: SiteInstallation,
      error: reading
    }).annotateMerge(
      describe("Get an installation on a site", "Returns the installation, with its configuration.")
    ),
    HttpApiEndpoint.patch("updateIntegrationSiteInstallation", `${path}/sites/:siteId`, {
      params: siteInstallationParams,
      payload: UpdateContentInstallation,
      success: SiteInstallation,
      error: editing
    }).annotateMerge(
      describe(
        "Update an installation on a site",
        "Merges the given values into the stored ones. `null` removes a value."
      )
    ),
    HttpApiEndpoint.delete("uninstallIntegrationFromSite", `${path}/sites/:siteId`, {
      params: siteInstallationParams,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe("Uninstall an integration from a site", "Removes the installation from the site.")
    )
  )
  .annotateMerge(
    describeGroup("Site installations", "Installations of integrations on single sites of an organization.")
  )
