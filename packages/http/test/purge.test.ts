/** Purging removes all rows of a space, and none of another one. */
import { blobs, Content, type EditedContent, type Space, spaces, type Table, tables } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { call as send } from "./caller.ts"
import { ruleStores, type stores } from "./stores.ts"
import { startServer, startServerOn } from "./support.ts"

const week = 7 * 24 * 60 * 60 * 1000

/** Tables whose rows several spaces share. Events and audit records remain until their own retention ends. */
const sharedTables = new Set(["blobs", "secrets", "events", "outboxEvents", "auditRecords"])

/** Starts a server with a published site; returns functions that read stored and published data. */
const startWithSite = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const run = server.core.runtime.runPromise
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const call = async <A>(method: string, path: string, body: unknown = {}): Promise<A> => {
    const init = method === "GET" ? {} : { body: JSON.stringify(body) }
    const response = await server.fetch(`/v1${path}`, { method, token, ...init })
    const text = await response.text()
    expect([path, response.status < 300 ? "" : text]).toEqual([path, ""])
    return (text === "" ? undefined : JSON.parse(text)) as A
  }
  const site = await call<{ id: string }>("POST", `/orgs/${organization}/sites`, { title: "Docs" })
  await call("POST", `/orgs/${organization}/sites/${site.id}/publish`)

  /** Creates a space on the site with all kinds of content. One page is the same in all spaces, the other is `own`. */
  const createFullSpace = async (own: string) => {
    const { id } = await call<Space>("POST", `/orgs/${organization}/spaces`)
    const at = `/spaces/${id}`
    const insert = (markdown: string) => ({ operation: "insert_page", document: { markdown } })
    const file = { name: "a.txt", contentType: "text/plain", base64: "aGk=" }
    await call<EditedContent>("POST", `${at}/content`, {
      changes: [insert("# Same\n\nText."), insert(own), { operation: "insert_files", files: [file] }]
    })
    await call("POST", `${at}/change-requests`)
    await call("POST", `${at}/change-requests/1/content`, { changes: [insert("# More")] })
    await call("POST", `${at}/content`, { changes: [insert("# Meanwhile")] })
    await call("POST", `${at}/change-requests/1/update`)
    for (const subject of [at, `${at}/change-requests/1`]) {
      const comment = await call<{ id: string }>("POST", `${subject}/comments`, { body: { markdown: "Hm" } })
      await call("PUT", `${subject}/comments/${comment.id}`, { addedReactions: ["👍"] })
      await call("POST", `${subject}/comments/${comment.id}/replies`, { body: { markdown: "Ah" } })
    }
    await call("POST", `${at}/change-requests/1/merge`)
    await call("POST", `${at}/permissions`, { users: [ada], role: "edit" })
    await call("POST", `/orgs/${organization}/sites/${site.id}/site-spaces`, { spaceId: id })
    return at
  }

  return {
    server,
    call,
    createFullSpace,
    /** The rows of each table, except shared tables and API tokens, which each request updates. */
    rows: () =>
      run(
        Effect.flatMap(allRecords, (records) =>
          Effect.forEach(
            tables.filter(({ name }) => !sharedTables.has(name) && name !== "apiTokens"),
            (table: Table.AnyTable) =>
              Effect.map(records.find(table, {}), (found) => [table.name, found] as const)
          )
        )
      ),
    /** The content of a space as readers see it. */
    contentOf: async (at: string) => [
      await call("GET", `${at}/content`),
      await call("GET", `${at}/comments`),
      await call("GET", `${at}/content/path/same?format=markdown`)
    ],
    publishedSite: () => call("GET", `/orgs/${organization}/sites/${site.id}/published`),
    /** Garbage-collects blobs; returns the number of removed blobs. */
    sweep: () =>
      run(
        Effect.provideService(
          Effect.flatMap(Content, (content) => content.sweep),
          Clock.Clock,
          server.core.clock
        )
      ),
    blobHashes: () =>
      run(
        Effect.flatMap(allRecords, (records) =>
          Effect.map(records.find(blobs, { select: ["hash"] }), (all) => all.map(({ hash }) => hash))
        )
      )
  }
}

describe("purging a space", () => {
  for (const store of ruleStores) {
    it(`removes all of its rows and no others, on ${store.name}`, async () => {
      const { server, call, createFullSpace, rows, contentOf, publishedSite } = await startWithSite(store)
      const other = await createFullSpace("# One")
      await server.core.advance(week)
      const [before, content, published] = [await rows(), await contentOf(other), await publishedSite()]
      const purged = await createFullSpace("# Another")
      await call("DELETE", purged)
      await server.core.advance(week)
      expect(await server.core.purge()).toBe(1)
      expect(await rows()).toEqual(before)
      expect(await contentOf(other)).toEqual(content)
      expect(await publishedSite()).toEqual(published)
    })

    it(`leaves its blobs to the next garbage collection, which removes only blobs that no other space uses, on ${store.name}`, async () => {
      const { server, call, createFullSpace, contentOf, sweep, blobHashes } = await startWithSite(store)
      const other = await createFullSpace("# One")
      await server.core.advance(week)
      await sweep()
      const [content, hashes] = [await contentOf(other), await blobHashes()]
      const purged = await createFullSpace("# Another")
      expect((await blobHashes()).length).toBeGreaterThan(hashes.length)
      await call("DELETE", purged)
      await server.core.advance(week)
      expect(await sweep()).toBe(0)
      expect(await server.core.purge()).toBe(1)
      expect(await sweep()).toBeGreaterThan(0)
      expect(await blobHashes()).toEqual(hashes)
      expect(await sweep()).toBe(0)
      expect(await contentOf(other)).toEqual(content)
    })

    it(`retains blobs that another space has stored since, on ${store.name}`, async () => {
      const { server, call, createFullSpace, contentOf, sweep } = await startWithSite(store)
      const other = await createFullSpace("# One")
      const content = await contentOf(other)
      await call("DELETE", await createFullSpace("# Another"))
      await server.core.advance(week)
      expect(await server.core.purge()).toBe(1)
      const recreated = await createFullSpace("# Another")
      const recreatedContent = await contentOf(recreated)
      await sweep()
      expect(await contentOf(other)).toEqual(content)
      expect(await contentOf(recreated)).toEqual(recreatedContent)
    })
  }
})

describe("a space that is purged and restored concurrently exists completely or not at all", () => {
  for (const { name, make } of ruleStores) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const ada = await server.core.createUser("ada@example.com")
        const organization = await server.core.createOrganization("Acme", ada)
        const token = await server.tokenOf(ada)
        const call = (method: string, path: string, body?: unknown) =>
          // biome-ignore lint/suspicious/noExplicitAny: the test only reads fields of the response
          send<any>(server, token, method, path, body)
        const changes = [{ operation: "insert_page", document: { markdown: "# Page" } }]
        for (let round = 0; round < 24; round++) {
          const { value: space } = await call("POST", `/orgs/${organization}/spaces`, {})
          const at = `/spaces/${space.id}`
          await call("POST", `${at}/content`, { changes })
          await call("DELETE", at)
          const isExpired = round % 2 === 0
          await server.core.advance(isExpired ? week : week - 1)
          const restore = () => call("POST", `${at}/restore`)
          const all = round % 4 < 2 ? [restore, server.core.purge] : [server.core.purge, restore]
          await Promise.all([...all, restore, server.core.purge].map((one) => one()))
          const after = await call("GET", `${at}/content/path/page?format=markdown`)
          expect([round, after.status]).toEqual([round, isExpired ? 404 : 200])
          if (!isExpired) await call("DELETE", at)
          const left = await server.core.runtime.runPromise(
            Effect.flatMap(allRecords, (records) => records.get(spaces, { id: space.id }))
          )
          expect([round, left === undefined]).toEqual([round, isExpired])
        }
      } finally {
        await server.close()
      }
    })
  }
})
