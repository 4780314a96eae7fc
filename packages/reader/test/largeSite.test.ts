/** The navigation of large sites. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer
let siteUrl: string

/** Adds pages below a page, and returns the ids of the pages there. */
const addPages = async (space: string, into: string | undefined, titles: ReadonlyArray<string>) => {
  const { content } = server.workspace.as(server.user)
  for (let at = 0; at < titles.length; at += 50) {
    await content.edit({
      content: { space },
      input: {
        changes: titles.slice(at, at + 50).map((title) => ({
          operation: "insert_page",
          title,
          ...(into === undefined ? {} : { into }),
          document: { markdown: "Text.\n" }
        }))
      }
    })
  }
}

beforeAll(async () => {
  server = await startPageServer()
  const { organization } = server
  const as = server.workspace.as(server.user)
  const { id } = await as.spaces.create({ organization, input: { title: "Large" } })
  await addPages(id, undefined, ["Start", "Part A", "Part B"])
  const { pages } = await as.content.listPages({ content: { space: id } })
  await addPages(
    id,
    pages[1]!.id,
    Array.from({ length: 700 }, (_, index) => `A ${index}`)
  )
  await addPages(
    id,
    pages[2]!.id,
    Array.from({ length: 300 }, (_, index) => `B ${index}`)
  )
  const site = await as.sites.create({ organization, input: { title: "Large", spaces: [id] } })
  siteUrl = (await as.sites.publish({ organization, site: site.id })).urls.published!
}, 120_000)
afterAll(() => server.close())

const readPage = async (path: string): Promise<string> => {
  const response = await fetch(new URL(path, siteUrl))
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

/** Returns the paths that a page at a URL links to, below the root of the site. */
const linksIn = (html: string, from: string): ReadonlySet<string> => {
  const root = new URL(siteUrl)
  return new Set(
    [...html.matchAll(/ href="([^"#]*)"/g)].flatMap(([, href]) => {
      const url = new URL(href!.replaceAll("&amp;", "&"), new URL(from, root))
      return url.href.startsWith(root.href) ? [url.href.slice(root.href.length)] : []
    })
  )
}

it("a page of a site with 1,000 pages has at most 150 kB, on every level", async () => {
  for (const path of ["", "part-a", "part-a/a-350", "part-b/b-0"]) {
    expect((await readPage(path)).length).toBeLessThan(150_000)
  }
})

it("every page can be reached by links, without a script", async () => {
  const seen = new Set([""])
  const queue = [""]
  for (const path of queue) {
    if (queue.length > 60 && !path.includes("~/navigation")) continue
    for (const link of linksIn(await readPage(path), path)) {
      if (seen.has(link) || /~\/(?:assets|search)|\.(?:md|xml|txt)$/.test(link)) continue
      seen.add(link)
      if (link.includes("~/navigation") || queue.length < 20) queue.push(link)
    }
  }
  const pages = [...seen].filter((path) => !path.startsWith("~/"))
  expect(pages.length).toBe(1_003)
})

it("the script loads the pages of a closed branch, with links that are right on the page", async () => {
  const from = "part-a/a-350"
  const [branch] = [...linksIn(await readPage(from), from)].filter((link) => link.includes("~/navigation"))
  const html = await readPage(`${branch}&part=branch&from=${encodeURIComponent(from)}`)
  const links = [...linksIn(html, from)].filter((link) => !link.startsWith("~/"))
  expect(links.length).toBeGreaterThan(100)
  expect(links.every((link) => /^part-[ab]\//.test(link))).toBe(true)
  expect(html).not.toContain("<header")
})
