import { ExportsApi } from "@lectern/client"
import { Exports, SiteExports } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"
import { contentTarget } from "../shared/parametersOf.ts"

export const exports = Effect.gen(function* () {
  const exported = yield* Exports
  const sites = yield* SiteExports
  return implement(
    ExportsApi,
    {
      getSpaceExport: exported.getUrl,
      getChangeRequestExport: exported.getUrl,
      getRevisionExport: exported.getUrl,
      getSiteExport: sites.getUrl
    },
    contentTarget
  )
})
