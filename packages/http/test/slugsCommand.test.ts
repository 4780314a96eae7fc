/** `lectern slugs` as a process: the preview, the changes, and the redirects from former URLs. */
import { join } from "node:path"
import { zipSync } from "fflate"
import { expect, it } from "vitest"
import { call, runCommand, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { serveSite } from "./support/imports.ts"

interface Tree {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly pages?: ReadonlyArray<Tree>
}

const text = (value: string) => new TextEncoder().encode(value)

/** A repository with a group and a file whose slugs earlier versions derived by another rule. */
const archive = zipSync({
  "README.md": text("# Start\n"),
  "SUMMARY.md": text(
    "* [Start](README.md)\n\n## 🧩 Integrations\n\n* [From 0.12](integrations/from-v0.12.md)\n* [Chosen](chosen.md)\n"
  ),
  "integrations/from-v0.12.md": text("# From 0.12\n"),
  "chosen.md": text("# Chosen\n")
})

it("prints the URLs that change, changes them with --apply, and redirects the former ones", async () => {
  const database = `sqlite:${join(temporaryFolder(), "lectern.db")}`
  const source = await serveSite({ "/docs.zip": { type: "application/zip", body: archive } })
  const start = () => serve(database, ["--fetch-allow", "127.0.0.1"])
  let server = await start()
  const post = <A>(path: string, body: unknown) =>
    call<A>(server, `/v1${path}`, { method: "POST", body: JSON.stringify(body) })
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
  const organization = items[0]!.id
  const { id: space } = await post<{ id: string }>(`/orgs/${organization}/spaces`, { title: "Guide" })
  await post(`/spaces/${space}/content/import`, { url: `${source.url}/docs.zip`, source: "zip" })
  const list = async () => {
    const { pages } = await call<{ pages: ReadonlyArray<Tree> }>(server, `/v1/spaces/${space}/content/pages`)
    const flat = (all: ReadonlyArray<Tree>): ReadonlyArray<Tree> =>
      all.flatMap((page) => [page, ...flat(page.pages ?? [])])
    return flat(pages)
  }
  const paths = async () => Object.fromEntries((await list()).map(({ title, path }) => [title, path]))
  const before = await list()
  const rename = (title: string, slug: string) => ({
    operation: "update_page",
    page: before.find((page) => page.title === title)!.id,
    slug
  })
  // The slugs of an earlier version, and one that a writer has chosen.
  await post(`/spaces/${space}/content`, {
    changes: [
      rename("🧩 Integrations", "-integrations"),
      rename("From 0.12", "from-v012"),
      rename("Chosen", "mine")
    ]
  })
  const site = await post<{ id: string }>(`/orgs/${organization}/sites`, { title: "Docs", spaces: [space] })
  const sitePath = `/orgs/${organization}/sites/${site.id}/publish`
  const former = await paths()
  const stop = () => server.end("SIGTERM")
  await stop()

  const env = { LECTERN_DATABASE_URL: database }
  const run = (...args: ReadonlyArray<string>) =>
    runCommand(["slugs", space, "--as", "admin@lectern.local", ...args], env)
  const preview = await run()
  expect([preview.code, preview.errors]).toEqual([0, ""])
  expect(preview.output).toContain("Would change the slugs of 2 pages.")
  expect(preview.output).toContain("/-integrations/from-v012 → /integrations/from-v0.12")
  const unknown = await runCommand(["slugs", space, "--as", "none@example.com"], env)
  expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining("none@example.com")])
  server = await start()
  expect(await paths()).toEqual(former)
  await stop()

  const applied = await run("--apply", "--json")
  expect([applied.code, applied.errors]).toEqual([0, ""])
  expect(JSON.parse(applied.output)).toMatchObject({ applied: true, changes: [{}, {}] })
  expect(JSON.parse((await run("--apply", "--json")).output)).toEqual({ applied: true, changes: [] })
  server = await start()
  expect(await paths()).toEqual({
    Start: former.Start,
    "🧩 Integrations": "integrations",
    "From 0.12": "integrations/from-v0.12",
    Chosen: "integrations/mine"
  })
  const { urls } = await post<{ urls: { published: string } }>(sitePath, {})
  for (const [path, target] of [
    ["-integrations/from-v012", "integrations/from-v0.12"],
    ["integrations/from-v012", "integrations/from-v0.12"],
    ["-integrations/mine", "integrations/mine"]
  ]) {
    const response = await fetch(`${urls.published}${path}`)
    expect([path, response.status, response.url]).toEqual([path, 200, `${urls.published}${target}`])
  }
}, 180_000)
