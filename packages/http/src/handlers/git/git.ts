/** Handlers of the endpoints for Git synchronization. */
import { GitApi } from "@lectern/client"
import { GitSync } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The handlers of the endpoints for Git synchronization. */
export const git = Effect.map(GitSync, (sync) =>
  implement(GitApi, {
    getSpaceGitInfo: sync.getInfo,
    importGitRepository: sync.importRepository,
    exportToGitRepository: sync.exportRepository
  })
)
