/** OpenAPI specs of an organization, and their versions (decision D11). */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"

export const SpecVersionId = idSchema("The id of a version of a spec.").pipe(Schema.brand("SpecVersionId"))
export type SpecVersionId = typeof SpecVersionId.Type

/** What names a spec in its organization: words of lower-case letters and digits, joined by hyphens. */
export const SpecSlug = text({ min: 1, max: 100 })
  .check(
    Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, {
      message: "must be words of lower-case letters and digits, joined by hyphens"
    })
  )
  .pipe(Schema.brand("SpecSlug"))
export type SpecSlug = typeof SpecSlug.Type

/** Where a spec is on its way: asked for, being read, or read. */
export const ProcessingState = Schema.Literals(["pending", "progress", "complete"])

/** Why a spec could not be read the last time. */
export const ProcessErrorCode = Schema.Literals(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"])
export type ProcessErrorCode = typeof ProcessErrorCode.Type

/** A spec, as the specification shows one. */
export const OpenApiSpec = Schema.Struct({
  object: Schema.Literal("openapi-spec"),
  id: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  slug: SpecSlug,
  sourceURL: Schema.optionalKey(Schema.String),
  processingState: ProcessingState,
  lastVersion: Schema.optionalKey(SpecVersionId),
  lastProcessedAt: Schema.optionalKey(Timestamp),
  lastProcessErrorCode: Schema.optionalKey(ProcessErrorCode),
  permissions: Schema.Struct({ view: Schema.Boolean, edit: Schema.Boolean }),
  urls: Schema.Struct({ location: Schema.String, app: Schema.String })
}).annotate({ identifier: "OpenAPISpec", description: "The description of an API, kept up to date." })
export type OpenApiSpec = typeof OpenApiSpec.Type

/** A version of a spec, as the specification shows one. */
export const OpenApiSpecVersion = Schema.Struct({
  object: Schema.Literal("openapi-spec-version"),
  id: SpecVersionId,
  createdAt: Timestamp,
  url: Schema.String.annotate({ description: "Where the document itself is served." }),
  urls: Schema.Struct({ location: Schema.String })
}).annotate({ identifier: "OpenAPISpecVersion" })
export type OpenApiSpecVersion = typeof OpenApiSpecVersion.Type

/** What is in a version: its parsed documents by file, and where the first of them is served as it came. */
export const OpenApiSpecContent = Schema.Struct({
  filesystem: Schema.Record(Schema.String, Schema.Unknown),
  url: Schema.String
}).annotate({ identifier: "OpenAPISpecContent" })
export type OpenApiSpecContent = typeof OpenApiSpecContent.Type

/** The longest document, in bytes: 20 MiB. */
export const maximumBytes = 20 * 1024 * 1024

/** Where a spec comes from: an address, or the text itself. */
export const SpecSource = Schema.Union([
  Schema.Struct({ url: Url }),
  Schema.Struct({ text: text({ min: 1, max: maximumBytes }) })
]).annotate({ identifier: "OpenAPISpecSource" })
export type SpecSource = typeof SpecSource.Type

/** What a spec is made from. */
export const CreateSpec = Schema.Struct({ slug: SpecSlug, source: SpecSource }).annotate({
  identifier: "CreateOpenAPISpec"
})

/** Where a spec comes from now. */
export const PutSpec = Schema.Struct({ source: SpecSource }).annotate({ identifier: "PutOpenAPISpec" })

/** Where specs are kept. `round` counts how often one was asked to be read: only the last round counts. */
export const openApiSpecs = Table.make("openApiSpecs", {
  columns: {
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
  },
  key: ["id"],
  unique: [["organization", "slug"]],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})
export type SpecRow = Table.Row<typeof openApiSpecs>

/** Where the texts of specs are kept that come from no address. */
export const openApiTexts = Table.make("openApiTexts", {
  columns: { spec: Table.text(), text: Table.text() },
  key: ["spec"],
  references: { spec: { table: () => openApiSpecs, onRemove: "cascade" } }
})

/** Where versions are kept: `document` as it came, `files` as JSON of all of its documents by name. */
export const openApiVersions = Table.make("openApiVersions", {
  columns: {
    id: Table.text<SpecVersionId>(),
    spec: Table.text(),
    hash: Table.text(),
    contentType: Table.text(),
    document: Table.bytes(),
    files: Table.bytes(),
    createdAt: Table.text()
  },
  key: ["id"],
  references: { spec: { table: () => openApiSpecs, onRemove: "cascade" } },
  indexes: [["spec", "id"]]
})
export type SpecVersionRow = Table.Row<typeof openApiVersions>
