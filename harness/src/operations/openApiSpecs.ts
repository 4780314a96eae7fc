/** The operations on OpenAPI specs. */
import type { OpenApiSpecsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { specSource } from "./scene.ts"

export const openApiSpecs = {
  listOpenAPISpecs: { serves: "OpenApiSpecs.list", rule: "organization.listSpecs", statements: 5 },
  createOpenAPISpec: {
    serves: "OpenApiSpecs.create",
    rule: "organization.create",
    statements: 9,
    repeated: "409",
    body: () => ({ slug: "new", source: specSource })
  },
  getOpenAPISpecBySlug: { serves: "OpenApiSpecs.get", rule: "organization.listSpecs", statements: 4 },
  createOrUpdateOpenAPISpecBySlug: {
    serves: "OpenApiSpecs.createOrUpdate",
    rule: "organization.create",
    statements: 11,
    repeated: "another",
    body: () => ({ source: specSource })
  },
  deleteOpenAPISpecBySlug: {
    serves: "OpenApiSpecs.remove",
    rule: "organization.create",
    statements: 9,
    repeated: "404"
  },
  listOpenAPISpecVersions: {
    serves: "OpenApiSpecs.listVersions",
    rule: "organization.listSpecs",
    statements: 6
  },
  getLatestOpenAPISpecVersion: {
    serves: "OpenApiSpecs.getVersion",
    rule: "organization.listSpecs",
    statements: 5
  },
  getLatestOpenAPISpecVersionContent: {
    serves: "OpenApiSpecs.getContent",
    rule: "organization.listSpecs",
    statements: 6
  },
  getOpenAPISpecVersionById: {
    serves: "OpenApiSpecs.getVersion",
    rule: "organization.listSpecs",
    statements: 5
  },
  getOpenAPISpecVersionContentById: {
    serves: "OpenApiSpecs.getContent",
    rule: "organization.listSpecs",
    statements: 5
  }
} satisfies RowsOf<typeof OpenApiSpecsApi>
