/** The OpenAPI specs of an organization, and their versions (decision D11). */

import { type Brand, Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"

export const SpecVersionId = idSchema("The id of a version of a spec.").pipe(Schema.brand("SpecVersionId"))
export type SpecVersionId = string & Brand.Brand<"SpecVersionId">

/** The slug of a spec, unique in its organization: words of lower-case letters and digits, joined by hyphens. */
export const SpecSlug = text({ min: 1, max: 100 })
  .check(
    Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, {
      message: "must be words of lower-case letters and digits, joined by hyphens"
    })
  )
  .pipe(Schema.brand("SpecSlug"))
export type SpecSlug = string & Brand.Brand<"SpecSlug">

/** The state of processing a spec: scheduled, being read, or complete. */
export const ProcessingState = Schema.Literals(["pending", "progress", "complete"])

/** Why the last processing of a spec failed. */
export const ProcessErrorCode = Schema.Literals(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"])
export type ProcessErrorCode = typeof ProcessErrorCode.Type

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
    /** The address that the spec is read from. Absent if its source is a text. */
    sourceURL: Schema.optionalKey(Schema.String),
    /** The state of reading the source: `pending`, `progress` (being read), or `complete`. */
    processingState: ProcessingState,
    /** The id of the latest version. Absent if the spec was never read successfully. */
    lastVersion: Schema.optionalKey(SpecVersionId),
    /** When the source was last read. Absent if it never was. */
    lastProcessedAt: Schema.optionalKey(Timestamp),
    /** Why the source could not be read the last time. Absent if it could. */
    lastProcessErrorCode: Schema.optionalKey(ProcessErrorCode),
    /** What the caller can do with the spec. */
    permissions: Schema.Struct({
      /** Whether the caller can see the spec. */
      view: Schema.Boolean,
      /** Whether the caller can change and remove the spec. */
      edit: Schema.Boolean
    }),
    /** Addresses of the spec. */
    urls: Schema.Struct({
      /** Its address in the API. */
      location: Schema.String,
      /** Its address in the application. */
      app: Schema.String
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
    /** The address where the document of the version is served as it was received. */
    url: Schema.String,
    /** Addresses of the version. */
    urls: Schema.Struct({
      /** Its address in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "OpenAPISpecVersion" })
) {}

/** The content of a version: its parsed documents. */
export class OpenApiSpecContent extends resource<OpenApiSpecContent>()(
  Schema.Struct({
    /** The parsed documents of the version, by file name. */
    filesystem: Schema.Record(Schema.String, Schema.Unknown),
    /** The address where the first document is served as it was received. */
    url: Schema.String
  }).annotate({ identifier: "OpenAPISpecContent" })
) {}

/** The first document of a version as it was received. */
export interface OpenApiSpecDocument {
  /** `application/json` or `application/yaml`. */
  readonly contentType: string
  readonly document: Uint8Array
  /** A digest of all documents of the version. */
  readonly hash: string
}

/** The maximum size of a document, in bytes: 20 MiB. */
export const maximumBytes = 20 * 1024 * 1024

class SpecUrl extends resource<SpecUrl>()(
  Schema.Struct({
    /** The address of the document. */
    url: Url
  })
) {}

class SpecText extends resource<SpecText>()(
  Schema.Struct({
    /** The document: JSON or YAML, 1 to 20,971,520 characters. */
    text: text({ min: 1, max: maximumBytes })
  })
) {}

/** The source of a spec: an address, or a text. */
export const SpecSource = Schema.Union([SpecUrl, SpecText]).annotate({ identifier: "OpenAPISpecSource" })
export type SpecSource = SpecUrl | SpecText

/** The input for creating a spec. */
export class CreateSpec extends resource<CreateSpec>()(
  Schema.Struct({
    /** The slug of the spec: 1 to 100 lower-case letters, digits and hyphens, unique in its organization. */
    slug: SpecSlug,
    /** Where to read the spec from: an address, or a text. */
    source: SpecSource
  }).annotate({ identifier: "CreateOpenAPISpec" })
) {}

/** The input for creating a spec or replacing its source. */
export class PutSpec extends resource<PutSpec>()(
  Schema.Struct({
    /** Where to read the spec from: an address, or a text. */
    source: SpecSource
  }).annotate({ identifier: "PutOpenAPISpec" })
) {}

const openApiSpecColumns = {
  id: Table.text(),
  organization: Table.text<OrganizationId>(),
  slug: Table.text<SpecSlug>(),
  sourceURL: Table.nullable(Table.text()),
  processingState: Table.text<typeof ProcessingState.Type>(),
  errorCode: Table.nullable(Table.text<ProcessErrorCode>()),
  lastVersion: Table.nullable(Table.text<SpecVersionId>()),
  lastProcessedAt: Table.nullable(Table.text()),
  round: Table.integer(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}
export interface SpecRow extends Table.RowOf<typeof openApiSpecColumns> {}

/** The table of specs. `round` counts how often processing was scheduled: results of earlier rounds are discarded. */
export const openApiSpecs: Table.ProtectedTable<"openApiSpecs", SpecRow, "id"> = Table.makeProtected(
  "openApiSpecs",
  {
    tenant: "organization",
    columns: openApiSpecColumns,
    key: ["id"],
    unique: [["organization", "slug"]],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [["organization", "id"]]
  }
)

const openApiTextColumns = { spec: Table.text(), text: Table.text() }
interface OpenApiTextRow extends Table.RowOf<typeof openApiTextColumns> {}

/** The table of the texts of specs whose source is not an address. */
export const openApiTexts: Table.ProtectedTable<"openApiTexts", OpenApiTextRow, "spec"> = Table.makeProtected(
  "openApiTexts",
  {
    tenant: null,
    columns: openApiTextColumns,
    key: ["spec"],
    references: { spec: { table: () => openApiSpecs, onRemove: "cascade" } }
  }
)

const openApiVersionColumns = {
  id: Table.text<SpecVersionId>(),
  spec: Table.text(),
  hash: Table.text(),
  contentType: Table.text(),
  document: Table.bytes(),
  files: Table.bytes(),
  createdAt: Table.text()
}
export interface SpecVersionRow extends Table.RowOf<typeof openApiVersionColumns> {}

/** The table of versions: `document` as it was received, `files` as JSON of all parsed documents by name. */
export const openApiVersions: Table.ProtectedTable<"openApiVersions", SpecVersionRow, "id"> =
  Table.makeProtected("openApiVersions", {
    tenant: null,
    columns: openApiVersionColumns,
    key: ["id"],
    references: { spec: { table: () => openApiSpecs, onRemove: "cascade" } },
    indexes: [["spec", "id"]]
  })
