import { OpenApiSpecsApi } from "@lectern/client"
import { OpenApiSpecs } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

export const openApiSpecs = Effect.map(OpenApiSpecs, (specs) =>
  implement(OpenApiSpecsApi, {
    listOpenAPISpecs: specs.list,
    createOpenAPISpec: specs.create,
    getOpenAPISpecBySlug: specs.get,
    createOrUpdateOpenAPISpecBySlug: specs.createOrUpdate,
    updateOpenAPISpecBySlug: specs.update,
    deleteOpenAPISpecBySlug: specs.remove,
    listOpenAPISpecVersions: specs.listVersions,
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
    getLatestOpenAPISpecVersionContentRaw: specs.getRawContent,
    getOpenAPISpecVersionById: specs.getVersion,
    getOpenAPISpecVersionContentById: specs.getContent
  })
)
