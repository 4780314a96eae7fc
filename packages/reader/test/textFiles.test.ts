/** Files that a site renders from its pages: each is rendered once, and no long page is parsed on the event loop. */
import { converters } from "@lectern/converters"
import { createWorkspace } from "@lectern/core"
import { makeReader } from "@lectern/reader"
import { sqlite } from "@lectern/storage-sqlite"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { searchSettingsPath } from "../src/site/reservedPath.ts"

const { markdownEngine, ...others } = converters()
const conversions: Array<string> = []
const workspace = createWorkspace({
  storage: sqlite(":memory:"),
  publicUrl: "http://docs.example.com",
  ...others,
  markdownEngine: (conversion, input) =>
    Effect.suspend(() => {
      conversions.push(conversion)
      return markdownEngine(conversion, input)
    })
})
afterAll(() => workspace.dispose())

const changelog = `{% updates format="full" %}\n{% update date="2026-01-02" %}\n## First\n\n${"Word ".repeat(1_500)}\n{% endupdate %}\n{% endupdates %}\n`
const long = `See [the other page](news.md) and ![an image](missing.png).\n\n${"Word ".repeat(1_500)}\n`

const openSite = async () => {
  const created = await workspace.administration.bootstrap({
    input: { organization: "Acme", email: "ada@example.com" }
  })
  const { administrator, organization } = created!
  const as = workspace.as(administrator)
  const space = (await as.spaces.create({ organization, input: { title: "Guide" } })).id
  const insert = (title: string, markdown: string) => ({
    operation: "insert_page" as const,
    title,
    document: { markdown }
  })
  const edit = (title: string) =>
    as.content.edit({
      content: { space },
      input: { changes: [insert(title, long)] }
    })
  await as.content.edit({
    content: { space },
    input: { changes: [insert("Start", long), insert("News", changelog)] }
  })
  const site = await as.sites.create({ organization, input: { title: "Site", spaces: [space] } })
  const { urls } = await as.sites.publish({ organization, site: site.id })
  const reader = await workspace.runtime.runPromise(makeReader)
  const root = new URL(urls.published!).pathname
  const get = async (path: string, signal?: AbortSignal) => {
    conversions.length = 0
    const response = await workspace.runtime.runPromise(
      reader.handle({
        method: "GET",
        url: `${root}${path}`,
        header: (name) => (name === "host" ? "docs.example.com" : undefined),
        form: Effect.succeed(new URLSearchParams())
      }),
      signal === undefined ? {} : { signal }
    )
    return { status: response?.status, body: String(response?.body), conversions: [...conversions] }
  }
  return { get, edit }
}

const files = [
  "llms-full.txt",
  "llms.txt",
  "sitemap.xml",
  "robots.txt",
  "rss.xml",
  "atom.xml",
  "news/rss.xml",
  "news/atom.xml",
  "start.md",
  "news.md",
  searchSettingsPath
]

/** Files whose pages are parsed. */
const parsed = ["llms-full.txt", "news/rss.xml", "news/atom.xml", "start.md", "news.md"]

it("a file is rendered once, until its site changes, and in threads", async () => {
  const { get, edit } = await openSite()
  const read = async () => {
    const bodies: Array<string> = []
    for (const path of files) {
      const first = await get(path)
      expect([path, first.status]).toEqual([path, 200])
      expect([path, first.conversions.length > 0]).toEqual([path, parsed.includes(path)])
      const [second, third] = await Promise.all([get(path), get(path)])
      expect([path, second.conversions, third.conversions]).toEqual([path, [], []])
      expect(second.body).toBe(first.body)
      bodies.push(first.body)
    }
    return bodies
  }
  const before = await read()
  expect(before[0]).toContain("[the other page](http://docs.example.com/")
  expect(before[0]).toContain("![an image](missing.png)")
  await edit("Added")
  const after = await read()
  for (const path of ["llms-full.txt", "llms.txt", "sitemap.xml", "rss.xml", "atom.xml"]) {
    expect([path, after[files.indexOf(path)]!.includes("dded")]).toEqual([path, true])
  }
  // The absence of a feed is found out once.
  expect((await get("start/rss.xml")).conversions.length).toBeGreaterThan(0)
  expect(await get("start/rss.xml")).toMatchObject({ status: 404, conversions: [] })
}, 60_000)
