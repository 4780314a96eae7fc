/** A server that receives SIGTERM while clients write. */
import { spaces } from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import pg from "pg"
import { expect, inject, it } from "vitest"
import { adminToken, call, serve } from "./processes.ts"
import { examineDatabase, rowsAt } from "./support/doctorFindings.ts"
import { until } from "./support/until.ts"

/** More than the database connections of the server, so that some requests wait for a connection. */
const clientCount = 14

it("completes accepted requests on SIGTERM, and executes no request without a response", async () => {
  const database = await createTestDatabase(inject("postgres"))
  const server = await serve(database)
  const exit = new Promise((resolve) => server.child.once("exit", resolve))
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const create = (title: string) =>
    fetch(`${server.url}/v1/orgs/${items[0]!.id}/spaces`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ title })
    })
  const acknowledged: Array<string> = []
  const pending = new Set<string>()
  const client = async (number: number) => {
    for (let i = 0; ; i++) {
      const title = `${number}-${i}`
      pending.add(title)
      try {
        const response = await create(title)
        expect([response.status, await response.text()]).toEqual([201, expect.anything()])
        acknowledged.push(title)
        pending.delete(title)
      } catch (cause) {
        // A client stops when the server accepts no more connections.
        if (!(cause instanceof TypeError)) throw cause
        return
      }
    }
  }
  const clients = Promise.all(Array.from({ length: clientCount }, (_, number) => client(number)))
  await until("30 spaces are created", () => acknowledged.length > 30)

  // Blocks all writes, so that every client has a pending request when the server receives SIGTERM.
  const operator = new pg.Client({ connectionString: database })
  await operator.connect()
  await operator.query("BEGIN")
  await operator.query('LOCK TABLE "spaces" IN ACCESS EXCLUSIVE MODE')
  const waiting =
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await until("a write waits for the lock", async () => (await operator.query(waiting)).rows[0].count > 0)
  await until("every client has a pending request", () => pending.size === clientCount)
  // The server has received the pending requests once it responds to later ones. Some may wait for a connection.
  for (let i = 0; i < clientCount; i++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  const before = acknowledged.length
  const accepted = [...pending]
  expect(accepted.length).toBe(clientCount)
  server.child.kill("SIGTERM")
  await until("the server accepts no connection", () =>
    fetch(`${server.url}/healthz`, { headers: { connection: "close" } }).then(
      () => false,
      () => true
    )
  )
  expect(acknowledged.length).toBe(before)
  await operator.query("ROLLBACK")
  await operator.end()
  await clients
  expect(await exit).toBe(0)
  expect(acknowledged).toEqual(expect.arrayContaining(accepted))
  const titles = (await rowsAt(database, spaces)).map(({ title }) => title)
  expect(titles.sort()).toEqual(acknowledged.sort())
  expect(await examineDatabase(database)).toEqual([])
})
