/** Redirects with wildcards, drafts, statuses and destinations on other websites. */
import type { Page, ResolvedSiteRedirect, SiteRedirect, UpsertedSiteRedirects } from "@lectern/model"
import { expect } from "vitest"
import type { ScenarioContext } from "../ScenarioContext.ts"
import type { Json } from "../Schemas.ts"
import { idsOf } from "./helpers.ts"

/** A published site with a space and a page of it, at the path `setup`. */
interface RedirectedSite {
  readonly site: { readonly organizationId: string; readonly siteId: string }
  readonly space: string
  readonly page: string
  readonly url: string
  readonly siteSpaces: ReadonlyArray<string>
}

/** Verifies the options of redirects, and removes the redirects again. */
export const checkRedirectOptions = async (
  { ada, rita }: ScenarioContext,
  { site, space, page, url, siteSpaces }: RedirectedSite
): Promise<void> => {
  const [siteSpaceId] = siteSpaces
  const external = { kind: "external", url: "https://example.com/docs?from=old" }
  const options = { captureWildcard: true, permanent: true, draft: false }
  const all = await ada.call<SiteRedirect>("createSiteRedirect", site, {
    body: { source: "/legacy/*", destination: external, ...options }
  })
  expect(all).toMatchObject({ source: "/legacy/*", destination: external, ...options })
  expect(all.updatedAt).toBeUndefined()
  const targetOf = async (source: string): Promise<string> =>
    (await rita.call<ResolvedSiteRedirect>("getSiteRedirectBySource", site, { query: { source } })).target
  const same = { ...site, siteRedirectId: all.id }
  await ada.call("updateSiteRedirectById", same, { body: { destination: external } })
  expect(await targetOf("/legacy/a/b")).toBe("https://example.com/docs/a/b?from=old")
  await ada.expectError(404, "getSiteRedirectBySource", site, { query: { source: "/legacy/%2e%2e/a" } })

  // A draft has the same source as the redirect that visitors follow, and replaces it when it is published.
  const atPath = { kind: "path", spaceId: space, path: "setup" }
  const draft = await ada.call<SiteRedirect>("createSiteRedirect", site, {
    body: { source: "/legacy/*", destination: atPath, draft: true }
  })
  expect(draft.destination).toEqual({ kind: "site-page", siteSpaceId, pageId: page })
  const listed = async (query: { readonly draft?: boolean; readonly orderBy?: string }) =>
    idsOf(await ada.call<Page<SiteRedirect>>("listSiteRedirects", site, { query }))
  expect(await listed({ draft: true, orderBy: "createdAt" })).toEqual([draft.id])
  expect(await listed({ draft: false })).toContain(all.id)
  expect(await targetOf("/legacy/a")).toBe("https://example.com/docs/a?from=old")
  const redirect = { ...site, siteRedirectId: draft.id }
  await ada.expectError(409, "updateSiteRedirectById", redirect, { body: { draft: false } })
  const changed = await ada.call<SiteRedirect>("updateSiteRedirectById", redirect, {
    body: { permanent: true, captureWildcard: true, draft: true, destination: atPath }
  })
  expect(changed).toMatchObject({ permanent: true, captureWildcard: true, draft: true })
  expect(changed.updatedAt).toBeDefined()

  const upsert = async (redirects: ReadonlyArray<Json>): Promise<UpsertedSiteRedirects["results"]> =>
    (await ada.call<UpsertedSiteRedirects>("bulkUpsertSiteRedirects", site, { body: { redirects } })).results
  const published = await upsert([{ source: "/legacy/*", intent: "publish" }])
  // A repeated request has no draft to publish.
  expect(published[0]?.status).toMatch(/^(?:published|error)$/)
  expect(await targetOf("/legacy/a")).toBe(`${url}setup/a`)
  expect(await listed({ draft: true })).toEqual([])
  const other = { source: "/wild*", destination: external }
  await upsert([{ ...other, captureWildcard: true, permanent: true, intent: "live" }])
  expect(await targetOf("/wilder")).toBe("https://example.com/docser?from=old")
  await upsert([{ ...other, intent: "live" }])
  const [bySource, byChange] = [await listed({ orderBy: "source" }), await listed({ orderBy: "updatedAt" })]
  expect(bySource.indexOf(draft.id)).toBeLessThan(bySource.indexOf(byChange[0]!))
  await upsert([{ source: "/by-path", destination: atPath }])
  const wild = (await ada.call<Page<SiteRedirect>>("listSiteRedirects", site, { query: { search: "wild" } }))
    .items[0]
  expect(wild).toMatchObject({ captureWildcard: false, permanent: true })
  await upsert([
    { source: "/legacy/*", destination: null },
    { source: "/wild*", destination: null },
    { source: "/by-path", destination: null }
  ])
  await ada.expectError(400, "createSiteRedirect", site, {
    body: { source: "/script", destination: { kind: "external", url: "javascript:alert(1)" } }
  })
}
