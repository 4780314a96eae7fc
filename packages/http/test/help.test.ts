/** The documentation of Lectern, which every server displays at `/help`. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { MemoryStorage } from "@lectern/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

const folder = fileURLToPath(new URL("../../../docs/", import.meta.url))

let server: TestServer
beforeAll(async () => {
  server = await startServer(MemoryStorage.layer())
})
afterAll(() => server.close())

it("is Markdown on a server without a reader, and every file of it has an address", async () => {
  const first = await server.fetch("/help", { redirect: "manual" })
  expect([first.status, first.headers.get("location")]).toEqual([302, "help/README.md"])
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.\w+$/.test(path)
  )
  expect(files.length).toBeGreaterThan(80)
  for (const file of files) {
    const response = await server.fetch(`/help/${file}`)
    expect([file, response.status]).toEqual([file, 200])
    expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(folder + file))).toBe(true)
  }
})

it("serves only the files of the documentation", async () => {
  for (const path of [
    "../package.json",
    "..%2F.npmrc",
    "%2e%2e/package.json",
    "%",
    "guides",
    "none.md",
    "/etc/passwd"
  ]) {
    const response = await server.fetch(`/help/${path}`, { redirect: "manual" })
    expect([path, response.status >= 400]).toEqual([path, true])
  }
})

it("rejects methods that write", async () => {
  expect((await server.fetch("/help", { method: "POST" })).status).toBe(405)
})
