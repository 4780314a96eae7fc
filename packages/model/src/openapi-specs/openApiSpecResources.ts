/** The events of OpenAPI specs and their versions. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { ProcessErrorCode, ProcessingState, SpecVersionId, SpecVisibility } from "./OpenApiSpec.ts"

/** The data of the events of a OpenAPI spec. */
export class OpenApiSpecEventData extends resource<OpenApiSpecEventData>()(
  Schema.Struct({
    id: Schema.String,
    organization: OrganizationId,
    slug: Schema.String,
    sourceURL: Schema.NullOr(Schema.String),
    visibility: SpecVisibility,
    processingState: ProcessingState,
    errorCode: Schema.NullOr(ProcessErrorCode),
    lastVersion: Schema.NullOr(SpecVersionId),
    lastProcessedAt: Schema.NullOr(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
) {}

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
