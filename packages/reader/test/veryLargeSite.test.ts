/** The navigation of a site with 10,000 pages, without a script. */
import { Effect } from "effect"
import { zipSync } from "fflate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

/** The numbers of groups, of pages in a group, and of pages below each of these. */
const [parts, chapters, sections] = [10, 10, 99]

const range = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/** Returns the path of the page of a chapter. The first one is the first page of the site. */
const chapterPath = (part: number, chapter: number): string =>
  part + chapter === 0 ? "README.md" : `p${part}/c${chapter}/README.md`

const archive = (): Uint8Array => {
  const text = new TextEncoder()
  const files: Record<string, Uint8Array> = {}
  const summary: Array<string> = []
  for (const part of range(parts)) {
    summary.push("", `## Part ${part}`, "")
    for (const chapter of range(chapters)) {
      const path = chapterPath(part, chapter)
      files[path] = text.encode(`# Chapter ${part}.${chapter}\n\nText.\n`)
      summary.push(`* [Chapter ${part}.${chapter}](${path})`)
      for (const section of range(sections)) {
        const below = `p${part}/c${chapter}/s${section}.md`
        files[below] = text.encode(`# Section ${part}.${chapter}.${section}\n\nText.\n`)
        summary.push(`  * [Section ${part}.${chapter}.${section}](${below})`)
      }
    }
  }
  return zipSync({ "SUMMARY.md": text.encode(summary.join("\n")), ...files }, { level: 1 })
}

let server: PageServer
let siteUrl = ""

beforeAll(async () => {
  const bytes = archive()
  server = await startPageServer({
    fetcher: ({ url }) => Effect.succeed({ url, status: 200, contentType: "application/zip", body: bytes })
  })
  const { organization } = server
  const as = server.workspace.as(server.user)
  const { id: space } = await as.spaces.create({ organization, input: { title: "Large" } })
  await as.imports.import({
    content: { space },
    input: { url: "https://example.com/docs.zip", source: "zip" }
  })
  const site = await as.sites.create({ organization, input: { title: "Large", spaces: [space] } })
  siteUrl = (await as.sites.publish({ organization, site: site.id })).urls.published!
}, 600_000)
afterAll(() => server.close())

const fetchPage = async (path: string): Promise<string> => {
  const response = await fetch(siteUrl + path)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

/** Returns the paths that a page links to, below the root of the site. */
const linksIn = (html: string, from: string): ReadonlyArray<string> =>
  [...html.matchAll(/ href="([^"#]*)"/g)].flatMap(([, href]) => {
    const url = new URL(href!.replaceAll("&amp;", "&"), siteUrl + from)
    return url.href.startsWith(siteUrl) ? [url.href.slice(siteUrl.length)] : []
  })

describe("the navigation of a site with 10,000 pages", () => {
  it("has at most 150 kB of HTML on every level", async () => {
    for (const path of ["", "part-3/c4", "part-9/c9/s98"]) {
      expect((await fetchPage(path)).length).toBeLessThan(150_000)
    }
  })

  it("links to every page from pages and branches", async () => {
    const pages = new Set([""])
    const branches: Array<string> = []
    const visit = async (path: string) => {
      for (const link of linksIn(await fetchPage(path), path)) {
        if (link.startsWith("~/navigation")) {
          if (!branches.includes(link)) branches.push(link)
        } else if (!/^~\/|\.(?:md|xml|txt|json)$/.test(link)) pages.add(link)
      }
    }
    await visit("")
    for (const branch of branches) await visit(branch)
    expect(pages.size).toBe(parts * chapters * (sections + 1))
  }, 300_000)
})
