/** Handlers of the operations on OpenAPI specs. */

import { OpenApiSpecsApi } from "@lectern/client"
import { OpenApiSpecs } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on OpenAPI specs, implemented. */
export const openApiSpecs = Effect.map(OpenApiSpecs, (specs) =>
  implement(OpenApiSpecsApi, {
    listOpenAPISpecs: ({ params, query }) => specs.list(params.organizationId, query),
    createOpenAPISpec: ({ params, payload }) => specs.create(params.organizationId, payload),
    getOpenAPISpecBySlug: ({ params }) => specs.get(params.organizationId, params.specSlug),
    createOrUpdateOpenAPISpecBySlug: ({ params, payload }) =>
      specs.put(params.organizationId, params.specSlug, payload),
    deleteOpenAPISpecBySlug: ({ params }) => specs.remove(params.organizationId, params.specSlug),
    listOpenAPISpecVersions: ({ params, query }) =>
      specs.versions(params.organizationId, params.specSlug, query),
    getLatestOpenAPISpecVersion: ({ params }) =>
      specs.version(params.organizationId, params.specSlug, "latest"),
    getLatestOpenAPISpecVersionContent: ({ params }) =>
      specs.content(params.organizationId, params.specSlug, "latest"),
    getOpenAPISpecVersionById: ({ params }) =>
      specs.version(params.organizationId, params.specSlug, params.versionId),
    getOpenAPISpecVersionContentById: ({ params }) =>
      specs.content(params.organizationId, params.specSlug, params.versionId)
  })
)
