/**
 * The requests of the official renderer (GitBook Open, commit 0ae7cfd79), in the order in which it displays a page, with the properties that
 * it relies on. Comments name the file and the line of the renderer below `packages/gitbook/src`. `harness/renderer` describes
 * how to run it.
 */
import { GitBookAPI } from "@gitbook/api"
import {
  BackgroundWork,
  type PublishedSiteContent,
  type Revision,
  type Site,
  type Space
} from "@lectern/core"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { validatePublicResponse } from "./contract.ts"
import { ruleDatabases } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const petsSpec = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { get: { responses: { "200": { description: "All pets" } } } } }
})

const welcome = `A fact[^1] and a [term](#user-content-fn-2)[^2].

{% openapi-operation spec="pets" path="/pets" method="get" %}
[OpenAPI pets](https://example.com/pets.json)
{% endopenapi-operation %}

[^1]: The source of the fact.

[^2]: The meaning of the term.
`

type Node = {
  readonly object: string
  readonly type?: string
  readonly text?: string
  readonly data?: { readonly ref?: { readonly kind: string; readonly spec?: string } }
  readonly nodes?: ReadonlyArray<Node>
  readonly leaves?: ReadonlyArray<Node>
  readonly fragments?: ReadonlyArray<Node>
}

const nodesIn = (node: Node): ReadonlyArray<Node> => [
  node,
  ...[...(node.nodes ?? []), ...(node.leaves ?? []), ...(node.fragments ?? [])].flatMap(nodesIn)
]

const textOf = (node: Node): string =>
  nodesIn(node)
    .map(({ text = "" }) => text)
    .join("")

/** Publishes a site with two variants of a guide. The first one displays a spec; another spec is displayed nowhere. */
const startSite = async (store: (typeof ruleDatabases)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const post = async <A>(path: string, body: unknown = {}) => (await call<A>("", "POST", path, body)).value
  for (const slug of ["pets", "internal"])
    await post(`/orgs/${organization}/openapi`, { slug, source: { text: petsSpec } })
  await server.core.runtime.runPromise(
    Effect.provideService(
      Effect.flatMap(BackgroundWork, ({ drain }) => drain),
      Clock.Clock,
      server.core.clock
    )
  )
  const [guide, other] = [
    await post<Space>(`/orgs/${organization}/spaces`, { title: "Guide" }),
    await post<Space>(`/orgs/${organization}/spaces`, { title: "Other" })
  ]
  const changes = [{ operation: "insert_page", title: "Welcome", document: { markdown: welcome } }]
  await post(`/spaces/${guide.id}/content`, { changes })
  const spaces = [guide.id, other.id]
  const { id: site } = await post<Site>(`/orgs/${organization}/sites`, { title: "Docs", spaces })
  const at = `/orgs/${organization}/sites/${site}`
  const { urls } = await post<Site>(`${at}/publish`)
  const { data } = await new GitBookAPI({ endpoint: server.url }).urls.resolvePublishedContentByUrl({
    url: `${urls.published}welcome`,
    redirectOnError: false
  })
  const lookup = data as unknown as PublishedSiteContent
  const api = new GitBookAPI({ endpoint: server.url, authToken: lookup.apiToken })
  return { server, organization, site, at, call, post, guide: guide.id, lookup, api }
}

const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: { readonly response?: Response; readonly code?: number }) =>
      error.response?.status ?? error.code ?? 0
  )

/** Returns the document of the only page of the guide, with the response. */
const readDocument = async ({ api, guide }: Awaited<ReturnType<typeof startSite>>) => {
  // lib/data/api.ts:222, 277 and 342.
  const { data: space } = await api.spaces.getSpaceById(guide, {})
  const { data } = await api.spaces.getRevisionById(guide, space.revision, { metadata: true })
  const [page] = (data as unknown as Revision).pages
  return api.spaces.getPageDocumentInRevisionById(guide, space.revision, page!.id, {
    evaluated: "deterministic-only"
  })
}

for (const store of ruleDatabases) {
  describe(`the official renderer, on ${store.name}`, () => {
    it("receives a cache lifetime that is not shorter than that of its pages in browsers", async () => {
      const { headers } = await readDocument(await startSite(store))
      const [, maxAge] = /^max-age=(\d+)$/.exec(headers.get("x-gitbook-cache-control") ?? "") ?? []
      // lib/data/api.ts:171: `stale` is 5 minutes, and `expire` this maximum age. Next.js requires stale <= expire.
      expect(Number(maxAge)).toBeGreaterThanOrEqual(300)
    })

    it("receives footnotes as annotations, with the number of the reference as their text", async () => {
      const { data } = await readDocument(await startSite(store))
      const document = data as unknown as Node
      const annotations = nodesIn(document).filter(({ type }) => type === "annotation")
      // components/DocumentView/Annotation/Annotation.tsx:13: the body is the fragment `annotation-body`.
      const bodies = annotations.map(({ fragments = [] }) =>
        fragments.find(({ type }) => type === "annotation-body")
      )
      expect(bodies.map((body) => textOf(body!))).toEqual([
        "The source of the fact.",
        "The meaning of the term."
      ])
      expect(annotations.map(({ nodes = [] }) => nodes.map(textOf).join(""))).toEqual(["1", "term"])
      expect(textOf(document)).not.toContain("[^")
      expect(validatePublicResponse("getPageDocumentInRevisionById", 200, data)).toBeUndefined()
    })

    it("reads the OpenAPI specs that a page of the site displays, with the token of the visitor", async () => {
      const site = await startSite(store)
      const { api, organization, at, call, guide } = site
      const { data } = await readDocument(site)
      const block = nodesIn(data as unknown as Node).find(({ type }) => type === "openapi-operation")
      // lib/openapi/fetch.ts:32 reads the reference of the block; lib/references.tsx:289 reads the spec.
      const { kind, spec } = block!.data!.ref!
      expect(kind).toBe("openapi")
      const read = (slug: string) => api.orgs.getLatestOpenApiSpecVersionContent(organization, slug)
      const { data: content } = await read(spec!)
      expect(Object.keys(content.filesystem)).toHaveLength(1)
      const { data: version } = await api.orgs.getLatestOpenApiSpecVersion(organization, spec!)
      expect(await statusOf(api.orgs.getOpenApiSpecVersionContentById(organization, spec!, version.id))).toBe(
        200
      )

      expect(await statusOf(read("internal"))).toBe(404)
      expect(await statusOf(read("missing"))).toBe(404)
      expect(await statusOf(api.orgs.getOpenApiSpecBySlug(organization, spec!))).toBe(401)
      // The former version is no longer displayed.
      await call("", "PUT", `/orgs/${organization}/openapi/pets`, {
        source: { text: petsSpec.replace('"version":"1"', '"version":"2"') }
      })
      await site.server.core.runtime.runPromise(
        Effect.provideService(
          Effect.flatMap(BackgroundWork, ({ drain }) => drain),
          Clock.Clock,
          site.server.core.clock
        )
      )
      expect(await statusOf(api.orgs.getOpenApiSpecVersionContentById(organization, spec!, version.id))).toBe(
        404
      )
      expect(await statusOf(read("pets"))).toBe(200)

      // A spec ends with its block, and with the site.
      const { value: tree } = await call<Revision>("", "GET", `/spaces/${guide}/content`)
      const page = tree.pages[0]!.id
      const withoutBlock = { operation: "update_page", page, document: { markdown: "Nothing." } }
      await call("", "POST", `/spaces/${guide}/content`, { changes: [withoutBlock] })
      expect(await statusOf(read("pets"))).toBe(404)
      const withBlock = { ...withoutBlock, document: { markdown: welcome } }
      await call("", "POST", `/spaces/${guide}/content`, { changes: [withBlock] })
      expect(await statusOf(read("pets"))).toBe(200)
      await call("", "POST", `${at}/unpublish`, {})
      expect(await statusOf(read("pets"))).toBe(404)
    })

    it("reads only specs that the visitor can see", async () => {
      const { api, organization, call, guide } = await startSite(store)
      const read = () => statusOf(api.orgs.getLatestOpenApiSpecVersionContent(organization, "pets"))
      const { value: tree } = await call<Revision>("", "GET", `/spaces/${guide}/content`)
      const page = tree.pages[0]!.id
      const markdown = `{% if visitor.claims.insider %}\n\n${welcome}\n{% endif %}\n`
      const hidden = { operation: "update_page", page, document: { markdown } }
      await call("", "POST", `/spaces/${guide}/content`, { changes: [hidden] })
      expect(await read()).toBe(404)
    })

    it("receives a site without advertisements, with a customization for each site-space", async () => {
      const { api, organization, site, lookup, at, call } = await startSite(store)
      const { value: settings } = await call<Record<string, unknown>>("", "GET", `${at}/customization`)
      await call("", "PUT", `${at}/customization`, { ...settings, title: "Acme docs" })
      const { data } = await api.orgs.getPublishedContentSite(organization, site, {})
      // components/Ads/Ad.tsx:79 displays a placeholder for a status `pending`; components/PageAside/PageAside.tsx:213.
      expect(data.site).not.toHaveProperty("ads")
      // lib/context.ts:295 selects it by the id of the site-space, and logs a warning without it.
      const { siteSpaces } = data.customizations
      expect(Object.keys(siteSpaces)).toHaveLength(2)
      expect(siteSpaces[lookup.siteSpace!]).toEqual(data.customizations.site)
      expect(siteSpaces[lookup.siteSpace!]?.title).toBe("Acme docs")
    })

    it("receives the values that a site-space overrides, without the links that its visitor cannot see", async () => {
      const { api, organization, site, lookup, at, call } = await startSite(store)
      const read = async () =>
        (await api.orgs.getPublishedContentSite(organization, site, {})).data.customizations
      const before = await read()
      const own = `${at}/site-spaces/${lookup.siteSpace}/customization`
      const link = { title: "Secret", to: { kind: "url", url: "https://example.com/secret" }, links: [] }
      const { value } = await call<Record<string, unknown>>(
        "overrideSiteSpaceCustomizationById",
        "PATCH",
        own,
        {
          title: "Acme guide",
          styling: { corners: "straight" },
          header: {
            links: [
              { ...link, condition: "visitor.claims.insider" },
              { ...link, title: "Public" }
            ]
          }
        }
      )
      expect((await call("getSiteSpaceCustomizationById", "GET", own)).value).toEqual(value)
      // lib/context.ts:295 selects the customization by the id of the site-space, instead of that of the site.
      const { site: ofSite, siteSpaces } = await read()
      const { [lookup.siteSpace!]: overridden, ...others } = siteSpaces
      expect(ofSite).toEqual(before.site)
      expect(Object.values(others)).toEqual([before.site])
      expect(overridden?.title).toBe("Acme guide")
      expect(overridden?.styling).toEqual({ ...before.site.styling, corners: "straight" })
      // components/Header/HeaderLinks.tsx displays every link that it receives.
      expect(overridden?.header.links.map(({ title }) => title)).toEqual(["Public"])

      await call("", "PATCH", own, { title: null, header: { links: null } })
      const partly = (await read()).siteSpaces[lookup.siteSpace!]
      expect(partly).toEqual({ ...before.site, styling: { ...before.site.styling, corners: "straight" } })
      await call("", "DELETE", own)
      expect(await read()).toEqual(before)
    })
  })
}
