/** Handlers of the endpoints for exports. */
import { ExportsApi } from "@lectern/client"
import { Exports } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for exports. */
export const exports = Effect.map(Exports, (exported) =>
  implement(ExportsApi, {
    getSpaceExport: serve(exported.getUrl, ({ params }) => ({ content: { space: params.spaceId } })),
    getChangeRequestExport: serve(exported.getUrl, ({ params }) => ({
      content: { space: params.spaceId, changeRequest: params.changeRequestId }
    })),
    getRevisionExport: serve(exported.getUrl, ({ params }) => ({
      content: { space: params.spaceId, revision: params.revisionId }
    }))
  })
)
