/** The manifest of the feature `integrations`. */

import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { installations } from "../../model/integrations/Installation.ts"
import { integrationAssets, integrations } from "../../model/integrations/Integration.ts"
import { installationEvents, integrationEvents } from "../../model/integrations/integrationResources.ts"
import { Installations } from "./Installations.ts"
import { Integrations } from "./Integrations.ts"
import { integrationExaminations } from "./integrationChecks.ts"

/** Integrations and their installations. */
export const integrationsFeature = defineFeature("integrations", {
  tables: [integrations, integrationAssets, installations],
  events: [integrationEvents, installationEvents],
  userServices: { integrations: Integrations, installations: Installations },
  layer: Layer.merge(Integrations.layer, Installations.layer),
  examinations: integrationExaminations
})
