/** A server whose SQLite file cannot be written: the disk is full, the file is read-only, or another process locks it. */

import { randomBytes } from "node:crypto"
import { chmodSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { users } from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { expect, it, vi } from "vitest"
import { adminToken, call, runCommand, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { examineDatabase, rowsAt } from "./support/doctorFindings.ts"
import { until } from "./support/until.ts"
import { startServer } from "./support.ts"

const filename = () => join(temporaryFolder(), "lectern.db")

it("while another process writes, serves reads, and responds to writes with 503 once their timeout has passed", async () => {
  const file = filename()
  const server = await startServer(SqliteStorage.layer({ filename: file }))
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const path = `/v1/orgs/${organization}/spaces`
  const write = () => server.fetch(path, { method: "POST", token, body: "{}" })
  const count = async () => ((await (await server.fetch(path, { token })).json()) as { count: number }).count
  // Silences the log, which has an entry for each failed write.
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

it("on a full disk, serves reads, responds to writes with 503, and leaves no partial write", async () => {
  const file = filename()
  // 6 MiB, for each of its files.
  const server = await serve(`sqlite:${file}`, [], { fileBlocks: 12_288 })
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const path = `/v1/orgs/${items[0]!.id}/spaces`
  const { id } = await call<{ id: string }>(server, path, { method: "POST", body: "{}" })
  const insert = (name: string, size = 700_000) => {
    const base64 = randomBytes(size).toString("base64")
    const changes = [{ operation: "insert_files", files: [{ name, contentType: "image/png", base64 }] }]
    return fetch(`${server.url}/v1/spaces/${id}/content`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ changes })
    })
  }
  const stored: Array<string> = []
  for (;;) {
    const name = `${stored.length}.png`
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
    stored.push(name)
    // 30 files are more than the limit allows.
    expect(stored.length).toBeLessThan(30)
  }
  expect(stored.length).toBeGreaterThan(1)
  const files = async (from: ServerProcess) =>
    (
      await call<{ items: ReadonlyArray<{ name: string }> }>(
        from,
        `/v1/spaces/${id}/content/files?limit=1000`
      )
    ).items
      .map(({ name }) => name)
      .sort()
  expect(await files(server)).toEqual([...stored].sort())
  expect((await insert("again.png")).status).toBe(503)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  // Smaller writes succeed until they do not fit either. From then on, the server is not ready.
  for (const size of [50_000, 500]) {
    for (let status = 200; status === 200; ) {
      const name = `${stored.length}.png`
      status = (await insert(name, size)).status
      if (status === 200) stored.push(name)
      expect(stored.length).toBeLessThan(1000)
    }
  }
  await until("the server is not ready", async () => (await fetch(`${server.url}/readyz`)).status === 503)
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
    status: "the database accepts no writes"
  })
  // The log has the cause, as SQLite reports it.
  await expect
    .poll(() => server.printed(), { timeout: 60_000 })
    .toMatch(/disk I\/O error|database or disk is full/)
  expect(await server.end("SIGTERM")).toBe(0)

  // The database opens, and the doctor finds no problems.
  expect(await examineDatabase(`sqlite:${file}`)).toEqual([])
})

it("reports a read-only file in one line, and does not start", async () => {
  const file = filename()
  const env = { LECTERN_DATABASE_URL: `sqlite:${file}`, LECTERN_ADMIN_TOKEN: adminToken }
  expect(await rowsAt(`sqlite:${file}`, users)).toEqual([])
  chmodSync(file, 0o444)
  chmodSync(dirname(file), 0o555)
  const { code, errors } = await runCommand(["serve", "--port", "0"], env, { isUnprivileged: true })
  chmodSync(dirname(file), 0o755)
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^lectern: The database .* cannot be opened: .+\n$/)
  ])
})
