/** The events of integrations and their installations. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { contentInstallations } from "./ContentInstallation.ts"
import { InstallationId, installations, Selection } from "./Installation.ts"
import { IntegrationName, IntegrationVisibility, integrations } from "./Integration.ts"

/** The data of the events of a integration. */
export class IntegrationEventData extends resource<IntegrationEventData>()(
  Schema.Struct({
    id: Schema.String,
    name: IntegrationName,
    organization: OrganizationId,
    version: Schema.Int,
    visibility: IntegrationVisibility,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}

/** The events of integrations, without their secrets and their scripts. */
export const integrationEvents = resourceEvents("integration", "A published integration.", integrations, {
  data: IntegrationEventData
})

/** The data of the events of a installation. */
export class InstallationEventData extends resource<InstallationEventData>()(
  Schema.Struct({
    id: InstallationId,
    integration: Schema.String,
    organization: OrganizationId,
    spaceSelection: Selection,
    siteSelection: Selection,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}

/** The events of installations, without their configuration, which can contain credentials. */
export const installationEvents = resourceEvents(
  "installation",
  "The installation of an integration.",
  installations,
  {
    data: InstallationEventData
  }
)

/** The data of the events of an installation on a space or a site. */
export class ContentInstallationEventData extends resource<ContentInstallationEventData>()(
  Schema.Struct({
    installation: InstallationId,
    content: Schema.String,
    kind: Schema.Literals(["space", "site"]),
    integration: Schema.String,
    organization: OrganizationId,
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}

/** The events of installations on spaces and sites, without their configuration, which can contain credentials. */
export const contentInstallationEvents = resourceEvents(
  "contentInstallation",
  "The installation of an integration on a space or a site, as a part of an installation.",
  contentInstallations,
  {
    data: ContentInstallationEventData
  }
)
