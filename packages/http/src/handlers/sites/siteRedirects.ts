/** Handlers of the endpoints for the redirects of sites. */
import { SiteRedirectsApi } from "@lectern/client"
import { SiteRedirects } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the redirects of sites. */
export const siteRedirects = Effect.map(SiteRedirects, (redirects) =>
  implement(SiteRedirectsApi, {
    listSiteRedirects: serve(redirects.list, ({ params, query }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: query
    })),
    createSiteRedirect: serve(redirects.create, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: payload
    })),
    updateSiteRedirectById: serve(redirects.update, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      redirect: params.siteRedirectId,
      input: payload
    })),
    deleteSiteRedirectById: serve(redirects.remove, ({ params }) => ({
      organization: params.organizationId,
      site: params.siteId,
      redirect: params.siteRedirectId
    })),
    getSiteRedirectBySource: serve(redirects.getBySource, ({ params, query }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: query
    }))
  })
)
