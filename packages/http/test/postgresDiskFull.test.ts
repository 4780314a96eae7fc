/** A server whose PostgreSQL has no disk space left for its tables, and gets more. */
import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "@lectern/harness/postgres"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { adminToken, call, serve } from "./processes.ts"
import { examineDatabase } from "./support/doctorFindings.ts"
import { until } from "./support/until.ts"

/** Mounts a file system of a limited size, which requires root. Returns its folder, or undefined if that is not allowed. */
const mountSmallDisk = (megabytes: number): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-disk-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "lectern", folder], {
      stdio: "ignore"
    })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
}

it("on a full disk, serves reads, responds to writes with 503, is not ready, and recovers", async ({
  skip
}) => {
  const folder = mountSmallDisk(48)
  if (folder === undefined) return skip("Only root can mount a small disk.")
  onTestFinished(() => {
    execFileSync("umount", [folder])
    rmSync(folder, { recursive: true })
  })
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const superuser = new pg.Client({ connectionString: postgres.url })
  await superuser.connect()
  const tables = join(folder, "tables")
  // The server owns its folder. The write-ahead log is on another disk: without space for it, PostgreSQL stops.
  const asPostgres = process.getuid?.() === 0 ? ["-u", "postgres"] : []
  execFileSync("runuser", [...asPostgres, "--", "mkdir", tables])
  chmodSync(folder, 0o755)
  await superuser.query(`CREATE TABLESPACE small LOCATION '${tables}'`)
  await superuser.query("CREATE DATABASE docs TABLESPACE small")
  await superuser.end()
  const url = new URL(postgres.url)
  url.pathname = "/docs"

  const server = await serve(url.href)
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const path = `/v1/orgs/${items[0]!.id}/spaces`
  const { id } = await call<{ id: string }>(server, path, { method: "POST", body: "{}" })
  const stored: Array<string> = []
  const insert = async (size: number) => {
    const name = `${stored.length}.png`
    const base64 = randomBytes(size).toString("base64")
    const changes = [{ operation: "insert_files", files: [{ name, contentType: "image/png", base64 }] }]
    const response = await fetch(`${server.url}/v1/spaces/${id}/content`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ changes })
    })
    if (response.status === 200) stored.push(name)
    return response
  }
  // Smaller writes succeed until they do not fit either.
  for (const size of [700_000, 50_000, 500]) {
    let response = await insert(size)
    while (response.status === 200) {
      expect(stored.length).toBeLessThan(1_000)
      response = await insert(size)
    }
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"])
    expect(await response.json()).toEqual({
      error: {
        code: 503,
        reason: "ReadOnly",
        message: "The database accepts no writes now. Try again later."
      }
    })
  }
  const files = async () =>
    (
      await call<{ items: ReadonlyArray<{ name: string }> }>(
        server,
        `/v1/spaces/${id}/content/files?limit=1000`
      )
    ).items
      .map(({ name }) => name)
      .sort()
  expect(await files()).toEqual([...stored].sort())
  await until("the server is not ready", async () => (await fetch(`${server.url}/readyz`)).status === 503)
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({
    status: "the database accepts no writes"
  })
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  await expect.poll(() => server.printed(), { timeout: 60_000 }).toMatch(/No space left on device/)

  execFileSync("mount", ["-o", "remount,size=96m", folder])
  await until("the server is ready", async () => (await fetch(`${server.url}/readyz`)).status === 200)
  expect((await insert(700_000)).status).toBe(200)
  expect(await files()).toEqual([...stored].sort())
  expect(await server.end("SIGTERM")).toBe(0)
  expect(await examineDatabase(url.href)).toEqual([])
})
