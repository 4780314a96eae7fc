/** Handlers of the endpoints for exports. */
import { ExportsApi } from "@lectern/client"
import { Exports, SiteExports } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for exports. */
export const exports = Effect.gen(function* () {
  const exported = yield* Exports
  const sites = yield* SiteExports
  return implement(ExportsApi, {
    getSpaceExport: serve(exported.getUrl, ({ params }) => ({ content: { space: params.spaceId } })),
    getChangeRequestExport: serve(exported.getUrl, ({ params }) => ({
      content: { space: params.spaceId, changeRequest: params.changeRequestId }
    })),
    getRevisionExport: serve(exported.getUrl, ({ params }) => ({
      content: { space: params.spaceId, revision: params.revisionId }
    })),
    getSiteExport: serve(sites.getUrl, ({ params }) => ({
      organization: params.organizationId,
      site: params.siteId
    }))
  })
})
