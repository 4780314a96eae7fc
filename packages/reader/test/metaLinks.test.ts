/** Links of pages for search engines: canonical pages of other variants, and alternates in other languages. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer

beforeAll(async () => {
  server = await startPageServer()
})
afterAll(() => server.close())

it("refers to the pages that are set, while the site displays them", async () => {
  const { workspace, user, organization } = server
  const as = workspace.as(user)
  const createSpace = async (title: string) => {
    const { id: space } = await as.spaces.create({ organization, input: { title } })
    await as.content.edit({
      content: { space },
      input: {
        changes: ["Start", "Install"].map((page) => ({
          operation: "insert_page" as const,
          title: `${page} ${title}`,
          document: { markdown: "Text." }
        }))
      }
    })
    const { pages } = await as.content.listPages({ content: { space } })
    return { space, page: pages[1]!.id }
  }
  const [english, french, hidden] = [
    await createSpace("Guide"),
    await createSpace("Manuel"),
    await createSpace("Elsewhere")
  ]
  const { id: site } = await as.sites.create({
    organization,
    input: { title: "Docs", spaces: [english.space, french.space] }
  })
  const { items } = await as.siteSpaces.list({ organization, site })
  await as.siteSpaceCustomizations.override({
    organization,
    site,
    siteSpace: items.find(({ space }) => space.id === french.space)!.id,
    input: { internationalization: { locale: "fr" } }
  })
  const { urls } = await as.sites.publish({ organization, site })
  const { siteSpaces } = { siteSpaces: (await as.siteSpaces.list({ organization, site })).items }
  const rootOf = ({ space }: { readonly space: string }) =>
    siteSpaces.find((one) => one.space.id === space)!.urls.published!
  const links = async () => {
    const html = await (await fetch(`${rootOf(english)}install-guide`)).text()
    return Array.from(
      html.matchAll(/<link rel="(canonical|alternate)"(?: hreflang="([^"]*)")? href="([^"]*)">/g),
      ([, rel, language, href]) => [rel, language, href]
    )
  }
  const listed = async () => {
    const sitemap = await (await fetch(`${urls.published}sitemap.xml`)).text()
    return Array.from(sitemap.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => url!)
  }
  const set = (metaLinks: object | null) =>
    as.content.edit({
      content: { space: english.space },
      input: { changes: [{ operation: "update_page", page: english.page, metaLinks }] }
    })
  expect(urls.published).toBeDefined()
  const own = `${rootOf(english)}install-guide`
  const other = `${rootOf(french)}install-manuel`
  const toFrench = { kind: "page", page: french.page, space: french.space }
  const toHidden = { kind: "page", page: hidden.page, space: hidden.space }
  expect(await links()).toEqual([["canonical", undefined, own]])
  expect(await listed()).toEqual([rootOf(english), own, rootOf(french), other])

  await set({ canonical: toFrench, alternates: [toFrench, { kind: "url", url: "https://example.com/" }] })
  expect(await links()).toEqual([
    ["canonical", undefined, other],
    ["alternate", "en", own],
    ["alternate", "fr", other],
    ["alternate", undefined, "https://example.com/"]
  ])
  expect(await listed()).toEqual([rootOf(english), rootOf(french), other])
  // A page of the other space that is renamed has another URL in the cached page, too.
  await as.content.edit({
    content: { space: french.space },
    input: { changes: [{ operation: "update_page", page: french.page, slug: "installer" }] }
  })
  expect((await links())[0]).toEqual(["canonical", undefined, `${rootOf(french)}installer`])

  for (const absent of [
    { canonical: toHidden, alternates: [toHidden] },
    { canonical: { kind: "page", page: "missing" } },
    null
  ]) {
    await set(absent)
    expect(await links()).toEqual([["canonical", undefined, own]])
    expect(await listed()).toContain(own)
  }

  // Crawlers follow the links: a URL is one of the web, without a password, and without another meaning elsewhere.
  for (const url of [
    "javascript:alert(1)",
    "data:text/html,x",
    "mailto:x@example.com",
    "tel:123",
    "//evil.example",
    "/relative",
    "https://user:password@example.com/",
    "https://user@example.com/",
    "ftp://example.com/",
    "https://example.com/\u202etxt"
  ]) {
    const target = { kind: "url", url }
    for (const [links, path] of [
      [{ canonical: target }, "canonical"],
      [{ alternates: [toFrench, target] }, "alternates.1"]
    ] as const) {
      await expect(set(links)).rejects.toMatchObject({
        _tag: "InvalidInput",
        message: expect.stringContaining(`metaLinks.${path}.url`)
      })
    }
  }
  expect(await links()).toEqual([["canonical", undefined, own]])
  await set({ canonical: { kind: "url", url: "HTTPS://Example.com/A" } })
  expect((await links())[0]).toEqual(["canonical", undefined, "https://example.com/A"])

  await set({ canonical: { kind: "page", page: english.page } })
  expect(await listed()).toContain(own)
  await set({ canonical: { kind: "url", url: "https://example.com/" } })
  expect(await listed()).not.toContain(own)
})
