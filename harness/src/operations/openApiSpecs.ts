/** The operations on OpenAPI specs. */
import type { OpenApiSpecsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { specSource } from "./sceneInputs.ts"

export const openApiSpecs = {
  listOpenAPISpecs: { serves: "OpenApiSpecs.list", rule: "organization.listSpecs" },
  createOpenAPISpec: {
    serves: "OpenApiSpecs.create",
    rule: "organization.create",
    repeated: "409",
    body: () => ({ slug: "new", source: specSource })
  },
  getOpenAPISpecBySlug: { serves: "OpenApiSpecs.get", rule: "organization.listSpecs" },
  createOrUpdateOpenAPISpecBySlug: {
    serves: "OpenApiSpecs.createOrUpdate",
    rule: "organization.create",
    repeated: "another",
    body: () => ({ source: specSource })
  },
  updateOpenAPISpecBySlug: {
    serves: "OpenApiSpecs.update",
    rule: "organization.create",
    body: () => ({ visibility: "public" })
  },
  deleteOpenAPISpecBySlug: {
    serves: "OpenApiSpecs.remove",
    rule: "organization.create",
    repeated: "404"
  },
  listOpenAPISpecVersions: {
    serves: "OpenApiSpecs.listVersions",
    rule: "organization.listSpecs"
  },
  getLatestOpenAPISpecVersion: {
    serves: "OpenApiSpecs.getVersion",
    rule: "organization.listSpecs"
  },
  getLatestOpenAPISpecVersionContent: {
    serves: "OpenApiSpecs.getContent",
    rule: "organization.listSpecs"
  },
  getLatestOpenAPISpecVersionContentRaw: {
    serves: "OpenApiSpecs.getRawContent",
    rule: "organization.listSpecs"
  },
  getOpenAPISpecVersionById: {
    serves: "OpenApiSpecs.getVersion",
    rule: "organization.listSpecs"
  },
  getOpenAPISpecVersionContentById: {
    serves: "OpenApiSpecs.getContent",
    rule: "organization.listSpecs"
  }
} satisfies RowsOf<typeof OpenApiSpecsApi>
