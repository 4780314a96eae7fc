/**
 * The procedure of an upgrade without downtime, as the documentation describes it: servers of the previous schema are
 * replaced by servers of the current one, on one PostgreSQL database, while clients write. No request is lost.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { createTestDatabase } from "@lectern/harness/postgres"
import { migrations } from "@lectern/storage-sql"
import { expect, inject, it, onTestFinished } from "vitest"
import { adminToken, runCommand, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import {
  extractPreviousVersion,
  hasPreviousCommit,
  previousSchema,
  startPreviousServer
} from "./support/previousServer.ts"
import { makeRetryingProxy } from "./support/retryingProxy.ts"

/** The number of clients that send requests concurrently. */
const clientCount = 4

/** The timeout of the test, in milliseconds: far longer than it takes on a busy machine. */
const timeout = 600_000

/** An acknowledged write. */
interface Acknowledged {
  readonly id: string
  readonly title: string
  readonly server: string
}

it("the previous schema is the one before the current schema", () => {
  expect(previousSchema).toBe(migrations.length - 1)
})

it.skipIf(!hasPreviousCommit())(
  "a rolling upgrade from the previous schema loses no request and no acknowledged write",
  { timeout },
  async () => {
    const folder = temporaryFolder()
    extractPreviousVersion(folder)
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

    const send = (method: string, path: string, body?: unknown) =>
      proxy.send(`/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    const { items } = JSON.parse((await send("GET", "/orgs")).body) as {
      readonly items: ReadonlyArray<{ readonly id: string }>
    }
    const spaces = `/orgs/${items[0]!.id}/spaces`

    const acknowledged: Array<Acknowledged> = []
    const failures: Array<unknown> = []
    let isRunning = true
    const client = async (name: number) => {
      for (let count = 0; isRunning; count++) {
        const title = `Space ${count} of client ${name}`
        try {
          const written = await send("POST", spaces, { title })
          if (written.status === 201) {
            const { id } = JSON.parse(written.body) as { readonly id: string }
            acknowledged.push({ id, title, server: written.server })
            const read = await send("GET", `/spaces/${id}`)
            if (read.status !== 200) failures.push(read)
          } else failures.push(written)
        } catch (error) {
          failures.push(error)
        }
      }
    }
    const clients = Array.from({ length: clientCount }, (_, name) => client(name))
    const untilWrittenBy = async (server: string) => {
      while (!acknowledged.some((write) => write.server === server)) await sleep(20)
    }

    for (const { url } of old) await untilWrittenBy(url)
    const urls: Array<string> = []
    for (const { url, end } of old) {
      // The first of them migrates the database before it listens.
      const replacement = await serve(database, [], {}, env)
      proxy.add(replacement.url)
      await proxy.untilReady(replacement.url)
      urls.push(replacement.url)
      expect(await end("SIGTERM")).toBe(0)
      proxy.remove(url)
      await untilWrittenBy(replacement.url)
    }
    isRunning = false
    await Promise.all(clients)

    expect(failures).toEqual([])
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
