/** Responses that shared caches may store, and purges. */
import { Fetcher, type FetchRequest } from "@lectern/core"
import { purgeEdge } from "@lectern/http/server"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

const edge = { maxAgeSeconds: 60, staleSeconds: 30 }

let server: PageServer

beforeAll(async () => {
  server = await startPageServer({ edge })
})
afterAll(() => server.close())

/** A published space with a page and a file. */
const openSite = async (visibility: "public" | "unlisted" | "share-link" | "visitor-auth") => {
  const as = server.workspace.as(server.user)
  const { organization } = server
  const { id: space } = await as.spaces.create({ organization, input: { title: "Guide" } })
  const edit = (...changes: Parameters<typeof as.content.edit>[0]["input"]["changes"]) =>
    as.content.edit({ content: { space }, input: { changes } })
  const base64 = Buffer.from("Text").toString("base64")
  await edit(
    { operation: "insert_page", title: "Install", document: { markdown: "Text.\n" } },
    { operation: "insert_files", files: [{ ref: "f", name: "notes.txt", contentType: "text/plain", base64 }] }
  )
  const [file] = (await as.content.listFiles({ content: { space } })).items
  const [page] = (await as.content.listPages({ content: { space } })).pages
  const markdown = `[Notes](/files/${file!.id})\n\n{% updates format="full" %}\n{% update date="2026-01-02" %}\n## One\n{% endupdate %}\n{% endupdates %}\n`
  await edit({ operation: "update_page", page: page!.id, document: { markdown } })
  const { id: site } = await as.sites.create({
    organization,
    input: { title: "Site", visibility, spaces: [space] }
  })
  const link =
    visibility === "share-link"
      ? await as.shareLinks.create({ organization, site, input: { name: "Readers" } })
      : undefined
  const published = await as.sites.publish({ organization, site })
  const opened = link && (await as.shareLinks.list({ organization, site })).items[0]
  const { urls } = opened ?? published
  return { as, organization, space, site, page: page!.id, edit, root: urls.published ?? "" }
}

const cachingOf = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers, redirect: "manual" })
  await response.arrayBuffer()
  const named = (name: string) => response.headers.get(name)
  return {
    status: response.status,
    caching: named("cache-control")!,
    keys: named("surrogate-key")?.split(" ") ?? [],
    tags: named("cache-tag")?.split(",") ?? [],
    etag: named("etag")!
  }
}

const filesOfSite = [
  "",
  "robots.txt",
  "sitemap.xml",
  "llms.txt",
  "llms-full.txt",
  "rss.xml",
  "atom.xml",
  "install.md"
]

const fileUrlOf = async (root: string): Promise<string> => {
  const html = await (await fetch(root)).text()
  const url = /"([^"]*\/files\/[^"]+)"/.exec(html)![1]!.replaceAll("&amp;", "&")
  return new URL(url, root).href
}

describe("a site", () => {
  it.each(["public", "unlisted"] as const)(
    "that is %s has responses which shared caches store with keys",
    async (visibility) => {
      const { root, organization, site, space } = await openSite(visibility)
      for (const path of filesOfSite) {
        const { status, caching, keys, tags, etag } = await cachingOf(`${root}${path}`)
        expect([path, status, caching]).toEqual([
          path,
          200,
          "public, max-age=0, s-maxage=60, stale-while-revalidate=30"
        ])
        expect(keys).toEqual(
          expect.arrayContaining([
            "lectern",
            `organization:${organization}`,
            `site:${site}`,
            `space:${space}`
          ])
        )
        expect(tags).toEqual(keys)
        const unchanged = await cachingOf(`${root}${path}`, { "if-none-match": etag })
        expect([unchanged.status, unchanged.caching, unchanged.keys]).toEqual([304, caching, keys])
      }
      const file = await cachingOf(await fileUrlOf(root))
      expect(file.caching).toBe("public, max-age=31536000, immutable, s-maxage=60, stale-while-revalidate=30")
      expect(file.keys).toEqual(expect.arrayContaining(["lectern", `site:${site}`, `space:${space}`]))
    }
  )

  it("with an audience has responses and files that only browsers store", async () => {
    const { root } = await openSite("share-link")
    for (const path of filesOfSite) {
      const { status, caching, keys } = await cachingOf(`${root}${path}`)
      expect([path, status, caching, keys]).toEqual([path, 200, "private, no-cache", []])
    }
    const file = await cachingOf(await fileUrlOf(root))
    expect([file.caching, file.keys]).toEqual(["private, max-age=31536000, immutable", []])
  })

  it("whose content depends on the visitor is revalidated by every cache", async () => {
    const { as, organization, site, root } = await openSite("public")
    await as.sites.update({ organization, site, input: { adaptiveContent: { enabled: true } } })
    expect((await cachingOf(root)).caching).toBe("public, no-cache")
    expect((await cachingOf(root, { cookie: "lectern-visitor=token" })).caching).not.toContain("public")
  })

  it("has no stored errors, redirects, searches and visits with a token", async () => {
    const { root } = await openSite("public")
    for (const path of ["missing", "Install", "~/search?q=text", "?jwt_token=token"]) {
      const { caching, keys } = await cachingOf(`${root}${path}`)
      expect([path, caching.includes("s-maxage"), keys]).toEqual([path, false, []])
    }
  })
})

/** Runs the purges with a clock of the test, and returns the requests. `statuses` are the statuses of the first responses. */
const purging = async (
  statuses: Array<number>,
  use: (
    received: Array<FetchRequest>,
    wait: (seconds: number) => Effect.Effect<void>
  ) => Effect.Effect<void, unknown>
): Promise<void> => {
  const received: Array<FetchRequest> = []
  const receiver = { url: "https://edge.example.com/purge", token: Redacted.make("secret") }
  const wait = (seconds: number) =>
    Effect.gen(function* () {
      for (let second = 0; second < seconds; second++) {
        yield* TestClock.adjust("1 second")
        // The reading of the store takes several ticks of the event loop.
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
      }
    })
  await server.workspace.runtime.runPromise(
    Effect.gen(function* () {
      const loop = yield* Effect.forkChild(purgeEdge(receiver))
      yield* wait(1)
      yield* use(received, wait)
      yield* Fiber.interrupt(loop)
    }).pipe(
      Effect.provideService(Fetcher, (request) => {
        received.push(request)
        const body = new Uint8Array()
        return Effect.succeed({ url: request.url, status: statuses.shift() ?? 204, contentType: "", body })
      }),
      Effect.provide(TestClock.layer())
    )
  )
}

const keysOf = (requests: ReadonlyArray<FetchRequest>): ReadonlyArray<ReadonlyArray<string>> =>
  requests.map(({ post }) => JSON.parse(new TextDecoder().decode(post!.body)).keys)

describe("a purge", () => {
  it("is of everything first, then of the changes of each commit, and is repeated once", async () => {
    const { edit, page, space, site } = await openSite("public")
    await purging([], (received, wait) =>
      Effect.gen(function* () {
        expect(keysOf(received)).toEqual([["lectern"]])
        expect(received[0]!.post!.headers).toMatchObject({ authorization: "Bearer secret" })
        yield* Effect.promise(() => edit({ operation: "update_page", page, title: "Other" }))
        yield* wait(2)
        const [, changed] = keysOf(received)
        expect(changed).toContain(`space:${space}`)
        expect(changed).not.toContain(`site:${site}`)
        yield* wait(15)
        expect(keysOf(received).slice(2).flat().sort()).toEqual(["lectern", ...changed!].sort())
        yield* wait(15)
        expect(keysOf(received).flat()).toHaveLength(2 * (1 + changed!.length))
      })
    )
  })

  it("that fails is sent again, later and later, and loses no key", async () => {
    const { edit, page, space } = await openSite("public")
    await purging([500, 500, 204], (received, wait) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => edit({ operation: "update_page", page, title: "Other" }))
        yield* wait(3)
        expect(keysOf(received)).toHaveLength(2)
        yield* wait(5)
        expect(keysOf(received)[2]).toEqual(expect.arrayContaining(["lectern", `space:${space}`]))
      })
    )
  })
})
