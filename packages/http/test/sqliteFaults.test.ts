/** A server whose SQLite file cannot be written: it is full, it is read only, or another process has it. */
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import { adminToken, call, finish, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"

const filename = () => join(temporaryFolder(), "lectern.db")

const organizationOf = async (server: ServerProcess): Promise<string> => {
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  return items[0]!.id
}

/** Creates a space. */
const create = (server: ServerProcess, organization: string, title: string) =>
  fetch(`${server.url}/v1/orgs/${organization}/spaces`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ title })
  })

it("while another process writes, reads are answered, and writes are told after a while that the store is away", async () => {
  const file = filename()
  const server = await serve(`sqlite:${file}`)
  const organization = await organizationOf(server)
  const other = new DatabaseSync(file)
  other.exec("BEGIN IMMEDIATE")
  try {
    const started = performance.now()
    const waiting = create(server, organization, "Waits")
    expect((await call<{ count: number }>(server, `/v1/orgs/${organization}/spaces`)).count).toBe(0)
    const response = await waiting
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
    expect(performance.now() - started).toBeLessThan(15_000)
  } finally {
    other.exec("ROLLBACK")
    other.close()
  }
  expect((await create(server, organization, "Waits")).status).toBe(201)
  expect((await call<{ count: number }>(server, `/v1/orgs/${organization}/spaces`)).count).toBe(1)
  expect(await server.end("SIGTERM")).toBe(0)
})
