/** `lectern seed --demo`: the demo workspace and its published site. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand, serve } from "./processes.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "lectern-seed-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it("creates a workspace with a published site, in which no link is broken", async () => {
  const database = `sqlite:${join(folder, "demo.db")}`
  const env = { LECTERN_DATABASE_URL: database }
  const server = await serve(database)
  // The demo is added while a server runs.
  const seeded = await runCommand(["seed", "--demo", "--public-url", `${server.url}/`], env)
  expect([seeded.code, seeded.errors]).toEqual([0, ""])
  const siteUrl = /Published site {2}(\S+)/.exec(seeded.output)![1]!
  const token = /API token {7}(\S+)/.exec(seeded.output)![1]!
  expect(siteUrl.startsWith(`${server.url}/sites/`)).toBe(true)

  const sitemap = await (await fetch(`${siteUrl}sitemap.xml`)).text()
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url!))
  expect(pages.length).toBeGreaterThan(8)
  for (const { pathname } of pages) {
    const response = await fetch(server.url + pathname)
    expect([pathname, response.status, response.headers.get("content-type")]).toEqual([
      pathname,
      200,
      "text/html; charset=utf-8"
    ])
  }
  expect(await (await fetch(siteUrl)).text()).toContain("<title>Welcome to Tideway | Tideway Docs</title>")

  const call = async (path: string) =>
    (await (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).json()) as {
      items: ReadonlyArray<{ id: string; title: string }>
    }
  const [organization] = (await call("/v1/orgs")).items
  const spaces = (await call(`/v1/orgs/${organization!.id}/spaces`)).items
  expect(spaces.map(({ title }) => title).sort()).toEqual(["API reference", "Guides", "Team handbook"])
  for (const { id } of spaces) expect((await call(`/v1/spaces/${id}/links?status=broken`)).items).toEqual([])
  expect((await call(`/v1/orgs/${organization!.id}/openapi`)).items).toMatchObject([
    { processingState: "complete" }
  ])
  await server.end("SIGTERM")

  expect((await runCommand(["doctor"], env)).output).toContain("No problems")
  const repeated = await runCommand(["seed", "--demo"], env)
  expect(repeated.code).toBe(1)
  expect(repeated.errors).toBe(
    "lectern: The database has the demo workspace: the account ada@tideway.example exists.\n"
  )
})

it("prints URLs with the port that is configured", async () => {
  const env = { LECTERN_DATABASE_URL: `sqlite:${join(folder, "port.db")}`, LECTERN_PORT: "4567" }
  expect((await runCommand(["init"], env)).output).toContain(" http://127.0.0.1:4567/v1/orgs\n")
  const { output } = await runCommand(["seed", "--demo", "--json"], env)
  expect(JSON.parse(output)).toMatchObject({
    siteUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4567\/sites\//)
  })
})

it("requires a kind of data", async () => {
  const { code, errors } = await runCommand(["seed"], { LECTERN_DATABASE_URL: "sqlite::memory:" })
  expect(code).toBe(1)
  expect(errors).toBe(
    "lectern: Choose what to create. `lectern seed --demo` creates an organization with a published site.\n"
  )
})
