// cspell:ignore Fnone Fold
/**
 * Requests of the official renderer (GitBook Open), with their paths and parameters, at the commit that pins version 0.143.2 of the contract
 * (0ae7cfd79) and at a later one (49c993f18, which pins 0.195.0). The requests for pages, sections, missing pages and Markdown were recorded at the first
 * commit. The requests of search, questions, PDF, share links, visitors, page views and previews, and all of the later commit, were read from its source: see
 * docs/decisions/0143-recorded-requests-of-the-renderer.md. `source` is the place of the call below `packages/gitbook/src`. The token is the one that the renderer has received for the URL of a
 * page.
 */
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
  readonly method?: "POST"
  readonly path: (scene: Scene) => string
  readonly body?: (scene: Scene) => unknown
  /** Whether the renderer sends the token of a user, as in previews. */
  readonly byUser?: boolean
  /** The status. The renderer treats 404 as the absence of something, and other errors as its own. */
  readonly status: number
  /** The fields that the renderer reads. */
  readonly reads?: ReadonlyArray<string>
}

const search = (scope: (scene: Scene) => object) => ({
  source: { pinned: "lib/data/api.ts:656", current: "lib/data/api.ts:786" },
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
    source: { pinned: "lib/data/api.ts:222", current: "lib/data/api.ts:269" },
    path: ({ space }) => `/spaces/${space}`,
    status: 200,
    reads: ["id", "title", "organization", "revision", "urls.app"]
  },
  "the revision with its pages and files": {
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
    source: { pinned: "lib/data/api.ts:342" },
    path: ({ space, revision, page }) =>
      `/spaces/${space}/revisions/${revision}/page/${page}/document?evaluated=deterministic-only`,
    status: 200,
    reads: ["object", "nodes.0.object"]
  },
  "the document of a page with its reusable contents": {
    source: { current: "lib/data/api.ts:468" },
    path: ({ space, revision, page }) =>
      `/spaces/${space}/revisions/${revision}/page/${page}/document?evaluated=deterministic-only&dereferenced=reusable-contents`,
    status: 200,
    reads: ["object", "nodes.0.object"]
  },
  "the Markdown of a page": {
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
    // The path is encoded once: its slashes are not separators.
    source: { pinned: "lib/data/api.ts:409", current: "lib/data/api.ts:536" },
    path: ({ space, revision }) =>
      `/spaces/${space}/revisions/${revision}/path/${encodeURIComponent("group/below")}`,
    status: 200,
    reads: ["id", "path"]
  },
  "a page that does not exist, by its path": {
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
  "a search of the whole site": search(() => ({ mode: "all" })),
  "a search of a variant": search(({ siteSpace }) => ({ mode: "current", siteSpaceId: siteSpace })),
  "a search of some variants": search(({ siteSpace }) => ({ mode: "specific", siteSpaceIds: [siteSpace] })),
  "a question": {
    source: { pinned: "components/Search/server-actions.tsx:132", current: "lib/ask.ts:34" },
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
    source: { pinned: "lib/tracking.ts:106", current: "lib/tracking.ts:106" },
    method: "POST",
    path: ({ organization, site }) => `/orgs/${organization}/sites/${site}/insights/events`,
    body: () => ({
      events: [{ type: "page_view", session: { sessionId: "1" }, location: { url: "https://x.example/" } }]
    }),
    status: 204
  },
  "the change request of a preview": {
    source: { pinned: "lib/data/api.ts:255", current: "lib/data/api.ts:302" },
    path: ({ space, changeRequest }) => `/spaces/${space}/change-requests/${changeRequest}`,
    byUser: true,
    status: 200,
    reads: ["id", "number", "subject", "revision", "urls.app"]
  },
  "the revision of a preview": {
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
  "the author of a preview": {
    source: { pinned: "lib/data/api.ts:199", current: "lib/data/api.ts:246" },
    path: ({ user }) => `/users/${user}`,
    byUser: true,
    status: 200,
    reads: ["displayName"]
  },
  "a change request, by a visitor": {
    source: { pinned: "lib/data/api.ts:255", current: "lib/data/api.ts:302" },
    path: ({ space, changeRequest }) => `/spaces/${space}/change-requests/${changeRequest}`,
    status: 401
  }
}

let server: TestServer
let scene: Scene
let tokens: { readonly visitor: string; readonly user: string }
let published: string

beforeAll(async () => {
  server = await startServer(await memory.make())
  const user = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const call = callerOf(server, token)
  const post = async <A>(path: string, body: unknown = {}) => (await call<A>("", "POST", path, body)).value
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
    })
  }

  it("shorter alternatives of a URL, of which only that of the site is found", async () => {
    // lib/data/urls.ts:24, lib/data/lookup.ts:37: the host, and one to four segments, in parallel.
    const segments = new URL(`${published}group/below`).pathname.slice(1).split("/")
    const alternatives = [0, 1, 2, 3, 4].map(
      (count) => `${new URL(published).origin}/${segments.slice(0, count).join("/")}`
    )
    const found = await Promise.all(
      alternatives.map(async (url) => {
        const response = await server.fetch("/v1/urls/published", {
          method: "POST",
          body: JSON.stringify({ url, visitor: { unsignedClaims: {} }, redirectOnError: false })
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
