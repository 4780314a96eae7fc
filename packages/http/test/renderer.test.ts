/** The operations of renderers of published sites, with the official client, as the open-source renderer calls them. */
import { GitBookAPI } from "@gitbook/api"
import type { PublishedSiteContent, Revision, ShareLink, Site, SiteSection, Space } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { ruleDatabases } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const page = (title: string) => ({
  operation: "insert_page",
  title,
  document: { markdown: `The page ${title}.` }
})

const startSite = async (store: (typeof ruleDatabases)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const post = async <A>(path: string, body: unknown = {}) => (await call<A>("", "POST", path, body)).value
  const [guide, api] = [
    await post<Space>(`/orgs/${organization}/spaces`, { title: "Guide" }),
    await post<Space>(`/orgs/${organization}/spaces`, { title: "API" })
  ]
  await post(`/spaces/${guide.id}/content`, { changes: [page("Start"), page("Install"), page("Linux")] })
  const { id: site } = await post<Site>(`/orgs/${organization}/sites`, { title: "Docs", spaces: [guide.id] })
  const at = `/orgs/${organization}/sites/${site}`
  const section = await post<SiteSection>(`${at}/sections`, { spaceId: api.id, title: "Reference" })
  const { urls } = await post<Site>(`${at}/publish`)
  const anonymous = new GitBookAPI({ endpoint: server.url })
  return {
    server,
    organization,
    site,
    at,
    call,
    post,
    anonymous,
    guide: guide.id,
    api: api.id,
    section,
    url: urls.published!,
    resolve: async (url: string, jwtToken?: string) => {
      const visitor = jwtToken === undefined ? {} : { visitor: { jwtToken } }
      const { data } = await anonymous.urls.resolvePublishedContentByUrl({
        url,
        redirectOnError: false,
        ...visitor
      })
      return data as unknown as PublishedSiteContent
    },
    clientOf: ({ apiToken }: PublishedSiteContent) =>
      new GitBookAPI({ endpoint: server.url, authToken: apiToken })
  }
}

const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { readonly response?: Response; readonly code?: number }) =>
      error.response?.status ?? error.code ?? 0
  )

for (const store of ruleDatabases) {
  describe(`on ${store.name}`, () => {
    it("a URL resolves to the site-space and the path of the page", async () => {
      const { resolve, url, guide, api, organization, site, section, anonymous } = await startSite(store)
      const base = new URL(url).pathname
      expect(await resolve(`${url}install`)).toMatchObject({
        organization,
        site,
        space: guide,
        pathname: "install",
        basePath: base,
        siteBasePath: base,
        canonicalUrl: `${url}install`,
        complete: false
      })
      expect(await resolve(`${url}reference/a/b`)).toMatchObject({
        siteSection: section.id,
        space: api,
        pathname: "a/b",
        basePath: `${base}reference/`,
        complete: true
      })
      const { data } = await anonymous.urls.getPublishedContentByUrl({ url })
      expect(data).toEqual(await resolve(url))
      expect(await statusOf(resolve("https://example.com/"))).toBe(404)
      expect(await statusOf(resolve(`${new URL(url).origin}/sites/${organization}/none/`))).toBe(404)
    })

    it("a renderer reads a public site without a token of a user", async () => {
      const { resolve, url, guide, organization, site, clientOf, anonymous, server } = await startSite(store)
      const client = clientOf(await resolve(url))
      const { data: space } = await client.spaces.getSpaceById(guide, {})
      const { data } = await client.spaces.getRevisionById(guide, space.revision, { metadata: true })
      const revision = data as unknown as Revision
      expect(revision.pages.map(({ title }) => title)).toEqual(["Start", "Install", "Linux"])
      expect(revision.parents).toEqual([])
      const document = await client.spaces.getPageDocumentInRevisionById(
        guide,
        revision.id,
        revision.pages[1]!.id,
        {
          evaluated: "deterministic-only"
        }
      )
      expect(JSON.stringify(document.data)).toContain("The page Install.")
      const { data: published } = await anonymous.orgs.getPublishedContentSite(organization, site, {})
      expect(published.site.id).toBe(site)
      const { data: found } = await anonymous.orgs.searchSiteContent(organization, site, {
        query: "linux",
        scope: { mode: "all" }
      })
      expect(found.items[0]?.pages[0]?.title).toBe("Linux")

      // The responses are purged by tag, and never stored by shared caches.
      const { headers } = document
      expect(headers.get("x-gitbook-cache-tag")).toBe(`site:${site},space:${guide}`)
      expect(headers.get("x-gitbook-cache-control")).toMatch(/^max-age=\d+$/)
      expect(headers.get("cache-control")).toBe("private, no-cache")
      const events = await server.fetch(`/v1/orgs/${organization}/sites/${site}/insights/events`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          events: [{ type: "page_view", session: { sessionId: "1" }, location: { url } }]
        })
      })
      expect(events.status).toBe(204)
    })

    it("a visitor can neither write nor read anything besides published content", async () => {
      const { resolve, url, guide, organization, clientOf, call } = await startSite(store)
      const client = clientOf(await resolve(url))
      const { value: created } = await call<Space>("", "POST", `/orgs/${organization}/spaces`, {
        title: "Draft"
      })
      const calls = {
        update: client.spaces.updateSpaceById(guide, { title: "Mine" }),
        comments: client.spaces.listCommentsInSpace(guide, {}),
        changeRequests: client.spaces.listChangeRequestsForSpace(guide, {}),
        members: client.orgs.listMembersInOrganizationById(organization, {}),
        user: client.user.getAuthenticatedUser(),
        create: client.orgs.createSpace(organization, { title: "Mine" })
      }
      for (const [name, sent] of Object.entries(calls))
        expect([name, await statusOf(sent)]).toEqual([name, 401])
      expect(await statusOf(client.spaces.getSpaceById(created.id, {}))).toBe(404)
      const { data } = await client.spaces.getSpaceById(guide, {})
      expect(data.permissions).toEqual(expect.objectContaining({ edit: false, admin: false }))
    })

    it("access ends with the next request after it is revoked", async () => {
      const { resolve, url, guide, at, section, call, post, clientOf, api } = await startSite(store)
      const restore = {
        published: () => post(`${at}/publish`),
        section: () => call("", "PATCH", `${at}/sections/${section.id}`, { condition: null })
      }
      const lookup = await resolve(url)
      const read = (space: string) => statusOf(clientOf(lookup).spaces.getSpaceById(space, {}))
      expect([await read(guide), await read(api)]).toEqual([200, 200])
      await call("", "PATCH", `${at}/sections/${section.id}`, { condition: "visitor.claims.insider" })
      expect([await read(guide), await read(api)]).toEqual([200, 404])
      await restore.section()
      await post(`${at}/unpublish`)
      expect([await read(guide), await statusOf(resolve(url))]).toEqual([404, 404])
      await restore.published()
      expect(await read(guide)).toBe(200)

      await call("", "PATCH", at, { visibility: "share-link" })
      expect([await read(guide), await statusOf(resolve(url))]).toEqual([404, 404])
      const link = await post<ShareLink>(`${at}/share-links`, { name: "Link" })
      const shared = await resolve(`${link.urls.published}install`)
      const readShared = () => statusOf(clientOf(shared).spaces.getSpaceById(guide, {}))
      expect([shared.pathname, await readShared()]).toEqual(["install", 200])
      await call("", "PATCH", `${at}/share-links/${link.id}`, { active: false })
      expect([await readShared(), await statusOf(resolve(link.urls.published))]).toEqual([404, 404])

      await call("", "PATCH", at, { visibility: "visitor-auth" })
      const { value: auth } = await call<{ privateKey: string }>("", "GET", `${at}/publishing/auth`)
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: "HS256" })
        .setExpirationTime("1h")
        .sign(new TextEncoder().encode(auth.privateKey))
      const member = await resolve(url, token)
      const readMember = () => statusOf(clientOf(member).spaces.getSpaceById(guide, {}))
      expect(await readMember()).toBe(200)
      await post(`${at}/publishing/auth/regenerate`)
      expect([await readMember(), await statusOf(resolve(url, token))]).toEqual([404, 404])
      await call("", "PATCH", at, { visibility: "public" })
      await call("", "DELETE", `/spaces/${guide}`)
      expect(await read(guide)).toBe(404)
    })

    it("a visitor without a token is redirected to the fallback URL with the path only", async () => {
      const { url, at, call, anonymous } = await startSite(store)
      await call("", "PATCH", at, { visibility: "visitor-auth" })
      await call("", "PATCH", `${at}/publishing/auth`, {
        fallbackURL: "https://login.acme.com/start?from=docs"
      })
      const resolve = async (
        path: string,
        body: { redirectOnError?: boolean; visitor?: { jwtToken: string } } = {}
      ) =>
        (
          await anonymous.urls.resolvePublishedContentByUrl({
            url: url + path,
            redirectOnError: false,
            ...body
          })
        ).data
      const redirect = (location: string) => ({
        target: "external",
        redirect: `https://login.acme.com/start?${new URLSearchParams({ from: "docs", location })}`
      })
      expect(await resolve("install")).toEqual(redirect("/install"))
      expect(await resolve("")).toEqual(redirect("/"))
      expect(await resolve("/evil.example/a")).toEqual(redirect("/evil.example/a"))
      const visitor = { jwtToken: "no.token.here" }
      expect(await resolve("install", { visitor, redirectOnError: true })).toEqual(redirect("/install"))
      expect(await statusOf(resolve("install", { visitor }))).toBe(404)
    })

    it("former paths of pages redirect to where the pages are now", async () => {
      const { organization, site, guide, url, call, anonymous } = await startSite(store)
      const titles = ["start", "install", "linux"]
      const step = fc.record({
        page: fc.nat(2),
        slug: fc.constantFrom("one", "two", "three"),
        parent: fc.option(fc.nat(2))
      })
      const { value } = await call<Revision>("", "GET", `/spaces/${guide}/content`)
      const ids = titles.map((title) => value.pages.find((one) => "slug" in one && one.slug === title)!.id)
      type Tree = ReadonlyArray<{ readonly id: string; readonly path?: string; readonly pages?: Tree }>
      const pathsIn = (pages: Tree): ReadonlyArray<readonly [string, string]> =>
        pages.flatMap(({ id, path = "", pages: inside = [] }) => [[id, path] as const, ...pathsIn(inside)])
      const currentPaths = async () =>
        new Map(
          pathsIn((await call<{ pages: Tree }>("", "GET", `/spaces/${guide}/content/pages`)).value.pages)
        )
      let redirects = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
          for (const { page, slug, parent } of steps) {
            const before = await currentPaths()
            // A move below the page itself is rejected, and changes nothing.
            const into = parent === null || parent === page ? null : ids[parent]
            const change = { operation: "update_page", page: ids[page], slug: `${slug}-${page}`, into }
            await call("", "POST", `/spaces/${guide}/content`, { changes: [change] })
            const after = await currentPaths()
            const taken = new Set(after.values())
            for (const [id, path] of before) {
              const source = `/${path}`
              if (after.get(id) === path) {
                expect(
                  await statusOf(anonymous.orgs.getSiteRedirectBySource(organization, site, { source }))
                ).toBe(404)
              } else if (!taken.has(path)) {
                const { data } = await anonymous.orgs.getSiteRedirectBySource(organization, site, { source })
                expect([source, data.target]).toEqual([source, `${url}${after.get(id)}`])
                redirects++
              }
            }
          }
        }),
        runs(store.name === "PostgreSQL" ? 3 : 8)
      )
      expect(redirects).toBeGreaterThan(0)
    })
  })
}
