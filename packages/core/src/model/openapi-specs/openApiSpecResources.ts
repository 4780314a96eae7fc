/** The events of OpenAPI specs and their versions. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import {
  openApiSpecs,
  openApiVersions,
  ProcessErrorCode,
  ProcessingState,
  SpecVersionId
} from "./OpenApiSpec.ts"

/** The events of OpenAPI specs. */
export const openApiSpecEvents = resourceEvents("openApiSpec", "An OpenAPI specification.", openApiSpecs, {
  data: {
    id: Schema.String,
    organization: OrganizationId,
    slug: Schema.String,
    sourceURL: Schema.NullOr(Schema.String),
    processingState: ProcessingState,
    errorCode: Schema.NullOr(ProcessErrorCode),
    lastVersion: Schema.NullOr(SpecVersionId),
    lastProcessedAt: Schema.NullOr(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp
  }
})

/** The events of versions of OpenAPI specs. */
export const openApiVersionEvents = resourceEvents(
  "openApiVersion",
  "A version of an OpenAPI specification.",
  openApiVersions,
  {
    data: {
      id: SpecVersionId,
      spec: Schema.String,
      hash: Schema.String,
      contentType: Schema.String,
      createdAt: Timestamp
    }
  }
)
