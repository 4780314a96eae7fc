/** A server whose SQLite file cannot be written: it is full, it is read only, or another process has it. */
import { randomBytes } from "node:crypto"
import { chmodSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { users } from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { expect, it, vi } from "vitest"
import { adminToken, call, finish, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { examineDatabase, rowsAt } from "./support/doctorFindings.ts"
import { startServer } from "./support.ts"

const filename = () => join(temporaryFolder(), "lectern.db")

it("while another process writes, serves reads, and responds to writes with 503 once their timeout has passed", async () => {
  const file = filename()
  const server = await startServer(SqliteStorage.layer({ filename: file }))
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const at = `/v1/orgs/${organization}/spaces`
  const write = () => server.fetch(at, { method: "POST", token, body: "{}" })
  const count = async () => ((await (await server.fetch(at, { token })).json()) as { count: number }).count
  // It is logged, as it should be: here that is of no use to anybody.
  vi.spyOn(console, "log").mockImplementation(() => {})
  const other = new DatabaseSync(file)
  other.exec("BEGIN IMMEDIATE")
  try {
    const waiting = [write(), write(), write()]
    expect(await count()).toBe(0)
    for (const response of await Promise.all(waiting)) {
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
    }
  } finally {
    other.exec("ROLLBACK")
    other.close()
  }
  expect((await write()).status).toBe(201)
  expect(await count()).toBe(1)
  await server.close()
})

it("where the disk is full, serves reads, responds to writes with 503, and leaves no partial write", async () => {
  const file = filename()
  // 6 MiB, for each of its files.
  const server = await serve(`sqlite:${file}`, [], { fileBlocks: 12_288 })
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const at = `/v1/orgs/${items[0]!.id}/spaces`
  const { id } = await call<{ id: string }>(server, at, { method: "POST", body: "{}" })
  const insert = (name: string) => {
    const base64 = randomBytes(700_000).toString("base64")
    const changes = [{ operation: "insert_files", files: [{ name, contentType: "image/png", base64 }] }]
    return fetch(`${server.url}/v1/spaces/${id}/content`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ changes })
    })
  }
  const kept: Array<string> = []
  for (;;) {
    const name = `${kept.length}.png`
    const response = await insert(name)
    if (response.status === 503) {
      expect(response.headers.get("retry-after")).toBe("1")
      expect(await response.json()).toEqual({
        error: {
          code: 503,
          reason: "ReadOnly",
          message: "The database accepts no writes now. Try again later."
        }
      })
      break
    }
    expect(response.status).toBe(200)
    kept.push(name)
    // It is far more than there is room for.
    expect(kept.length).toBeLessThan(30)
  }
  expect(kept.length).toBeGreaterThan(1)
  const files = async (from: ServerProcess) =>
    (
      await call<{ items: ReadonlyArray<{ name: string }> }>(
        from,
        `/v1/spaces/${id}/content/files?limit=1000`
      )
    ).items
      .map(({ name }) => name)
      .sort()
  expect(await files(server)).toEqual([...kept].sort())
  expect((await insert("again.png")).status).toBe(503)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  // Whoever runs the server is told what is wrong, in SQLite's own words.
  expect(server.printed()).toMatch(/disk I\/O error|database or disk is full/)
  expect(await server.end("SIGTERM")).toBe(0)

  // It opens as it did, and has nothing in it that is not whole.
  expect(await examineDatabase(`sqlite:${file}`)).toEqual([])
})

it("reports a read-only file in one line, and does not start", async () => {
  const file = filename()
  const env = { LECTERN_DATABASE_URL: `sqlite:${file}`, LECTERN_ADMIN_TOKEN: adminToken }
  expect(await rowsAt(`sqlite:${file}`, users)).toEqual([])
  chmodSync(file, 0o444)
  chmodSync(dirname(file), 0o555)
  const { code, errors } = await finish(["serve", "--port", "0"], env, { isNobody: true })
  chmodSync(dirname(file), 0o755)
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^lectern: The database .* cannot be opened: .+\n$/)
  ])
})
