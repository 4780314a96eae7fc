/** The OpenAPI specs of an organization, and their versions. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"

/** The id of a version of a spec. */
export const SpecVersionId = idSchema("The id of a version of a spec.").pipe(Schema.brand("SpecVersionId"))

/** The id of a version of a spec. */
export type SpecVersionId = string & Brand.Brand<"SpecVersionId">

/** The slug of a spec, unique in its organization: words of lower-case letters and digits, joined by hyphens. */
export const SpecSlug = text({ min: 1, max: 100 })
  .check(
    Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, {
      message: "must be words of lower-case letters and digits, joined by hyphens"
    })
  )
  .pipe(Schema.brand("SpecSlug"))

/** The slug of a spec, unique in its organization. */
export type SpecSlug = string & Brand.Brand<"SpecSlug">

/** The state of processing a spec: scheduled, being read, or complete. */
export const ProcessingState = Schema.Literals(["pending", "progress", "complete"])

/** Who can read the document of a spec: the members and visitors of pages with it, or everyone with its URL (`public`). */
export const SpecVisibility = Schema.Literals(["private", "public"])

/** The reason why the last processing of a spec failed. */
export const ProcessErrorCode = Schema.Literals(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"])

/** The reason why the last processing of a spec failed. */
export type ProcessErrorCode = typeof ProcessErrorCode.Type

/** The kind of a problem of a source. A missing `info.version` and the last two codes are warnings. */
export const SpecProblemCode = Schema.Literals([
  "FETCH_TIMEOUT",
  "FETCH_ERROR",
  "TOO_LARGE",
  "TOO_MANY_FILES",
  "SYNTAX_ERROR",
  "NESTED_TOO_DEEP",
  "NOT_OPENAPI",
  "UNSUPPORTED_VERSION",
  "MISSING_FIELD",
  "REFERENCE_NOT_FOUND",
  "INTERNAL_ERROR",
  "DUPLICATE_OPERATION_ID",
  "UNKNOWN_SECURITY_SCHEME"
])

/** The kind of a problem of a source. */
export type SpecProblemCode = typeof SpecProblemCode.Type

/** A problem of the source of a spec, with its position. */
export class SpecProblem extends resource<SpecProblem>()(
  Schema.Struct({
    /** A description of the problem. */
    message: Schema.String,
    /** The kind of the problem. */
    code: SpecProblemCode,
    /** Whether the source cannot be used (`error`), or can (`warning`). */
    severity: Schema.Literals(["error", "warning"]),
    /** The name of the document, as in the content of a version. Absent if the problem is not in a document. */
    file: Schema.optionalKey(Schema.String),
    /** The line in the document, from 1. Absent if the problem has no position. */
    line: Schema.optionalKey(Schema.Int),
    /** The column in the line, from 1. Absent if the problem has no position. */
    column: Schema.optionalKey(Schema.Int),
    /** The JSON pointer to the value in the document, as in `/paths/~1pets/get`. Absent if the problem is not in a value. */
    pointer: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "OpenAPIErrorObject" })
) {}

/** The description of an API, with versions. */
export class OpenApiSpec extends resource<OpenApiSpec>()(
  Schema.Struct({
    /** The type of the resource: always `openapi-spec`. */
    object: Schema.Literal("openapi-spec"),
    /** The id of the spec. */
    id: Schema.String,
    /** When the spec was created. */
    createdAt: Timestamp,
    /** When the spec was last changed or processed. */
    updatedAt: Timestamp,
    /** The slug of the spec, unique in its organization. */
    slug: SpecSlug,
    /** The URL that the spec is fetched from. Absent if the source is a document. */
    sourceURL: Schema.optionalKey(Schema.String),
    /** The state of reading the source: `pending`, `progress` (being read), or `complete`. */
    processingState: ProcessingState,
    /** Who can read the latest document: members and visitors of pages with it (`private`), or everyone with its URL (`public`). */
    visibility: SpecVisibility,
    /** The id of the latest version. Absent if the spec was never read successfully. */
    lastVersion: Schema.optionalKey(SpecVersionId),
    /** When the source was last processed. Absent if it never was. Polling an unchanged source does not change it. */
    lastProcessedAt: Schema.optionalKey(Timestamp),
    /** The reason why the last processing of the source failed. Absent if it succeeded. */
    lastProcessErrorCode: Schema.optionalKey(ProcessErrorCode),
    /** The problems of the source, at most 100: errors if the last processing failed, otherwise warnings. Absent if it has no problems. */
    lastProcessedErrors: Schema.optionalKey(Schema.Array(SpecProblem)),
    /** The number of problems of the source, at most 100: further ones are not reported. */
    lastProcessedErrorCount: Schema.Int,
    /** The permissions of the caller on the spec. */
    permissions: Schema.Struct({
      /** Whether the caller can see the spec. */
      view: Schema.Boolean,
      /** Whether the caller can change and remove the spec. */
      edit: Schema.Boolean
    }),
    /** URLs of the spec. */
    urls: Schema.Struct({
      /** The URL of the spec in the API. */
      location: Schema.String,
      /** The URL of the spec in the application. */
      app: Schema.String,
      /** The URL of the latest document as it was received. Absent unless the spec is `public` and has a version. */
      published: Schema.optionalKey(Schema.String)
    })
  }).annotate({ identifier: "OpenAPISpec", description: "The description of an API, with versions." })
) {}

/** A version of a spec. */
export class OpenApiSpecVersion extends resource<OpenApiSpecVersion>()(
  Schema.Struct({
    /** The type of the resource: always `openapi-spec-version`. */
    object: Schema.Literal("openapi-spec-version"),
    /** The id of the version. */
    id: SpecVersionId,
    /** When the version was created. */
    createdAt: Timestamp,
    /** The URL where the document of the version is served as it was received. */
    url: Schema.String,
    /** URLs of the version. */
    urls: Schema.Struct({
      /** The URL of the version in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "OpenAPISpecVersion" })
) {}

/** The content of a version: its parsed documents. */
export class OpenApiSpecContent extends resource<OpenApiSpecContent>()(
  Schema.Struct({
    /** The parsed documents of the version, by file name. */
    filesystem: Schema.Record(Schema.String, Schema.Unknown),
    /** The URL where the first document is served as it was received. */
    url: Schema.String,
    /** URLs of the content. */
    urls: Schema.Struct({
      /** The URL where the first document is served as it was received. */
      source: Schema.String,
      /** The URL of the latest document, which everyone can read; null for a private spec. */
      public: Schema.NullOr(Schema.String)
    })
  }).annotate({ identifier: "OpenAPISpecContent" })
) {}

/** The first document of a version as text. */
export class OpenApiSpecRawContent extends resource<OpenApiSpecRawContent>()(
  Schema.Struct({
    /** The document as it was received. */
    text: Schema.String,
    /** The format of the text. */
    format: Schema.Literals(["json", "yaml"])
  }).annotate({ identifier: "OpenAPISpecRawContent" })
) {}

/** The first document of a version as it was received. */
export interface OpenApiSpecDocument {
  /** `application/json` or `application/yaml`. */
  readonly contentType: string
  /** The parsed document. */
  readonly document: Uint8Array
  /** A digest of all documents of the version. */
  readonly hash: string
  /** Whether the URL names a version, whose document never changes. */
  readonly isImmutable: boolean
}

/** The maximum size of a document, in bytes: 20 MiB. */
export const maximumBytes = 20 * 1024 * 1024

class SpecUrl extends resource<SpecUrl>()(
  Schema.Struct({
    /** The URL of the document. */
    url: Url
  })
) {}

class SpecText extends resource<SpecText>()(
  Schema.Struct({
    /** The document: JSON or YAML, 1 to 20,971,520 characters. */
    text: text({ min: 1, max: maximumBytes })
  })
) {}

/** The source of a spec: a URL, or the document itself. */
export const SpecSource = Schema.Union([SpecUrl, SpecText]).annotate({ identifier: "OpenAPISpecSource" })

/** The source of a spec: a URL, or the document itself. */
export type SpecSource = SpecUrl | SpecText

/** The fields of a new spec. */
export class CreateSpec extends resource<CreateSpec>()(
  Schema.Struct({
    /** The slug of the spec: 1 to 100 lower-case letters, digits and hyphens, unique in its organization. */
    slug: SpecSlug,
    /** The source of the spec: a URL, or the document itself. */
    source: SpecSource
  }).annotate({ identifier: "CreateOpenAPISpec" })
) {}

/** The source of a new spec, or the new source of an existing one. */
export class PutSpec extends resource<PutSpec>()(
  Schema.Struct({
    /** The source of the spec: a URL, or the document itself. */
    source: SpecSource
  }).annotate({ identifier: "PutOpenAPISpec" })
) {}

/** The settings of a spec to update. */
export class UpdateSpec extends resource<UpdateSpec>()(
  Schema.Struct({
    /** Who can read the latest document: members and visitors of pages with it (`private`), or everyone with its URL (`public`). */
    visibility: SpecVisibility
  }).annotate({ identifier: "UpdateOpenAPISpec" })
) {}
