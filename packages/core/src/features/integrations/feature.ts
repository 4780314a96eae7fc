import { defineFeature } from "@lectern/kernel"
import {
  contentInstallationEvents,
  contentInstallations,
  installationEvents,
  installations,
  integrationAssets,
  integrationEvents,
  integrationExaminations,
  integrations
} from "@lectern/kernel/tables"
import { Layer } from "effect"
import { reportContentUpdates } from "./contentUpdates.ts"
import { Installations } from "./Installations.ts"
import { InstallationTokens } from "./InstallationTokens.ts"
import { InstalledIntegrations } from "./InstalledIntegrations.ts"
import { IntegrationEvents } from "./IntegrationEvents.ts"
import { Integrations } from "./Integrations.ts"
import { integrationSubscriptions } from "./integrationSubscriptions.ts"
import { SiteInstallations } from "./SiteInstallations.ts"
import { SpaceInstallations } from "./SpaceInstallations.ts"

/** Integrations and their installations. */
export const integrationsFeature = defineFeature("integrations", {
  uses: ["tokens", "webhooks"],
  tables: [integrations, integrationAssets, installations, contentInstallations],
  events: [integrationEvents, installationEvents, contentInstallationEvents],
  userServices: {
    integrations: Integrations,
    installations: Installations,
    spaceInstallations: SpaceInstallations,
    siteInstallations: SiteInstallations,
    installedIntegrations: InstalledIntegrations,
    installationTokens: InstallationTokens,
    integrationEvents: IntegrationEvents
  },
  layer: Layer.mergeAll(
    Integrations.layer,
    Installations.layer,
    SpaceInstallations.layer,
    SiteInstallations.layer,
    InstalledIntegrations.layer,
    InstallationTokens.layer,
    IntegrationEvents.layer,
    Layer.effectDiscard(reportContentUpdates)
  ),
  subscriptions: integrationSubscriptions,
  examinations: integrationExaminations
})
