/** Pages that the table of contents of an imported repository does not list appear in no part of a site that lists pages. */
import { Effect } from "effect"
import { strToU8, zipSync } from "fflate"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

const files: Readonly<Record<string, string>> = {
  "SUMMARY.md":
    "# Table of contents\n\n* [Start](README.md)\n\n## Use\n\n* [Guide](guide.md)\n* [After](after.md)\n",
  "README.md": "# Start\n\nSee [the draft](drafts/draft.md).\n",
  "guide.md": "# Guide\n",
  "after.md": "# After\n",
  "guide/linked.md": "# Linked zebra\n",
  "drafts/draft.md": "# Draft zebra\n\nSee [linked](../guide/linked.md).\n",
  "drafts/secret.md": "# Secret zebra\n",
  "zebra.md": "# Zebra\n"
}

let server: PageServer
let siteUrl: string

beforeAll(async () => {
  const body = zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))
  server = await startPageServer({
    fetcher: ({ url }) => Effect.succeed({ url, status: 200, contentType: "application/zip", body })
  })
  const as = server.workspace.as(server.user)
  const { organization } = server
  const { id } = await as.spaces.create({ organization, input: { title: "Docs" } })
  await as.imports.import({
    content: { space: id },
    input: { url: "https://example.com/docs.zip", source: "zip" }
  })
  const site = await as.sites.create({ organization, input: { title: "Docs", spaces: [id] } })
  siteUrl = (await as.sites.publish({ organization, site: site.id })).urls.published!
})
afterAll(() => server.close())

const readPath = async (path: string) => {
  const response = await fetch(new URL(path, siteUrl))
  return { status: response.status, text: await response.text() }
}

it.each([
  ["sitemap.xml", /draft|linked|secret|zebra/i],
  ["llms.txt", /draft|linked|secret|zebra/i],
  // The first page has a link to the draft.
  ["llms-full.txt", /linked|secret|zebra/i],
  ["use/guide.md", /draft|linked|secret|zebra/i],
  ["~/search?q=zebra", /(?:linked|secret|draft) ?(?:<[^>]*>)?zebra|href="[^"]*(?:draft|linked)/i]
])("%s has no unlisted page", async (path, unlisted) => {
  const { status, text } = await readPath(path)
  expect(status).toBe(200)
  if (!path.includes("search")) expect(text).toMatch(/guide/i)
  expect(text).not.toMatch(unlisted)
})

it.each(["", "use/guide", "use/after"])("the navigation of /%s has no unlisted page", async (path) => {
  const { status, text } = await readPath(path)
  expect(status).toBe(200)
  const links = [...text.matchAll(/href="([^"]*)"[^>]*>([^<]*)/g)].map(
    ([, href, label]) => `${href} ${label}`
  )
  // The only link to an unlisted page is that of the text of the first page.
  expect(links.filter((link) => /draft|secret|linked|zebra/i.test(link))).toEqual(
    path === "" ? [expect.stringMatching(/draft the draft$/)] : []
  )
})

it("a link opens an unlisted page, which search engines do not index", async () => {
  const { text } = await readPath("")
  const [, href] = /href="([^"]*draft[^"]*)"/.exec(text)!
  const draft = await readPath(href!)
  expect(draft.status).toBe(200)
  expect(draft.text).toContain("Draft zebra")
  expect(draft.text).toMatch(/<meta name="robots" content="noindex/)
})

it("a file that nothing links to has no page", async () => {
  for (const path of ["secret", "drafts/secret", "zebra", "secret.md", "drafts/secret.md"]) {
    expect([path, (await readPath(path)).status]).toEqual([path, 404])
  }
})
