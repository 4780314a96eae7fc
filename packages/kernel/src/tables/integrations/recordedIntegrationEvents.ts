/** The events that are recorded from changed rows. */

import {
  ContentInstallationEventData,
  InstallationEventData,
  IntegrationEventData
} from "@lectern/model/integrations"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { contentInstallations } from "./contentInstallationTable.ts"
import { installations } from "./installationTable.ts"
import { integrations } from "./integrationTables.ts"

/** The events of integrations, without their secrets and their scripts. */
export const integrationEvents = resourceEvents("integration", "A published integration.", integrations, {
  data: IntegrationEventData
})

/** The events of installations, without their configuration, which can contain credentials. */
export const installationEvents = resourceEvents(
  "installation",
  "The installation of an integration.",
  installations,
  {
    data: InstallationEventData
  }
)

/** The events of installations on spaces and sites, without their configuration, which can contain credentials. */
export const contentInstallationEvents = resourceEvents(
  "contentInstallation",
  "The installation of an integration on a space or a site, as a part of an installation.",
  contentInstallations,
  {
    data: ContentInstallationEventData
  }
)
