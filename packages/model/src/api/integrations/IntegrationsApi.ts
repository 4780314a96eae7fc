import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  Install,
  Installation,
  InstallationToken,
  Integration,
  IntegrationEvent,
  IntegrationEventWithTrace,
  IntegrationName,
  ListInstallations,
  ListIntegrations,
  OrganizationId,
  PublishIntegration,
  pageOf,
  QueueTask,
  SetDevelopmentMode,
  UpdateInstallation,
  WebhookDeliveryId
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, CreatesIfMissing, ReturnsSecret } from "../shared/requestConditions.ts"
import { installationParams, integrationParams } from "./params.ts"

const integrationPath = "/integrations/:integrationName" as const
const installations = `${integrationPath}/installations` as const
const { search, category, blockDomain, blocks, contentSources, owner, scope } = ListIntegrations.fields
const filters = { ...page, search, category, blockDomain, blocks, contentSources, owner, scope }

/** The group of operations on integrations. */
export const IntegrationsApi = HttpApiGroup.make("integrations")
  .add(
    HttpApiEndpoint.get("listIntegrations", "/integrations", {
      query: filters,
      success: pageOf(Integration),
      error: reading
    }).annotateMerge(
      describe(
        "List integrations",
        "Returns all public integrations, and all integrations of the caller's organizations, newest first."
      )
    ),
    HttpApiEndpoint.get("listOrganizationIntegrations", "/orgs/:organizationId/integrations", {
      params: { organizationId: OrganizationId },
      query: filters,
      success: pageOf(Integration),
      error: reading
    }).annotateMerge(
      describe(
        "List the integrations of an organization",
        "Returns the integrations that the organization can use, newest first: all public integrations, its own, and the installed ones."
      )
    ),
    HttpApiEndpoint.get("getIntegrationByName", integrationPath, {
      params: integrationParams,
      success: Integration,
      error: reading
    }).annotateMerge(
      describe(
        "Get an integration",
        "Returns the integration with this name. A private one is visible only to members of the organization that owns it."
      )
    ),
    HttpApiEndpoint.post("publishIntegration", integrationPath, {
      params: integrationParams,
      payload: PublishIntegration,
      success: Integration,
      error: editing
    })
      .annotateMerge(
        describe(
          "Publish an integration",
          "Publishes an integration, or its next version. Its script and its encrypted secrets are stored and never returned."
        )
      )
      .annotate(CreatesIfMissing, true),
    HttpApiEndpoint.delete("unpublishIntegration", integrationPath, {
      params: integrationParams,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe("Unpublish an integration", "Deletes the integration and all its installations permanently.")
    ),
    HttpApiEndpoint.get("listIntegrationInstallations", installations, {
      params: integrationParams,
      query: {
        ...page,
        externalId: ListInstallations.fields.externalId
      },
      success: pageOf(Installation),
      error: reading
    }).annotateMerge(
      describe(
        "List the installations of an integration",
        "Returns all installations if the caller administers the organization that owns the integration, otherwise the installations in organizations that the caller administers."
      )
    ),
    HttpApiEndpoint.post("installIntegration", installations, {
      params: integrationParams,
      payload: Install,
      success: created(Installation),
      error: changing
    }).annotateMerge(
      describe(
        "Install an integration",
        "Installs the integration in an organization that the caller administers."
      )
    ),
    HttpApiEndpoint.get("getIntegrationInstallationById", `${installations}/:installationId`, {
      params: installationParams,
      success: Installation,
      error: reading
    }).annotateMerge(describe("Get an installation", "Returns the installation, with its configuration.")),
    HttpApiEndpoint.patch("updateIntegrationInstallation", `${installations}/:installationId`, {
      params: installationParams,
      payload: UpdateInstallation,
      success: Installation,
      error: editing
    }).annotateMerge(
      describe(
        "Update an installation",
        "Merges the given values into the stored ones. `null` removes a value."
      )
    ),
    HttpApiEndpoint.delete("uninstallIntegration", `${installations}/:installationId`, {
      params: installationParams,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Uninstall an integration", "Removes the installation from its organization.")),
    HttpApiEndpoint.post("createIntegrationInstallationToken", `${installations}/:installationId/tokens`, {
      params: installationParams,
      success: InstallationToken,
      error: changing
    })
      .annotate(ReturnsSecret, always)
      .annotateMerge(
        describe(
          "Create a token of an installation",
          "Returns an API token that expires after an hour. It acts for the administrator who installed the integration, limited to the scopes of the integration, and to the spaces and sites of the installation."
        )
      ),
    HttpApiEndpoint.get("listIntegrationEvents", `${integrationPath}/events`, {
      params: integrationParams,
      query: page,
      success: pageOf(IntegrationEvent),
      error: reading
    }).annotateMerge(
      describe(
        "List the events of an integration",
        "Returns the events that the integration receives, newest first."
      )
    ),
    HttpApiEndpoint.get("getIntegrationEvent", `${integrationPath}/events/:eventId`, {
      params: { integrationName: IntegrationName, eventId: WebhookDeliveryId },
      success: IntegrationEventWithTrace,
      error: reading
    }).annotateMerge(
      describe("Get an event of an integration", "Returns the event, with the requests to the webhook.")
    ),
    HttpApiEndpoint.post("queueIntegrationTask", `${integrationPath}/tasks`, {
      params: integrationParams,
      payload: QueueTask,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Queue a task of an integration",
        "Delivers the task to the webhook of the integration after `schedule` seconds, as an event of the type `task`."
      )
    ),
    HttpApiEndpoint.put("setIntegrationDevelopmentMode", `${integrationPath}/dev`, {
      params: integrationParams,
      payload: SetDevelopmentMode,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Enable development mode",
        "Delivers the events of the integration to the URL instead of its webhook: the events of the organization that owns it, or of `all` organizations."
      )
    ),
    HttpApiEndpoint.delete("disableIntegrationDevelopmentMode", `${integrationPath}/dev`, {
      params: integrationParams,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe("Disable development mode", "Delivers the events of the integration to its webhook again.")
    )
  )
  .annotateMerge(describeGroup("Integrations", "Extensions of workspaces, and their installations."))
