import { GitApi } from "@lectern/client"
import { GitSync } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const git = Effect.map(GitSync, (sync) =>
  implement(GitApi, {
    getSpaceGitInfo: sync.getInfo,
    importGitRepository: sync.importRepository,
    exportToGitRepository: sync.exportRepository
  })
)
