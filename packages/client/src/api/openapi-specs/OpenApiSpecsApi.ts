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
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const spec = { ...organization, specSlug: SpecSlug }
const version = { ...spec, versionId: SpecVersionId }
const path = "/orgs/:organizationId/openapi" as const
const one = `${path}/:specSlug` as const
const versions = `${one}/versions` as const

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
    HttpApiEndpoint.get("getLatestOpenAPISpecVersion", `${versions}/latest`, {
      params: spec,
      success: OpenApiSpecVersion,
      error: reading
    }).annotateMerge(describe("Get the latest version", "The last one whose content could be read.")),
    HttpApiEndpoint.get("getLatestOpenAPISpecVersionContent", `${versions}/latest/content`, {
      params: spec,
      success: OpenApiSpecContent,
      error: reading
    }).annotateMerge(describe("Get the content of the latest version", "Its parsed documents, by file.")),
    HttpApiEndpoint.get("getOpenAPISpecVersionById", `${versions}/:versionId`, {
      params: version,
      success: OpenApiSpecVersion,
      error: reading
    }).annotateMerge(describe("Get a version", "With where its document is served.")),
    HttpApiEndpoint.get("getOpenAPISpecVersionContentById", `${versions}/:versionId/content`, {
      params: version,
      success: OpenApiSpecContent,
      error: reading
    }).annotateMerge(describe("Get the content of a version", "Its parsed documents, by file."))
  )
  .annotateMerge(
    describeGroup("OpenAPI specs", "Descriptions of APIs, read in the background, kept by versions.")
  )
