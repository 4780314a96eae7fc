/** Handlers of the endpoints for OpenAPI specs. */
import { OpenApiSpecsApi } from "@lectern/client"
import { OpenApiSpecs } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for OpenAPI specs. */
export const openApiSpecs = Effect.map(OpenApiSpecs, (specs) =>
  implement(OpenApiSpecsApi, {
    listOpenAPISpecs: serve(specs.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createOpenAPISpec: serve(specs.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getOpenAPISpecBySlug: serve(specs.get, ({ params }) => ({
      organization: params.organizationId,
      slug: params.specSlug
    })),
    createOrUpdateOpenAPISpecBySlug: serve(specs.createOrUpdate, ({ params, payload }) => ({
      organization: params.organizationId,
      slug: params.specSlug,
      input: payload
    })),
    deleteOpenAPISpecBySlug: serve(specs.remove, ({ params }) => ({
      organization: params.organizationId,
      slug: params.specSlug
    })),
    listOpenAPISpecVersions: serve(specs.listVersions, ({ params, query }) => ({
      organization: params.organizationId,
      slug: params.specSlug,
      input: query
    })),
    getLatestOpenAPISpecVersion: serve(specs.getVersion, ({ params }) => ({
      organization: params.organizationId,
      slug: params.specSlug,
      version: "latest" as const
    })),
    getLatestOpenAPISpecVersionContent: serve(specs.getContent, ({ params }) => ({
      organization: params.organizationId,
      slug: params.specSlug,
      version: "latest" as const
    })),
    getOpenAPISpecVersionById: serve(specs.getVersion, ({ params }) => ({
      organization: params.organizationId,
      slug: params.specSlug,
      version: params.versionId
    })),
    getOpenAPISpecVersionContentById: serve(specs.getContent, ({ params }) => ({
      organization: params.organizationId,
      slug: params.specSlug,
      version: params.versionId
    }))
  })
)
