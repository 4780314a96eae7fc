/**
 * The procedure of an upgrade without downtime, as the documentation describes it: servers of an earlier schema are
 * replaced by servers of the current one, on one PostgreSQL database, while clients write. No request is lost.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { createTestDatabase } from "@lectern/harness/postgres"
import { migrations } from "@lectern/storage-sql"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { adminToken, runCommand, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { extractVersion, hasCommitOf, previousSchema, startPreviousServer } from "./support/previousServer.ts"
import { makeRetryingProxy } from "./support/retryingProxy.ts"

/** The number of clients that send requests concurrently. */
const clientCount = 4

/** How many of the pages that a new server has written are read from an old server. */
const readsOfOldServer = 20

/** The timeout of the test, in milliseconds: far longer than it takes on a busy machine. */
const timeout = 600_000

/** How many times a client replaces the text of each page, so that its versions could be stored as differences. */
const editsPerPage = 3

/** An acknowledged space with a page. */
interface Acknowledged {
  readonly id: string
  readonly title: string
  readonly server: string
  readonly page: string
  readonly markdown: string
}

/** The schemas that servers are replaced from. Schema 20 is the last one that had only plain page bodies. */
const cases = [
  { schema: previousSchema, compression: "on" },
  { schema: previousSchema, compression: "off" },
  { schema: 20, compression: "off" }
]

/** Returns Markdown of several kilobytes, most of which is the same in each version. */
const textOf = (title: string, version: number): string =>
  `${"A sentence that every version has. ".repeat(60)}\n\nVersion ${version} of ${title}.`

it("the previous schema is the one before the current schema", () => {
  expect(previousSchema).toBe(migrations.length - 1)
})

describe.each(cases)(
  "a rolling upgrade from schema $schema, with --blob-compression $compression",
  ({ schema, compression }) => {
    it.skipIf(!hasCommitOf(schema))(
      "loses no request and no acknowledged write, and the old servers read the pages of the new ones",
      { timeout },
      async () => {
        const folder = temporaryFolder()
        extractVersion(schema, folder)
        const database = await createTestDatabase(inject("postgres"))
        const env = {
          LECTERN_LOG_LEVEL: "error",
          LECTERN_DATABASE_URL: database,
          LECTERN_ADMIN_TOKEN: adminToken,
          LECTERN_RATE_LIMITS: "off",
          LECTERN_DRAIN_DELAY: "1"
        }
        const proxy = makeRetryingProxy()
        onTestFinished(() => proxy.close())
        // The first server creates the organization.
        const old = [await startPreviousServer(folder, env)]
        old.push(await startPreviousServer(folder, env))
        for (const { url } of old) proxy.add(url)
        for (const { url } of old) await proxy.untilReady(url)

        const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" }
        const send = (method: string, path: string, body?: unknown) =>
          proxy.send(`/v1${path}`, {
            method,
            headers,
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
        const { items } = JSON.parse((await send("GET", "/orgs")).body) as {
          readonly items: ReadonlyArray<{ readonly id: string }>
        }
        const spaces = `/orgs/${items[0]!.id}/spaces`

        const acknowledged: Array<Acknowledged> = []
        const failures: Array<unknown> = []
        let isRunning = true
        /** Sends a write. Throws unless it succeeds. */
        const write = async (path: string, body: unknown) => {
          const response = await send("POST", path, body)
          if (response.status >= 300) throw response
          return response
        }
        const client = async (name: number) => {
          for (let count = 0; isRunning; count++) {
            const title = `Space ${count} of client ${name}`
            try {
              const created = await write(spaces, { title, editMode: "live" })
              const { id } = JSON.parse(created.body) as { readonly id: string }
              const insert = {
                operation: "insert_page",
                title: "Start",
                document: { markdown: textOf(title, 0) }
              }
              const inserted = await write(`/spaces/${id}/content`, { changes: [insert] })
              const { changes } = JSON.parse(inserted.body) as {
                readonly changes: readonly [{ readonly page: { readonly id: string } }]
              }
              const page = changes[0].page.id
              let { server } = inserted
              for (let version = 1; version <= editsPerPage; version++) {
                const document = { markdown: textOf(title, version) }
                const update = { operation: "update_page", page, document }
                server = (await write(`/spaces/${id}/content`, { changes: [update] })).server
              }
              acknowledged.push({ id, title, server, page, markdown: textOf(title, editsPerPage) })
              const read = await send("GET", `/spaces/${id}`)
              if (read.status !== 200) failures.push(read)
            } catch (error) {
              failures.push(error)
            }
          }
        }
        const clients = Array.from({ length: clientCount }, (_, name) => client(name))
        const untilWrittenBy = async (server: string) => {
          while (failures.length === 0 && !acknowledged.some((write) => write.server === server))
            await sleep(20)
        }
        const readPage = async (url: string, { id, page }: Acknowledged) => {
          const path = `/v1/spaces/${id}/content/page/${page}?format=markdown`
          const response = await fetch(url + path, { headers })
          const body = (await response.json()) as { readonly markdown?: string }
          return response.status === 200 ? body.markdown?.trim() : { status: response.status, body }
        }

        for (const { url } of old) await untilWrittenBy(url)
        const urls: Array<string> = []
        for (const { url, end } of old) {
          // The first of them migrates the database before it listens.
          const replacement = await serve(database, [], {}, { ...env, LECTERN_BLOB_COMPRESSION: compression })
          proxy.add(replacement.url)
          await proxy.untilReady(replacement.url)
          urls.push(replacement.url)
          await untilWrittenBy(replacement.url)
          const written = acknowledged.filter(({ server }) => urls.includes(server)).slice(-readsOfOldServer)
          for (const write of written) expect(await readPage(url, write)).toEqual(write.markdown)
          expect(await end("SIGTERM")).toBe(0)
          proxy.remove(url)
          await untilWrittenBy(replacement.url)
        }
        isRunning = false
        await Promise.all(clients)

        expect(failures).toEqual([])
        for (const write of acknowledged) expect(await readPage(urls[0]!, write)).toEqual(write.markdown)
        const listed = new Map<string, string>()
        for (let page = ""; ; ) {
          const response = await send("GET", `${spaces}?limit=1000${page === "" ? "" : `&page=${page}`}`)
          const list = JSON.parse(response.body) as {
            readonly items: ReadonlyArray<{ readonly id: string; readonly title: string }>
            readonly next?: { readonly page: string }
          }
          for (const { id, title } of list.items) listed.set(id, title)
          if (list.next === undefined) break
          page = encodeURIComponent(list.next.page)
        }
        expect(listed).toEqual(new Map(acknowledged.map(({ id, title }) => [id, title])))
        const doctor = await runCommand(["doctor"], { LECTERN_DATABASE_URL: database })
        expect([doctor.code, doctor.output]).toEqual([0, expect.stringContaining("No problems found")])
      }
    )
  }
)
