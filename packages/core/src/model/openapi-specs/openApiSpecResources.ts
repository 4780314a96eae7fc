/** The events of OpenAPI specs and their versions. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import {
  openApiSpecs,
  openApiVersions,
  ProcessErrorCode,
  ProcessingState,
  SpecVersionId
} from "./OpenApiSpec.ts"

/** The data of the events of a OpenAPI spec. */
export class OpenApiSpecEventData extends resource<OpenApiSpecEventData>()(
  Schema.Struct({
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
  })
) {}

/** The events of OpenAPI specs. */
export const openApiSpecEvents = resourceEvents("openApiSpec", "An OpenAPI specification.", openApiSpecs, {
  data: OpenApiSpecEventData
})

/** The data of the events of a OpenAPI version. */
export class OpenApiVersionEventData extends resource<OpenApiVersionEventData>()(
  Schema.Struct({
    id: SpecVersionId,
    spec: Schema.String,
    hash: Schema.String,
    contentType: Schema.String,
    createdAt: Timestamp
  })
) {}

/** The events of versions of OpenAPI specs. */
export const openApiVersionEvents = resourceEvents(
  "openApiVersion",
  "A version of an OpenAPI specification.",
  openApiVersions,
  {
    data: OpenApiVersionEventData
  }
)
