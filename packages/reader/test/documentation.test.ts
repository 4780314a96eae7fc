/** The documentation of Lectern in `docs`, which Lectern imports, publishes and serves. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { zipOf } from "./support/importRepository.ts"
import { brokenLinks } from "./support/linkChecker.ts"
import { type PageServer, startPageServer } from "./support/scene.ts"

const folder = fileURLToPath(new URL("../../../docs", import.meta.url))
const summary = readFileSync(join(folder, "SUMMARY.md"), "utf8")
const listed = [...summary.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path]) => path!)

let server: PageServer
let space: string
let siteUrl: string

beforeAll(async () => {
  const body = zipOf(folder)
  server = await startPageServer({
    fetcher: ({ url }) => Effect.succeed({ url, status: 200, contentType: "application/zip", body })
  })
  const as = server.workspace.as(server.user)
  const { organization } = server
  space = (await as.spaces.create({ organization, input: { title: "Lectern" } })).id
  await as.imports.import({
    content: { space },
    input: { url: "https://example.com/docs.zip", source: "zip" }
  })
  const site = await as.sites.create({ organization, input: { title: "Lectern", spaces: [space] } })
  siteUrl = (await as.sites.publish({ organization, site: site.id })).urls.published!
})
afterAll(() => server.close())

it("has every page of the table of contents, and lists every page in it", async () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  const pages = files.filter((path) => path.endsWith(".md") && path !== "SUMMARY.md")
  // Add a new page, also a decision record, to docs/SUMMARY.md. A page that it lacks would be hidden.
  expect([...listed].sort()).toEqual(pages.sort())
  const { pages: tree } = await server.workspace.as(server.user).content.listPages({ content: { space } })
  const titles: Array<string> = []
  const visit = (nodes: typeof tree): void => {
    for (const node of nodes) {
      if (node.type === "document") titles.push(node.title)
      if ("pages" in node) visit(node.pages)
    }
  }
  visit(tree)
  expect(titles.length).toBe(pages.length)
  expect(tree.map(({ title }) => title)).not.toContain("Untitled")
})

it("has no broken link", async () => {
  const { pages, links, broken } = await brokenLinks(siteUrl)
  expect(broken).toEqual([])
  expect(pages).toBeGreaterThanOrEqual(listed.length)
  expect(links).toBeGreaterThan(1_000)
  const { items } = await server.workspace
    .as(server.user)
    .links.list({ content: { space }, input: { status: "broken", limit: 1_000 } })
  expect(items).toEqual([])
})

it("finds settings, commands and errors by search", async () => {
  const { search } = server.workspace.as(server.user)
  for (const [query, title] of [
    ["LECTERN_TRUSTED_PROXIES", "Settings"],
    ["fastify", "Fastify"],
    ["doctor", "Health checks and repair"],
    ["SpaceLocked", "Errors"]
  ] as const) {
    const { items } = await search.searchSpace({ space, input: { query } })
    expect([query, items.map((item) => item.title)]).toEqual([query, expect.arrayContaining([title])])
  }
})
