/** What is left of a space once it is removed for good: nothing, in any table, and everything of all others. */
import {
  blobs,
  Content,
  type EditedContent,
  Records,
  type Space,
  spaces,
  type Table,
  tables
} from "@lectern/core"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { call as send } from "./caller.ts"
import { memory, stores } from "./stores.ts"
import { startServer } from "./support.ts"

const week = 7 * 24 * 60 * 60 * 1000

/** What is shared, and is found by its hash or its name. */
const shared = new Set(["blobs", "secrets"])

describe("of a purged space nothing is left, and of others everything", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      try {
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
        /** A space with some of everything, of which the content of two is partly the same. */
        const fill = async (own: string) => {
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
            const comment = await call<{ id: string }>("POST", `${subject}/comments`, {
              body: { markdown: "Hm" }
            })
            await call("PUT", `${subject}/comments/${comment.id}`, { addedReactions: ["👍"] })
            await call("POST", `${subject}/comments/${comment.id}/replies`, { body: { markdown: "Ah" } })
          }
          await call("POST", `${at}/change-requests/1/merge`)
          await call("POST", `${at}/permissions`, { users: [ada], role: "edit" })
          await call("POST", `/orgs/${organization}/sites/${site.id}/site-spaces`, { spaceId: id })
          return at
        }
        const kept = await fill("# One")
        const rows = () =>
          server.core.runtime.runPromise(
            Effect.flatMap(Records, (records) =>
              Effect.forEach(
                tables.filter((table) => !shared.has(table.name)),
                (table: Table.AnyTable) =>
                  Effect.map(records.find(table, {}), (found) => [table.name, found] as const)
              )
            )
          )
        const shown = async () => [
          await call("GET", `${kept}/content`),
          await call("GET", `${kept}/comments`),
          await call("GET", `${kept}/content/path/same?format=markdown`),
          await call("GET", `/orgs/${organization}/sites/${site.id}/published`)
        ]
        const sweep = () =>
          server.core.runtime.runPromise(
            Effect.provideService(
              Effect.flatMap(Content, (content) => content.sweep),
              Clock.Clock,
              server.core.clock
            )
          )
        /** The hashes of all bytes. */
        const stored = async () =>
          server.core.runtime.runPromise(
            Effect.flatMap(Records, (records) =>
              Effect.map(records.find(blobs, { select: ["hash"] }), (all) => all.map(({ hash }) => hash))
            )
          )
        await server.core.advance(week)
        await sweep()
        const [before, seen, bytes] = [await rows(), await shown(), await stored()]
        const gone = await fill("# Another")
        expect((await stored()).length).toBeGreaterThan(bytes.length)
        await call("DELETE", gone)
        await server.core.advance(week)
        expect(await sweep()).toBe(0)
        expect(await server.core.purge()).toBe(1)
        // Tokens are looked at when they are used.
        const without = (all: typeof before) => all.filter(([table]) => table !== "apiTokens")
        expect(without(await rows())).toEqual(without(before))
        expect(await sweep()).toBeGreaterThan(0)
        expect(await stored()).toEqual(bytes)
        expect(await sweep()).toBe(0)
        expect(await shown()).toEqual(seen)
        // What is put again stays for another day, though nothing reaches it yet.
        const others = await fill("# Another")
        await call("DELETE", others)
        await server.core.advance(week)
        expect(await server.core.purge()).toBe(1)
        await fill("# Another")
        await sweep()
        // That one is on the site now.
        expect((await shown()).slice(0, 3)).toEqual(seen.slice(0, 3))
      } finally {
        await server.close()
      }
    })
  }
})

describe("a space that is purged and restored at once is there whole, or not at all", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const ada = await server.core.createUser("ada@example.com")
        const organization = await server.core.createOrganization("Acme", ada)
        const token = await server.tokenOf(ada)
        const call = (method: string, path: string, body?: unknown) =>
          // biome-ignore lint/suspicious/noExplicitAny: what comes is only looked at
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
            Effect.flatMap(Records, (records) => records.get(spaces, { id: space.id }))
          )
          expect([round, left === undefined]).toEqual([round, isExpired])
        }
      } finally {
        await server.close()
      }
    })
  }
})
