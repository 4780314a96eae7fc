/** Handlers of the endpoints for import runs. */
import { ImportRunsApi } from "@lectern/client"
import { ImportRuns } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for import runs. */
export const importRuns = Effect.map(ImportRuns, (runs) =>
  implement(ImportRunsApi, {
    startImportRun: serve(runs.start, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getImportRun: serve(runs.get, ({ params }) => ({
      organization: params.organizationId,
      run: params.importRunId
    })),
    cancelImportRun: serve(runs.cancel, ({ params }) => ({
      organization: params.organizationId,
      run: params.importRunId
    }))
  })
)
