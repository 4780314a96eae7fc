/** Handlers of the endpoints for Git synchronization. */
import { GitApi } from "@lectern/client"
import { GitSync } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for Git synchronization. */
export const git = Effect.map(GitSync, (sync) =>
  implement(GitApi, {
    getSpaceGitInfo: serve(sync.getInfo, ({ params }) => ({ space: params.spaceId })),
    importGitRepository: serve(sync.importRepository, ({ params, payload }) => ({
      space: params.spaceId,
      input: payload
    })),
    exportToGitRepository: serve(sync.exportRepository, ({ params, payload }) => ({
      space: params.spaceId,
      input: payload
    }))
  })
)
