/** The operations on integrations, and on their installations. */
import {
  Install,
  Installation,
  InstallationId,
  Integration,
  IntegrationName,
  ListInstallations,
  ListIntegrations,
  PublishIntegration,
  pageOf,
  UpdateInstallation
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const integration = { integrationName: IntegrationName }
const installation = { ...integration, installationId: InstallationId }
const one = "/integrations/:integrationName" as const
const installations = `${one}/installations` as const
const { search, category, blockDomain, blocks, contentSources, owner, scope } = ListIntegrations.fields

/** The group of operations on integrations. */
export const IntegrationsApi = HttpApiGroup.make("integrations")
  .add(
    HttpApiEndpoint.get("listIntegrations", "/integrations", {
      query: {
        ...page,
        search,
        category,
        blockDomain,
        blocks,
        contentSources,
        owner,
        scope
      },
      success: pageOf(Integration),
      error: reading
    }).annotateMerge(
      describe(
        "List integrations",
        "Those that are public, and those of the caller's organizations, newest first."
      )
    ),
    HttpApiEndpoint.get("getIntegrationByName", one, {
      params: integration,
      success: Integration,
      error: reading
    }).annotateMerge(
      describe("Get an integration", "By its name; one that is private for its owner's members alone.")
    ),
    HttpApiEndpoint.post("publishIntegration", one, {
      params: integration,
      payload: PublishIntegration,
      success: Integration,
      error: changing
    }).annotateMerge(
      describe(
        "Publish an integration",
        "Or its next version. Its script and its secrets are kept, the secrets encrypted, and never shown."
      )
    ),
    HttpApiEndpoint.delete("unpublishIntegration", one, {
      params: integration,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe("Unpublish an integration", "Takes it back for good, wherever it is installed.")
    ),
    HttpApiEndpoint.get("listIntegrationInstallations", installations, {
      params: integration,
      query: {
        ...page,
        externalId: ListInstallations.fields.externalId
      },
      success: pageOf(Installation),
      error: reading
    }).annotateMerge(
      describe(
        "List the installations of an integration",
        "All for those who administrate its owner; for others those of organizations that they administrate."
      )
    ),
    HttpApiEndpoint.post("installIntegration", installations, {
      params: integration,
      payload: Install,
      success: Installation.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe("Install an integration", "For an organization that the caller administrates.")
    ),
    HttpApiEndpoint.get("getIntegrationInstallationById", `${installations}/:installationId`, {
      params: installation,
      success: Installation,
      error: reading
    }).annotateMerge(describe("Get an installation", "With what was said where it was installed.")),
    HttpApiEndpoint.patch("updateIntegrationInstallation", `${installations}/:installationId`, {
      params: installation,
      payload: UpdateInstallation,
      success: Installation,
      error: editing
    }).annotateMerge(
      describe("Update an installation", "Values are put beside those that are there; null takes one away.")
    ),
    HttpApiEndpoint.delete("uninstallIntegration", `${installations}/:installationId`, {
      params: installation,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Uninstall an integration", "Takes it away from where it is installed."))
  )
  .annotateMerge(describeGroup("Integrations", "What extends a workspace, and where it is installed."))
