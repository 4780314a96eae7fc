/** The operations on redirects of sites, and the operations of renderers of published sites. */
import type { PublishedContentApi, SiteRedirectsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { publishedUrl, redirectSource } from "./sceneInputs.ts"

const queryOf = (values: Readonly<Record<string, string>>): string => new URLSearchParams(values).toString()

export const siteRedirects = {
  listSiteRedirects: {
    serves: "SiteRedirects.list",
    rule: "site.edit",
    query: "search=former&draft=false&orderBy=source"
  },
  createSiteRedirect: {
    serves: "SiteRedirects.create",
    rule: "site.edit",
    repeated: "409",
    body: ({ ids }) => ({
      source: "/another",
      destination: { kind: "site-space", siteSpaceId: ids.siteSpaceId }
    })
  },
  bulkUpsertSiteRedirects: {
    serves: "SiteRedirects.upsert",
    rule: "site.edit",
    body: ({ ids }) => ({
      redirects: [{ source: "/another", destination: { kind: "site-space", siteSpaceId: ids.siteSpaceId } }]
    }),
    // Each update moves the redirect in the order of the last changes.
    repeated: "another"
  },
  updateSiteRedirectById: {
    serves: "SiteRedirects.update",
    rule: "site.edit",
    body: () => ({ source: "/another" }),
    // Each update moves the redirect in the order of the last changes.
    repeated: "another"
  },
  deleteSiteRedirectById: {
    serves: "SiteRedirects.remove",
    rule: "site.edit",
    repeated: "404"
  },
  getSiteRedirectBySource: {
    serves: "SiteRedirects.getBySource",
    // The site of the scene is public.
    rule: "anybody",
    query: queryOf({ source: redirectSource })
  }
} satisfies RowsOf<typeof SiteRedirectsApi>

export const publishedContent = {
  resolvePublishedContentByUrl: {
    serves: "PublishedContent.resolve",
    rule: "anybody",
    reads: true,
    body: () => ({ url: publishedUrl })
  },
  getPublishedContentByUrl: {
    serves: "PublishedContent.resolve",
    rule: "anybody",
    query: queryOf({ url: publishedUrl })
  },
  getEmbedByUrlInSpace: {
    serves: "Embeds.get",
    rule: "space.read",
    query: queryOf({ url: "https://example.com/" })
  },
  getEmbedByUrl: {
    serves: "Embeds.getByUrl",
    rule: "anybody",
    query: queryOf({ url: "https://example.com/" })
  },
  getContentByUrl: {
    serves: "UrlTargets.get",
    calls: ["Spaces.get"],
    rule: "siteSpace.view",
    // The query names the content, so an invalid query is rejected before any content is authorized.
    pathRule: "anybody",
    query: queryOf({ url: publishedUrl })
  },
  trackEventsInSiteById: {
    serves: "SiteEvents.track",
    rule: "anybody",
    reads: true,
    body: () => ({ events: [{ type: "page_view" }] })
  }
} satisfies RowsOf<typeof PublishedContentApi>
