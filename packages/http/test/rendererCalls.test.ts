// cspell:ignore Fnone Fold
/**
 * Requests of the official renderer (GitBook Open), with their paths and parameters, at the commit that pins version 0.143.2 of the contract
 * (0ae7cfd79) and at a later one (49c993f18, which pins 0.195.0). `recorded` marks the requests that a commit has sent to a server: see
 * docs/decisions/0143-recorded-requests-of-the-renderer.md. The others were read from the source. `source` is the place of the call
 * below `packages/gitbook/src`; `harness/renderer/calls.ts` compares the places with a checkout. The token is the one that the renderer has
 * received for the URL of a page.
 */
import { createHmac } from "node:crypto"
import type { PublishedSiteContent, Revision, Site, Space } from "@lectern/core"
import { beforeAll, describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServer, type TestServer } from "./support.ts"

interface Scene {
  readonly organization: string
  readonly site: string
  readonly siteSpace: string
  readonly space: string
  readonly revision: string
  readonly page: string
  readonly document: string
  readonly reusableContent: string
  readonly changeRequest: string
  readonly changed: string
  readonly user: string
}

/** A request of the renderer, with the status and the fields that it reads of the response. */
interface Call {
  readonly source: { readonly pinned?: string; readonly current?: string }
  /** The commits that have sent the request to a server. */
  readonly recorded?: "pinned" | "current" | "both"
  readonly method?: "POST"
  readonly path: (scene: Scene) => string
  readonly body?: (scene: Scene) => unknown
  /** Whether the renderer sends the token of a user, as in previews. */
  readonly byUser?: boolean
  /** The status. The renderer treats 404 as the absence of something, and other errors as its own. */
  readonly status: number
  /** The fields that the renderer reads. */
  readonly reads?: ReadonlyArray<string>
  /** The fields that the response must not have. */
  readonly omits?: ReadonlyArray<string>
}

const searchPlaces = { pinned: "lib/data/api.ts:656", current: "lib/data/api.ts:786" }

const search = (scope: (scene: Scene) => object, places: Call["source"]) => ({
  source: places,
  method: "POST" as const,
  path: ({ organization, site }: Scene) => `/orgs/${organization}/sites/${site}/search`,
  body: (scene: Scene) => ({ query: "welcome", ...scope(scene) }),
  status: 200,
  reads: [
    "items.0.id",
    "items.0.title",
    "items.0.pages.0.id",
    "items.0.pages.0.title",
    "items.0.pages.0.path"
  ]
})

const calls: Readonly<Record<string, Call>> = {
  "the space of a page": {
    recorded: "both",
    source: { pinned: "lib/data/api.ts:222", current: "lib/data/api.ts:269" },
    path: ({ space }) => `/spaces/${space}`,
    status: 200,
    reads: ["id", "title", "organization", "revision", "urls.app"]
  },
  "the revision with its pages and files": {
    recorded: "both",
    source: { pinned: "lib/data/api.ts:277", current: "lib/data/api.ts:325" },
    path: ({ space, revision }) => `/spaces/${space}/revisions/${revision}?metadata=true`,
    status: 200,
    reads: [
      "id",
      "pages.0.id",
      "pages.0.path",
      "pages.0.slug",
      "pages.0.layout",
      "files",
      "reusableContents",
      "urls.app"
    ]
  },
  "the document of a page": {
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:342" },
    path: ({ space, revision, page }) =>
      `/spaces/${space}/revisions/${revision}/page/${page}/document?evaluated=deterministic-only`,
    status: 200,
    reads: ["object", "nodes.0.object"]
  },
  "the document of a page with its reusable contents": {
    recorded: "current",
    source: { current: "lib/data/api.ts:468" },
    path: ({ space, revision, page }) =>
      `/spaces/${space}/revisions/${revision}/page/${page}/document?evaluated=deterministic-only&dereferenced=reusable-contents`,
    status: 200,
    reads: ["object", "nodes.0.object"]
  },
  "the Markdown of a page": {
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:306" },
    path: ({ space, revision, page }) =>
      `/spaces/${space}/revisions/${revision}/page/${page}?format=markdown`,
    status: 200,
    reads: ["markdown"]
  },
  "the Markdown of a page with stable references": {
    source: { current: "lib/data/api.ts:426" },
    path: ({ space, revision, page }) =>
      `/spaces/${space}/revisions/${revision}/page/${page}?format=markdown&format.markdown.refs=stable`,
    status: 200,
    reads: ["markdown"]
  },
  "a reusable content": {
    source: { pinned: "lib/data/api.ts:375", current: "lib/data/api.ts:502" },
    path: ({ space, revision, reusableContent }) =>
      `/spaces/${space}/revisions/${revision}/reusable-contents/${reusableContent}/document?evaluated=deterministic-only`,
    status: 200,
    reads: ["object", "nodes.0.object"]
  },
  "a page by its path": {
    recorded: "pinned",
    // The path is encoded once: its slashes are not separators.
    source: { pinned: "lib/data/api.ts:409", current: "lib/data/api.ts:536" },
    path: ({ space, revision }) =>
      `/spaces/${space}/revisions/${revision}/path/${encodeURIComponent("group/below")}`,
    status: 200,
    reads: ["id", "path"]
  },
  "a page that does not exist, by its path": {
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:409", current: "lib/data/api.ts:536" },
    path: ({ space, revision }) => `/spaces/${space}/revisions/${revision}/path/none`,
    status: 404
  },
  "a document by its id": {
    source: { pinned: "lib/data/api.ts:433", current: "lib/data/api.ts:560" },
    path: ({ space, document }) => `/spaces/${space}/documents/${document}`,
    status: 200,
    reads: ["object", "nodes"]
  },
  "the site with its structure and its customization": {
    recorded: "both",
    source: { pinned: "lib/data/api.ts:545", current: "lib/data/api.ts:674" },
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/published`,
    status: 200,
    reads: [
      "site.urls.published",
      "structure.type",
      "structure.structure.0.id",
      "customizations.site.styling",
      "scripts"
    ]
  },
  "a redirect": {
    source: { pinned: "lib/data/api.ts:587", current: "lib/data/api.ts:716" },
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/redirect?source=%2Fold`,
    status: 200,
    reads: ["target"]
  },
  "a redirect that does not exist": {
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:587", current: "lib/data/api.ts:716" },
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/redirect?source=%2Fnone`,
    status: 404
  },
  "an embed": {
    source: { pinned: "lib/data/api.ts:620", current: "lib/data/api.ts:749" },
    path: ({ space }) => `/spaces/${space}/embed?url=${encodeURIComponent("https://example.com/video")}`,
    status: 200,
    reads: ["title", "type"]
  },
  "a search of the whole site": search(() => ({ mode: "all" }), searchPlaces),
  "a search of a variant": {
    ...search(({ siteSpace }) => ({ mode: "current", siteSpaceId: siteSpace }), searchPlaces),
    recorded: "pinned"
  },
  "a search of some variants": search(
    ({ siteSpace }) => ({ mode: "specific", siteSpaceIds: [siteSpace] }),
    searchPlaces
  ),
  "a search of the variant that is displayed": search(
    ({ siteSpace }) => ({
      scope: { mode: "default", currentSiteSpace: siteSpace, restrictTo: "currentSiteSpace" }
    }),
    { current: searchPlaces.current }
  ),
  "a search of the other variants": {
    ...search(
      ({ siteSpace }) => ({
        scope: { mode: "default", currentSiteSpace: siteSpace, restrictTo: "otherSiteSpaces" }
      }),
      { current: searchPlaces.current }
    ),
    // The site has only one.
    reads: ["items"],
    omits: ["items.0"]
  },
  "a question": {
    source: {
      pinned: "components/Search/server-actions.tsx:132",
      current: "lib/ask.ts:34, components/Search/server-actions.tsx:66"
    },
    method: "POST",
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/ask?format=document`,
    body: ({ siteSpace }) => ({
      question: "How?",
      context: { siteSpaceId: siteSpace },
      scope: { mode: "default" }
    }),
    // Without a language model.
    status: 409
  },
  "recommended questions": {
    source: {
      pinned: "components/Search/server-actions.tsx:222",
      current: "components/Search/server-actions.tsx:166"
    },
    path: ({ organization, site, siteSpace }) =>
      `/orgs/${organization}/sites/${site}/ask/questions?siteSpaceId=${siteSpace}`,
    status: 409
  },
  "a page view": {
    source: { pinned: "lib/tracking.ts:52", current: "lib/tracking.ts:106" },
    method: "POST",
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/insights/events`,
    body: () => ({
      events: [{ type: "page_view", session: { sessionId: "1" }, location: { url: "https://x.example/" } }]
    }),
    status: 204
  },
  "the change request of a preview": {
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:255", current: "lib/data/api.ts:302" },
    path: ({ space, changeRequest }) => `/spaces/${space}/change-requests/${changeRequest}`,
    byUser: true,
    status: 200,
    reads: ["id", "number", "subject", "revision", "urls.app"]
  },
  "the revision of a preview": {
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:277", current: "lib/data/api.ts:325" },
    path: ({ space, changed }) => `/spaces/${space}/revisions/${changed}?metadata=true`,
    byUser: true,
    status: 200,
    reads: ["id", "pages.0.id"]
  },
  "the changes of a preview": {
    source: { current: "lib/data/api.ts:362" },
    path: ({ space, changeRequest }) => `/spaces/${space}/change-requests/${changeRequest}/changes?limit=100`,
    byUser: true,
    status: 200,
    reads: ["changes.0.type", "changes.0.page.id"]
  },
  "the changes of a revision": {
    source: { current: "lib/data/api.ts:392" },
    path: ({ space, changed }) =>
      `/spaces/${space}/revisions/${changed}/changes?computed=false&limit=100&metadata=false`,
    byUser: true,
    status: 200,
    reads: ["changes"]
  },
  "the links of a page for search engines": {
    recorded: "current",
    source: { current: "lib/data/api.ts:862" },
    path: ({ space, revision, page }) => `/spaces/${space}/revisions/${revision}/page/${page}/meta-links`,
    status: 200,
    reads: []
  },
  "a document that a block computes": {
    source: { pinned: "lib/data/api.ts:475", current: "lib/data/api.ts:602" },
    method: "POST",
    path: ({ space }) => `/spaces/${space}/content/computed/document`,
    body: () => ({
      source: {
        type: "builtin:openapi",
        props: { models: true },
        dependencies: { spec: { ref: { kind: "openapi", spec: "missing" } } }
      },
      seed: "1"
    }),
    // The spec does not exist.
    status: 404
  },
  "a spec that does not exist": {
    // officialRenderer.test.ts asserts that the specs of displayed blocks are found.
    source: { pinned: "lib/data/api.ts:511", current: "lib/data/api.ts:639" },
    path: ({ organization }) => `/orgs/${organization}/openapi/missing/versions/latest/content`,
    status: 404
  },
  "a block of an integration": {
    source: { pinned: "lib/data/api.ts:693", current: "lib/data/api.ts:833" },
    method: "POST",
    path: () => "/integrations/mermaid/render",
    body: () => ({ componentId: "mermaid", props: {}, context: {} }),
    // Lectern executes no code of integrations: see docs/contract.md.
    status: 404
  },
  "a message to the assistant": {
    source: {
      pinned: "components/AI/server-actions/chat.ts:43",
      current: "components/AI/server-actions/chat.ts:52"
    },
    method: "POST",
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/ai/response`,
    body: () => ({ input: [] }),
    status: 404
  },
  "a report of an agent": {
    source: { current: "app/sites/dynamic/[mode]/[siteURL]/[siteData]/~gitbook/mcp/handler.ts:450" },
    method: "POST",
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/agent-feedback`,
    body: () => ({ feedback: "Outdated." }),
    status: 404
  },
  "the author of a preview": {
    source: { pinned: "lib/data/api.ts:199", current: "lib/data/api.ts:246" },
    path: ({ user }) => `/users/${user}`,
    byUser: true,
    status: 200,
    reads: ["displayName"]
  },
  "a change request, by a visitor": {
    // lib/context.ts:398 at the pinned commit displays a page for 404, and an error for another status.
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:255", current: "lib/data/api.ts:302" },
    path: ({ space, changeRequest }) => `/spaces/${space}/change-requests/${changeRequest}`,
    status: 404
  },
  "a change request that does not exist, by a visitor": {
    source: { pinned: "lib/data/api.ts:255", current: "lib/data/api.ts:302" },
    path: ({ space }) => `/spaces/${space}/change-requests/none`,
    status: 404
  },
  "the revision of a change request, by a visitor": {
    recorded: "pinned",
    source: { pinned: "lib/data/api.ts:277", current: "lib/data/api.ts:325" },
    path: ({ space, changed }) => `/spaces/${space}/revisions/${changed}?metadata=true`,
    status: 404
  }
}

let server: TestServer
let scene: Scene
let tokens: { readonly visitor: string; readonly user: string }
let published: string
let post: <A>(path: string, body?: unknown) => Promise<A>
let call: ReturnType<typeof callerOf>

beforeAll(async () => {
  server = await startServer(await memory.make())
  const user = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  call = callerOf(server, token)
  post = async <A>(path: string, body: unknown = {}) => (await call<A>("", "POST", path, body)).value
  const { id: space } = await post<Space>(`/orgs/${organization}/spaces`, { title: "Guide" })
  await post(`/spaces/${space}/content`, {
    changes: [
      { operation: "insert_page", title: "Welcome", document: { markdown: "Welcome to the guide." } },
      { operation: "insert_page", type: "group", ref: "group", title: "Group" },
      { operation: "insert_page", into: "group", title: "Below", document: { markdown: "Below." } },
      { operation: "insert_reusable_content", title: "Note", document: { markdown: "A note." } }
    ]
  })
  const { id: site } = await post<Site>(`/orgs/${organization}/sites`, { title: "Docs", spaces: [space] })
  const at = `/orgs/${organization}/sites/${site}`
  const { urls } = await post<Site>(`${at}/publish`)
  published = urls.published!
  const { id: changeRequest } = await post<{ id: string }>(`/spaces/${space}/change-requests`, {
    subject: "Draft"
  })
  const edited = await post<{ revision: string }>(
    `/spaces/${space}/change-requests/${changeRequest}/content`,
    {
      changes: [{ operation: "insert_page", title: "New", document: { markdown: "New." } }]
    }
  )
  const { value: first } = await call<Revision>("", "GET", `/spaces/${space}/content`)
  // Visitors read the reusable contents that pages display.
  const included = `Welcome to the guide.\n\n{% include "/reusable-contents/${first.reusableContents[0]!.id}" %}`
  await post(`/spaces/${space}/content`, {
    changes: [{ operation: "update_page", page: first.pages[0]!.id, document: { markdown: included } }]
  })
  const { value: revision } = await call<Revision>("", "GET", `/spaces/${space}/content`)
  const page = revision.pages[0] as { readonly id: string; readonly documentId: string }
  const lookup = (await (
    await server.fetch("/v1/urls/published", {
      method: "POST",
      body: JSON.stringify({
        url: `${published}welcome`,
        visitor: { unsignedClaims: {} },
        redirectOnError: false
      })
    })
  ).json()) as PublishedSiteContent
  const destination = { kind: "site-space", siteSpaceId: lookup.siteSpace! }
  const redirect = await call("", "POST", `${at}/redirects`, { source: "/old", destination })
  expect(redirect.status).toBe(201)
  scene = {
    organization,
    site,
    space,
    user,
    changeRequest,
    siteSpace: lookup.siteSpace!,
    revision: revision.id,
    page: page.id,
    document: page.documentId,
    reusableContent: revision.reusableContents[0]!.id,
    changed: edited.revision
  }
  tokens = { visitor: lookup.apiToken, user: token }
  return server.close
})

const fieldOf = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], value)

const send = ({ method, path, body, byUser = false }: Call): Promise<Response> =>
  server.fetch(`/v1${path(scene)}`, {
    method: method ?? "GET",
    token: byUser ? tokens.user : tokens.visitor,
    ...(body === undefined ? {} : { body: JSON.stringify(body(scene)) })
  })

describe("the official renderer requests", () => {
  for (const [name, call] of Object.entries(calls)) {
    it(name, async () => {
      const response = await send(call)
      const text = await response.text()
      expect([response.status, response.status === call.status ? "" : text]).toEqual([call.status, ""])
      const value: unknown = text === "" ? undefined : JSON.parse(text)
      const missing = (call.reads ?? []).filter((field) => fieldOf(value, field) === undefined)
      expect(missing).toEqual([])
      expect((call.omits ?? []).filter((field) => fieldOf(value, field) !== undefined)).toEqual([])
    })
  }

  /** Resolves a URL as lib/data/lookup.ts:37 does. The token is a cookie of the visitor if errors lead to the backend. */
  const resolve = async (url: string, visitor: object = {}, redirectOnError = false, token?: string) => {
    const response = await server.fetch("/v1/urls/published", {
      method: "POST",
      ...(token === undefined ? {} : { token }),
      body: JSON.stringify({ url, visitor: { unsignedClaims: {}, ...visitor }, redirectOnError })
    })
    return {
      status: response.status,
      value: (await response.json()) as Partial<PublishedSiteContent> & { readonly redirect?: string }
    }
  }

  const statusWith = async (apiToken: string | undefined, path: string) =>
    (await server.fetch(`/v1${path}`, { token: apiToken! })).status

  const publishSite = async (fields: object) => {
    const { organization, space } = scene
    const { id } = await post<Site>(`/orgs/${organization}/sites`, { ...fields, spaces: [space] })
    await post(`/orgs/${organization}/sites/${id}/publish`)
    return id
  }

  it("a page of a share link, with its key in each request", async () => {
    // Recorded. The pinned commit sends the key with the space, the site and redirects (lib/data/api.ts:222, 545 and 587).
    const { organization, space, revision } = scene
    const site = await publishSite({ title: "Shared", visibility: "share-link" })
    const at = `/orgs/${organization}/sites/${site}`
    const { urls } = await post<{ urls: { published: string } }>(`${at}/share-links`, { name: "Partners" })
    const url = urls.published.replace(/\/$/, "")
    const { status, value } = await resolve(url)
    expect([status, value.site, value.pathname]).toEqual([200, site, ""])
    const key = url.split("/").at(-1)!
    expect(value.shareKey).toBe(key)
    for (const path of [
      `/spaces/${space}?shareKey=${key}`,
      `${at}/published?shareKey=${key}`,
      `/spaces/${space}/revisions/${revision}?metadata=true`
    ]) {
      expect([path, await statusWith(value.apiToken, path)]).toEqual([path, 200])
    }
    expect(await statusWith(value.apiToken, `${at}/redirect?shareKey=${key}&source=%2Fnone`)).toBe(404)
    expect((await resolve(url.replace(key, "wrong"))).status).toBe(404)
  })

  it("a page for a visitor with a token, and the URL of the backend without one", async () => {
    // Recorded. lib/visitors.ts:66: the token is in `jwt_token` of the URL, and then in a cookie.
    const { organization, space, revision } = scene
    const site = await publishSite({ title: "Private", visibility: "visitor-auth" })
    const auth = await call<{ privateKey: string }>(
      "",
      "PATCH",
      `/orgs/${organization}/sites/${site}/publishing/auth`,
      { fallbackURL: "https://example.com/login" }
    )
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const expires = Math.floor(Date.now() / 1_000) + 3_600
    const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ exp: expires, plan: "pro" })}`
    const jwtToken = `${signed}.${createHmac("sha256", auth.value.privateKey).update(signed).digest("base64url")}`
    const url = `${new URL(published).origin}/sites/${organization}/${site}`
    expect((await resolve(url)).value.redirect).toBe("https://example.com/login?location=%2F")
    expect((await resolve(url, { jwtToken: "bad" })).status).toBe(404)
    expect((await resolve(url, { jwtToken: "bad" }, true)).value.redirect).toMatch(
      /^https:\/\/example\.com\//
    )
    for (const redirectOnError of [false, true]) {
      const { status, value } = await resolve(url, { jwtToken }, redirectOnError)
      expect([status, value.site]).toEqual([200, site])
      for (const path of [
        `/spaces/${space}`,
        `/orgs/${organization}/sites/${site}/published`,
        `/spaces/${space}/revisions/${revision}?metadata=true`
      ]) {
        expect([path, await statusWith(value.apiToken, path)]).toEqual([path, 200])
      }
    }
  })

  const jsonOfToken = (token: string): unknown =>
    JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString())

  const markedOf = (token: string) => `preview.e30.${token}`

  describe("the preview of a site by its id, with the token of the URL", () => {
    // Recorded. middleware.ts:413 at the pinned commit: the lookup has the token, and later requests the one that it returns.
    const addSite = async (fields: object) =>
      (await post<Site>(`/orgs/${scene.organization}/sites`, { ...fields, spaces: [scene.space] })).id

    for (const fields of [{}, { visibility: "share-link" }, { visibility: "visitor-auth" }]) {
      for (const isPublished of [false, true]) {
        it(`displays a site to members: ${JSON.stringify({ ...fields, isPublished })}`, async () => {
          const { organization, space, revision, changeRequest, changed } = scene
          const site = await addSite({ title: "Draft", ...fields })
          const at = `/orgs/${organization}/sites/${site}`
          if (isPublished) await post(`${at}/publish`)
          const { status, value } = await resolve(
            `https://preview/${site}/group/below`,
            {},
            false,
            tokens.user
          )
          expect(status).toBe(200)
          expect(value).toMatchObject({
            site,
            space,
            pathname: "group/below",
            basePath: `/${site}/`,
            siteBasePath: `/${site}/`,
            canonicalUrl: `https://preview/${site}/group/below`
          })
          // app/utils.ts:34 decodes the token like a JWT.
          expect(jsonOfToken(value.apiToken!)).not.toHaveProperty("exp")
          for (const path of [
            `/spaces/${space}`,
            `${at}/published`,
            `/spaces/${space}/revisions/${revision}?metadata=true`,
            `/spaces/${space}/change-requests/${changeRequest}`,
            `/spaces/${space}/revisions/${changed}?metadata=true`
          ]) {
            expect([path, await statusWith(value.apiToken, path)]).toEqual([path, 200])
          }
          // Without the mark of the token, only what visitors see is served.
          const isPublic = isPublished && fields.visibility === undefined
          expect(await statusWith(tokens.user, `${at}/published`)).toBe(isPublic ? 200 : 404)
        })

        it(`hides a site from everyone else: ${JSON.stringify({ ...fields, isPublished })}`, async () => {
          const site = await addSite({ title: "Draft", ...fields })
          const at = `/orgs/${scene.organization}/sites/${site}`
          if (isPublished) await post(`${at}/publish`)
          const stranger = await server.tokenOf(await server.core.createUser(`${site}@example.com`))
          for (const token of [undefined, tokens.visitor, stranger]) {
            const { status } = await resolve(`https://preview/${site}/`, {}, false, token)
            expect([token, status]).toEqual([token, 404])
          }
          // The mark adds no rights: the token of a stranger stays that of a stranger.
          const isPublic = isPublished && fields.visibility === undefined
          expect(await statusWith(markedOf(stranger), `${at}/published`)).toBe(isPublic ? 200 : 404)
          expect(await statusWith(markedOf(stranger), `/spaces/${scene.space}`)).toBe(404)
          expect(await statusWith(markedOf(markedOf(stranger)), `${at}/published`)).toBe(401)
          expect(await statusWith("preview.wrong", `${at}/published`)).toBe(401)
          expect(await statusWith(markedOf("wrong"), `${at}/published`)).toBe(401)
        })
      }
    }

    it("displays the published site to a visitor with the token of a lookup", async () => {
      const { site } = scene
      const { status, value } = await resolve(`https://preview/${site}/`, {}, false, tokens.visitor)
      expect([status, value.site, value.apiToken]).toEqual([200, site, tokens.visitor])
      expect(value.canonicalUrl).toBe(`https://preview/${site}/`)
    })

    it("finds nothing without the id of a site", async () => {
      for (const url of ["https://preview/", "https://preview/none/", "https://preview/%ff"]) {
        expect((await resolve(url, {}, false, tokens.user)).status).toBe(404)
      }
    })
  })

  it("shorter alternatives of a URL, of which only that of the site is found", async () => {
    // Recorded. lib/data/urls.ts:24, lib/data/lookup.ts:37: the host, and one to four segments, in parallel.
    const segments = new URL(`${published}group/below`).pathname.slice(1).split("/")
    const alternatives = [0, 1, 2, 3, 4].map(
      (count) => `${new URL(published).origin}/${segments.slice(0, count).join("/")}`
    )
    const found = await Promise.all(
      alternatives.map(async (url) => {
        const response = await server.fetch("/v1/urls/published", {
          method: "POST",
          // The current commit states the type of the visitor.
          body: JSON.stringify({
            url,
            visitor: { unsignedClaims: {}, type: "human" },
            redirectOnError: false
          })
        })
        const value = (await response.json()) as Partial<PublishedSiteContent>
        return [response.status, value.pathname]
      })
    )
    expect(found).toEqual([
      [404, undefined],
      [404, undefined],
      [404, undefined],
      [200, ""],
      [200, "group"]
    ])
  })
})
