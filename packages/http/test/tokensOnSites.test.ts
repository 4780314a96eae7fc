/** Callers with a token see at least what clients without one see of published sites. */
import type { PublishedSite, ShareLink, Site, Space, UserId } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

type Found = { readonly items: ReadonlyArray<{ readonly pages: ReadonlyArray<{ readonly title: string }> }> }

/** Publishes a site with a space that only its administrator can read otherwise, and returns tokens of other callers. */
const startSite = async () => {
  const server = await startServerOn(memory)
  const { core } = server
  const admin = await core.createUser("admin@example.com")
  const organization = await core.createOrganization("Acme", admin)
  const adminToken = await server.tokenOf(admin)
  const call = callerOf(server, adminToken)
  const send = async <A>(method: string, path: string, body: unknown = {}) => {
    const { value, isOk, text } = await call<A>("", method, path, body)
    if (!isOk) throw new Error(`${method} ${path}: ${text}`)
    return value
  }
  const space = await send<Space>("POST", `/orgs/${organization}/spaces`, { title: "Guide" })
  await send("PATCH", `/spaces/${space.id}`, { defaultLevel: null })
  const page = { operation: "insert_page", title: "Install", document: { markdown: "Install the tool." } }
  await send("POST", `/spaces/${space.id}/content`, { changes: [page] })
  const site = await send<Site>("POST", `/orgs/${organization}/sites`, { title: "Docs", spaces: [space.id] })
  const at = `/orgs/${organization}/sites/${site.id}`
  const { value: current } = await call<{ pages: ReadonlyArray<{ id: string }> }>(
    "",
    "GET",
    `/spaces/${space.id}/content`
  )
  const moved = { operation: "update_page", page: current.pages[0]!.id, slug: "setup" }
  await send("POST", `/spaces/${space.id}/content`, { changes: [moved] })
  await send("POST", `${at}/publish`)

  const invite = async (email: string, role: string | null) => {
    const invites = `/orgs/${organization}/invites`
    const { users } = await send<{ users: ReadonlyArray<UserId> }>("POST", invites, { emails: [email], role })
    return server.tokenOf(users[0]!)
  }
  const outsider = await core.createUser("outsider@example.com")
  await core.createOrganization("Other", outsider)
  const limited = async (input: object) =>
    (await send<{ token: string }>("POST", "/user/tokens", { label: "Limited", ...input })).token
  const otherSite = await send<Site>("POST", `/orgs/${organization}/sites`, { title: "Other docs" })
  const tokens: Readonly<Record<string, string>> = {
    administrator: adminToken,
    "member who cannot read the space": await invite("reader@example.com", "read"),
    guest: await invite("guest@example.com", null),
    "user of another organization": await server.tokenOf(outsider),
    "read-only token": await limited({ readOnly: true }),
    "token with one permission": await limited({ permissions: ["space.edit"] }),
    "token of another site": await limited({ organization, site: otherSite.id })
  }
  return { server, send, at, tokens }
}

const operations = {
  site: { method: "GET", path: (key: string) => `/published${key}` },
  redirect: { method: "GET", path: (key: string) => `/redirect?source=%2Finstall${key.replace("?", "&")}` },
  search: { method: "POST", path: () => "/search", body: { query: "install", scope: { mode: "all" } } }
}

describe("a published site", () => {
  it("a valid token never hides what everyone sees of a published site", async () => {
    const { server, send, at, tokens } = await startSite()
    const read = async (token: string | undefined, key: string) => {
      const results: Record<string, unknown> = {}
      for (const [name, { method, path, ...rest }] of Object.entries(operations)) {
        const body = "body" in rest ? { body: JSON.stringify(rest.body) } : {}
        const response = await server.fetch(`/v1${at}${path(key)}`, {
          method,
          headers: { "content-type": "application/json" },
          ...body,
          ...(token === undefined ? {} : { token })
        })
        const value = await response.json()
        results[name] =
          response.status !== 200
            ? response.status
            : name === "site"
              ? (value as PublishedSite).structure.structure.length
              : name === "redirect"
                ? (value as { readonly target: string }).target
                : (value as Found).items.flatMap(({ pages }) => pages.map(({ title }) => title))
      }
      return results
    }
    const link = await send<ShareLink>("POST", `${at}/share-links`, { name: "Link" })
    const key = new URL(link.urls.published).pathname.split("/").at(-2)!
    const cases = [
      ["public", [""]],
      ["unlisted", [""]],
      ["share-link", ["", `?shareKey=${key}`, "?shareKey=wrong"]]
    ] as const
    for (const [visibility, keys] of cases) {
      await send("PATCH", at, { visibility })
      for (const shareKey of keys) {
        const seen = await read(undefined, shareKey)
        if (visibility === "public" && shareKey === "")
          expect(seen).toMatchObject({ site: 1, redirect: expect.any(String), search: ["Install"] })
        for (const [caller, token] of Object.entries(tokens)) {
          const own = await read(token, shareKey)
          for (const [name, expected] of Object.entries(seen))
            if (typeof expected !== "number" || expected < 400)
              expect([visibility, shareKey, caller, name, own[name]]).toEqual([
                visibility,
                shareKey,
                caller,
                name,
                expected
              ])
        }
      }
    }
    // Unpublished content stays hidden.
    await send("POST", `${at}/unpublish`)
    const hidden = await read(tokens["user of another organization"], "")
    expect(hidden).toEqual({ site: 404, redirect: 404, search: 404 })
  })
})
