import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecRawContent,
  OpenApiSpecVersion,
  OrganizationId,
  PutSpec,
  pageOf,
  SpecSlug,
  SpecVersionId,
  UpdateSpec
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { page } from "../shared/queryParameters.ts"
import { CreatesIfMissing } from "../shared/requestConditions.ts"

const organization = { organizationId: OrganizationId }
const spec = { ...organization, specSlug: SpecSlug }
const version = { ...spec, versionId: SpecVersionId }
const path = "/orgs/:organizationId/openapi" as const
const specPath = `${path}/:specSlug` as const
const versions = `${specPath}/versions` as const

/** Declares the operations that read the version at a path, and its content. */
const versionReads = <
  const Id extends string,
  const ContentId extends string,
  const Path extends `/${string}`,
  Params extends PathParams
>(
  ids: readonly [id: Id, contentId: ContentId],
  path: Path,
  params: Params,
  what: string,
  description: string
) => ({
  version: HttpApiEndpoint.get(ids[0], path, {
    params,
    success: OpenApiSpecVersion,
    error: reading
  }).annotateMerge(describe(`Get ${what}`, description)),
  content: HttpApiEndpoint.get(ids[1], `${path}/content` as const, {
    params,
    success: OpenApiSpecContent,
    error: reading
  }).annotateMerge(
    describe(`Get the content of ${what}`, "Returns the parsed documents of the version, by file.")
  )
})

const latest = versionReads(
  ["getLatestOpenAPISpecVersion", "getLatestOpenAPISpecVersionContent"],
  `${versions}/latest`,
  spec,
  "the latest version",
  "Returns the latest version that was processed successfully."
)
const byId = versionReads(
  ["getOpenAPISpecVersionById", "getOpenAPISpecVersionContentById"],
  `${versions}/:versionId`,
  version,
  "a version",
  "Returns the version, with the URL of its document."
)

/** The group of operations on OpenAPI specs. */
export const OpenApiSpecsApi = HttpApiGroup.make("openApiSpecs")
  .add(
    HttpApiEndpoint.get("listOpenAPISpecs", path, {
      params: organization,
      query: page,
      success: pageOf(OpenApiSpec),
      error: reading
    }).annotateMerge(describe("List OpenAPI specs", "Returns the specs of the organization, newest first.")),
    HttpApiEndpoint.post("createOpenAPISpec", path, {
      params: organization,
      payload: CreateSpec,
      success: created(OpenApiSpec),
      error: changing
    }).annotateMerge(
      describe(
        "Create an OpenAPI spec",
        "Creates a spec from a URL or from the text in the request. The document is processed in the background."
      )
    ),
    HttpApiEndpoint.get("getOpenAPISpecBySlug", specPath, {
      params: spec,
      success: OpenApiSpec,
      error: reading
    }).annotateMerge(
      describe(
        "Get an OpenAPI spec",
        "Returns the spec, with the state of its processing and the last error."
      )
    ),
    HttpApiEndpoint.put("createOrUpdateOpenAPISpecBySlug", specPath, {
      params: spec,
      payload: PutSpec,
      success: OpenApiSpec,
      error: editing
    })
      .annotateMerge(
        describe(
          "Create or update an OpenAPI spec",
          "Sets the source of the spec and processes its document again."
        )
      )
      .annotate(CreatesIfMissing, true),
    HttpApiEndpoint.patch("updateOpenAPISpecBySlug", specPath, {
      params: spec,
      payload: UpdateSpec,
      success: OpenApiSpec,
      error: editing
    }).annotateMerge(
      describe(
        "Update an OpenAPI spec",
        "Changes who can read the latest document: everyone who has its URL (`public`), or only members and visitors of pages with it."
      )
    ),
    HttpApiEndpoint.delete("deleteOpenAPISpecBySlug", specPath, {
      params: spec,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Delete an OpenAPI spec", "Deletes the spec and all its versions.")),
    HttpApiEndpoint.get("listOpenAPISpecVersions", versions, {
      params: spec,
      query: page,
      success: pageOf(OpenApiSpecVersion),
      error: reading
    }).annotateMerge(
      describe(
        "List the versions of an OpenAPI spec",
        "Returns the versions of the spec, newest first. Each change of the document creates one."
      )
    ),
    latest.version,
    latest.content,
    HttpApiEndpoint.get("getLatestOpenAPISpecVersionContentRaw", `${versions}/latest/content/raw`, {
      params: spec,
      success: OpenApiSpecRawContent,
      error: reading
    }).annotateMerge(
      describe(
        "Get the text of the latest version",
        "Returns the first document of the version as it was received."
      )
    ),
    byId.version,
    byId.content
  )
  .annotateMerge(
    describeGroup("OpenAPI specs", "OpenAPI documents, processed in the background and stored in versions.")
  )
