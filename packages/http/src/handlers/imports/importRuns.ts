import { ImportRunsApi } from "@lectern/client"
import { ImportRuns } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const importRuns = Effect.map(ImportRuns, (runs) =>
  implement(ImportRunsApi, {
    startImportRun: runs.start,
    listImportRuns: runs.list,
    getImportRun: runs.get,
    cancelImportRun: runs.cancel
  })
)
