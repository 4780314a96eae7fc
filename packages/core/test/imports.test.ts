/** Properties of imports of random websites, compared with a simple crawler. */
import { importReader } from "@lectern/converters"
import {
  Administration,
  Content,
  type ContentPage,
  CurrentUser,
  Fetcher,
  ImportReader,
  Imports,
  Spaces,
  UpstreamFailed,
  UserId,
  Workspace
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const origin = "https://acme.example"

interface SitePage {
  /** The targets of links, and the URLs that link to them. */
  readonly links: ReadonlyArray<{ readonly to: string; readonly written: string }>
  readonly images: ReadonlyArray<string>
  readonly words: number
  readonly isBroken: boolean
}

interface Site {
  readonly pages: ReadonlyMap<string, SitePage>
  readonly sitemap: ReadonlyArray<string> | undefined
  /** The content of each existing image, by path. */
  readonly images: Readonly<Record<string, string>>
  readonly disallowed: string | undefined
}

/** The paths of images. The length of an image identifies its content. */
const imagePaths = ["/img/1.png", "/img/2.png", "/img/3.png", "/img/4.png"]

const folders = [
  "",
  ...["a", "b", "c"].flatMap((one) => [
    one,
    ...["a", "b"].flatMap((two) => [`${one}/${two}`, `${one}/${two}/c`])
  ])
]
const pagePaths = folders.map((folder) => `/docs${folder === "" ? "" : `/${folder}`}`)
const startPath = "/docs"

/** Targets of links: possible pages, a missing page, and pages outside of the imported folder. */
const targets = [...pagePaths, "/docs/none", "/blog", "/"]

const link = fc
  .record({ to: fc.constantFrom(...targets), form: fc.constantFrom("", "/", "/index.html", "#place") })
  .map(({ to, form }) => ({ to, written: to === "/" ? "/" : to + form }))

const page: fc.Arbitrary<SitePage> = fc.record({
  links: fc.array(link, { maxLength: 6 }),
  images: fc.subarray(imagePaths),
  words: fc.nat(2),
  isBroken: fc.boolean().map((one) => one)
})

const site: fc.Arbitrary<Site> = fc
  .record({
    first: page,
    others: fc.array(fc.tuple(fc.constantFrom(...pagePaths.slice(1)), page), { maxLength: 12 }),
    sitemap: fc.option(fc.subarray(targets), { nil: undefined }),
    images: fc.dictionary(fc.constantFrom(...imagePaths), fc.constantFrom("a", "bb", "ccc")),
    disallowed: fc.option(fc.constantFrom("/docs/b", "/docs/a/a"), { nil: undefined })
  })
  .map(({ first, others, ...rest }) => ({
    ...rest,
    pages: new Map([[startPath, { ...first, isBroken: false }], ...others])
  }))

const titleOf = (path: string): string => `Page ${path}`

const toHtml = (path: string, { links, images, words }: SitePage): string =>
  `<title>${titleOf(path)}</title><main><h1>${titleOf(path)}</h1><p>Words ${words}.</p>${
    links.length === 0
      ? ""
      : `<ul>${links.map(({ written }) => `<li><a href="${written}">x</a></li>`).join("")}</ul>`
  }${images.map((image) => `<p><img src="${image}" alt="i"></p>`).join("")}</main>`

/** Returns the response of a site, or undefined for a failure. */
const respond = (site: Site, path: string): readonly [type: string, body: string] | undefined => {
  if (path === "/robots.txt") {
    return site.disallowed === undefined
      ? undefined
      : ["text/plain", `User-agent: *\nDisallow: ${site.disallowed}`]
  }
  if (path === "/sitemap.xml") {
    return site.sitemap === undefined
      ? undefined
      : [
          "text/xml",
          `<urlset>${site.sitemap.map((to) => `<url><loc>${origin}${to}</loc></url>`).join("")}</urlset>`
        ]
  }
  const image = site.images[path]
  if (image !== undefined) return ["image/png", image]
  const key = path.replace(/(?:\/index\.html|\/)$/, "")
  const page = site.pages.get(key)
  return page === undefined || page.isBroken ? undefined : ["text/html", toHtml(key, page)]
}

/** Crawls a site in the simplest way. Returns the paths of existing pages, and the number of failing URLs in scope. */
const crawl = ({ pages, sitemap = [], disallowed }: Site) => {
  const isOpen = (path: string) =>
    (path === startPath || path.startsWith(`${startPath}/`)) &&
    (disallowed === undefined || !path.startsWith(disallowed))
  const seen = new Set([startPath, ...sitemap.filter(isOpen)])
  for (const path of seen) {
    const page = pages.get(path)
    if (page === undefined || page.isBroken) continue
    for (const { to } of page.links) if (isOpen(to)) seen.add(to)
  }
  const found = [...seen].filter((path) => pages.get(path)?.isBroken === false)
  return { found, missing: seen.size - found.length }
}

const flatten = (pages: ReadonlyArray<ContentPage>): ReadonlyArray<ContentPage> =>
  pages.flatMap((one) => [one, ...("pages" in one ? flatten(one.pages) : [])])

/** Opens a space to import the current site into, and records the paths that are requested of the site. */
const startImports = async (first: Site) => {
  let current = first
  const requested: Array<string> = []
  const fetcher = Layer.succeed(Fetcher, ({ url }) => {
    const { pathname } = new URL(url)
    requested.push(pathname)
    const response = respond(current, pathname)
    if (response === undefined)
      return Effect.fail(new UpstreamFailed({ reason: "FetchFailed", message: "The page does not exist." }))
    const [contentType, body] = response
    return Effect.succeed({ url, status: 200, contentType, body: new TextEncoder().encode(body) })
  })
  const runtime = ManagedRuntime.make(
    Workspace.layer.pipe(
      Layer.provide(MemoryStorage.layer()),
      Layer.provide(fetcher),
      Layer.provide(Layer.succeed(ImportReader, importReader()))
    )
  )
  const { user, space } = await runtime.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = UserId.make(yield* administration.createUser({ input: { email: "ada@example.com" } }))
      const organization = yield* administration.createOrganization({
        administrator: user,
        input: { title: "Acme" }
      })
      const { id } = yield* (yield* Spaces).create({ organization }).pipe(CurrentUser.provide(user))
      return { user, space: id }
    })
  )
  const run = <A, E>(effect: Effect.Effect<A, E, CurrentUser | Content | Imports>) =>
    runtime.runPromise(CurrentUser.provide(user)(effect))
  return {
    requested,
    /** Replaces the site by its next state. */
    publish: (site: Site) => {
      current = site
      requested.length = 0
    },
    importSite: () =>
      run(
        Effect.flatMap(Imports, (imports) =>
          imports.import({ content: { space }, input: { url: `${origin}${startPath}`, source: "website" } })
        )
      ),
    changesIn: (revision: string) =>
      run(Effect.flatMap(Content, (content) => content.listChanges({ content: { space, revision } }))),
    /** Returns the pages, the bodies of imported pages by title, and the files. */
    readSpace: () =>
      run(
        Effect.gen(function* () {
          const content = yield* Content
          const { pages } = yield* content.listPages({ content: { space } })
          const bodies = new Map<string, string>()
          for (const { id, type, title } of flatten(pages)) {
            if (type !== "document" || !title.startsWith("Page ")) continue
            const page = yield* content.getPage({
              content: { space },
              page: id,
              input: { format: "markdown" }
            })
            bodies.set(title, ("markdown" in page ? page.markdown : undefined) ?? "")
          }
          const { items } = yield* content.listFiles({ content: { space } })
          return { pages: flatten(pages), bodies, files: items }
        })
      ),
    close: () => runtime.dispose()
  }
}
type Imported = Awaited<ReturnType<Awaited<ReturnType<typeof startImports>>["readSpace"]>>

/** Imports the states of a site one after the other, and verifies the result of each import. */
const importEach = async (
  sites: ReadonlyArray<Site>,
  verify: (
    imports: Awaited<ReturnType<typeof startImports>>,
    site: Site,
    result: { readonly revision: string; readonly importedResources: number; readonly totalResources: number }
  ) => Promise<void>
) => {
  const imports = await startImports(sites[0]!)
  try {
    for (const site of sites) {
      imports.publish(site)
      await verify(imports, site, await imports.importSite())
    }
  } finally {
    await imports.close()
  }
}

/** Returns the paths of the images on these pages. */
const imagesOn = (site: Site, found: ReadonlyArray<string>) =>
  new Set(found.flatMap((path) => site.pages.get(path)!.images))

/** Expects that the links and images of a page refer to imported pages and files, or else to the site. */
const expectBody = (site: Site, path: string, { pages, bodies, files }: Imported) => {
  const ids = new Map(pages.map((one) => [one.title, one.id]))
  const { links, images, words } = site.pages.get(path)!
  const body = bodies.get(titleOf(path))!
  const items = links.map(({ to, written }) => {
    // The import removes a link to a missing heading of the same page.
    if (written === `${path}#place`) return undefined
    const id = ids.get(titleOf(to))
    return `- [x](${id === undefined ? origin + written : `/pages/${id}`})`
  })
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("!["))
  expect(lines.filter((_, index) => items[index - 1] !== undefined || index === 0)).toEqual([
    `Words ${words}.`,
    ...items.filter((item) => item !== undefined)
  ])
  const drawn = [...body.matchAll(/!\[i\]\((.*?)\)/g)].map(([, to]) => to!)
  expect(drawn.length).toBe(images.length)
  for (const [index, to] of drawn.entries()) {
    const image = images[index]!
    const file = files.find(({ id }) => to === `/files/${id}`)
    if (site.images[image] === undefined) expect(to).toBe(origin + image)
    else expect(file?.size).toBe(site.images[image].length)
  }
}

/** Checks a property of a site that changes up to twice. */
const forSites = (property: (sites: ReadonlyArray<Site>) => Promise<void>) =>
  fc.assert(fc.asyncProperty(fc.array(site, { minLength: 1, maxLength: 3 }), property), runs(60))

describe("an import of a website that changes", { timeout: 300_000 }, () => {
  it("requests each URL once, and counts pages and images like a simple crawler", () =>
    forSites((sites) =>
      importEach(sites, async ({ requested }, site, result) => {
        const { found, missing } = crawl(site)
        const images = imagesOn(site, found)
        const existing = [...images].filter((image) => site.images[image] !== undefined)
        expect(result).toMatchObject({
          importedResources: found.length + existing.length,
          totalResources: found.length + missing + images.size
        })
        expect(new Set(requested).size).toBe(requested.length)
      })
    ))

  it("stores every page that the current or an earlier crawl finds, and each image once", () =>
    forSites((sites) => {
      const expected = new Set<string>()
      return importEach(sites, async ({ readSpace }, site) => {
        for (const path of crawl(site).found) expected.add(path)
        const { bodies, files } = await readSpace()
        expect([...bodies.keys()].sort()).toEqual([...expected].map(titleOf).sort())
        const sizes = files.map(({ size }) => size)
        expect(new Set(sizes).size).toBe(sizes.length)
      })
    }))

  it("points links to imported pages, images to imported files, and all others to the website", () =>
    forSites((sites) =>
      importEach(sites, async ({ readSpace }, site) => {
        const imported = await readSpace()
        for (const path of crawl(site).found) expectBody(site, path, imported)
      })
    ))

  it("is idempotent", () =>
    forSites((sites) =>
      importEach(sites, async ({ importSite, changesIn }, _, first) => {
        const again = await importSite()
        expect(await changesIn(again.revision)).toEqual({ changes: [] })
        expect([again.importedResources, again.totalResources]).toEqual([
          first.importedResources,
          first.totalResources
        ])
      })
    ))
})
