import { SiteRedirectsApi } from "@lectern/client"
import { SiteRedirects } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const siteRedirects = Effect.map(SiteRedirects, (redirects) =>
  implement(SiteRedirectsApi, {
    listSiteRedirects: redirects.list,
    createSiteRedirect: redirects.create,
    bulkUpsertSiteRedirects: redirects.upsert,
    updateSiteRedirectById: redirects.update,
    deleteSiteRedirectById: redirects.remove,
    getSiteRedirectBySource: redirects.getBySource
  })
)
