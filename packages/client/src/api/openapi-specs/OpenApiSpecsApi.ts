/** The operations on OpenAPI specs. */
import {
  CreateSpec,
  OpenApiSpec,
  OpenApiSpecContent,
  OpenApiSpecVersion,
  OrganizationId,
  PutSpec,
  pageOf,
  SpecSlug,
  SpecVersionId
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const spec = { ...organization, specSlug: SpecSlug }
const version = { ...spec, versionId: SpecVersionId }
const path = "/orgs/:organizationId/openapi" as const
const one = `${path}/:specSlug` as const
const versions = `${one}/versions` as const

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
  }).annotateMerge(describe(`Get the content of ${what}`, "Its parsed documents, by file."))
})

const latest = versionReads(
  ["getLatestOpenAPISpecVersion", "getLatestOpenAPISpecVersionContent"],
  `${versions}/latest`,
  spec,
  "the latest version",
  "The last one whose content could be read."
)
const byId = versionReads(
  ["getOpenAPISpecVersionById", "getOpenAPISpecVersionContentById"],
  `${versions}/:versionId`,
  version,
  "a version",
  "With where its document is served."
)

/** The group of operations on OpenAPI specs. */
export const OpenApiSpecsApi = HttpApiGroup.make("openApiSpecs")
  .add(
    HttpApiEndpoint.get("listOpenAPISpecs", path, {
      params: organization,
      query: page,
      success: pageOf(OpenApiSpec),
      error: reading
    }).annotateMerge(describe("List OpenAPI specs", "Those of the organization, newest first.")),
    HttpApiEndpoint.post("createOpenAPISpec", path, {
      params: organization,
      payload: CreateSpec,
      success: OpenApiSpec.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe("Create an OpenAPI spec", "From an address or a text, which is read in the background.")
    ),
    HttpApiEndpoint.get("getOpenAPISpecBySlug", one, {
      params: spec,
      success: OpenApiSpec,
      error: reading
    }).annotateMerge(describe("Get an OpenAPI spec", "With where it is on its way, and what went wrong.")),
    HttpApiEndpoint.put("createOrUpdateOpenAPISpecBySlug", one, {
      params: spec,
      payload: PutSpec,
      success: OpenApiSpec,
      error: editing
    }).annotateMerge(
      describe("Create or update an OpenAPI spec", "Says where it comes from, and has it read again.")
    ),
    HttpApiEndpoint.delete("deleteOpenAPISpecBySlug", one, {
      params: spec,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Delete an OpenAPI spec", "With all of its versions.")),
    HttpApiEndpoint.get("listOpenAPISpecVersions", versions, {
      params: spec,
      query: page,
      success: pageOf(OpenApiSpecVersion),
      error: reading
    }).annotateMerge(
      describe(
        "List the versions of an OpenAPI spec",
        "Newest first: a new one for each change of its content."
      )
    ),
    latest.version,
    latest.content,
    byId.version,
    byId.content
  )
  .annotateMerge(
    describeGroup("OpenAPI specs", "Descriptions of APIs, read in the background, kept by versions.")
  )
