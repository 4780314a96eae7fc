import { defineFeature } from "@lectern/kernel"
import {
  openApiSpecEvents,
  openApiSpecs,
  openApiTexts,
  openApiVersionEvents,
  openApiVersions
} from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { OpenApiSpecs } from "./OpenApiSpecs.ts"
import { openApiSpecExaminations } from "./openApiSpecChecks.ts"
import { SpecProcessing } from "./SpecProcessing.ts"

/** OpenAPI specs, which pages refer to. */
export const openApiSpecsFeature = defineFeature("openapi-specs", {
  tables: [openApiSpecs, openApiTexts, openApiVersions],
  events: [openApiSpecEvents, openApiVersionEvents],
  userServices: { openApiSpecs: OpenApiSpecs },
  layer: Layer.merge(OpenApiSpecs.layer, SpecProcessing.layer),
  examinations: openApiSpecExaminations,
  jobs: Effect.map(SpecProcessing, ({ handlers }) => handlers)
})
