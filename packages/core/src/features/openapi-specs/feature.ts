import { Effect, Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { openApiSpecs, openApiTexts, openApiVersions } from "../../tables/openapi-specs/openApiSpecTables.ts"
import {
  openApiSpecEvents,
  openApiVersionEvents
} from "../../tables/openapi-specs/recordedOpenApiSpecEvents.ts"
import { OpenApiSpecs } from "./OpenApiSpecs.ts"
import { openApiSpecExaminations } from "./openApiSpecChecks.ts"
import { SpecProcessing } from "./SpecProcessing.ts"

/** OpenAPI specs, which pages refer to. */
export const openApiSpecsFeature = defineFeature("openapi-specs", {
  uses: ["conversion"],
  tables: [openApiSpecs, openApiTexts, openApiVersions],
  events: [openApiSpecEvents, openApiVersionEvents],
  userServices: { openApiSpecs: OpenApiSpecs },
  layer: Layer.merge(OpenApiSpecs.layer, SpecProcessing.layer),
  examinations: openApiSpecExaminations,
  jobs: Effect.map(SpecProcessing, ({ handlers }) => handlers)
})
