/** After any change, a page from the caches equals its fresh rendering, also one from a shared cache after its keys are purged. */
import { defaultCustomization, EdgeCaching, edgeKeysOf, everyKey, Records } from "@lectern/core"
import { runs } from "@lectern/harness"
import { makeReader } from "@lectern/reader"
import { Effect } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { ReaderResponse } from "../src/http/messages.ts"
import type { Reader } from "../src/Reader.ts"
import { searchSettingsPath } from "../src/site/reservedPath.ts"
import { type PageServer, startPageServer } from "./support/scene.ts"

const specUrl = "https://specs.example.com/pets.json"

const specWith = (summary: string) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/pets": { get: { summary } } }
  })

let server: PageServer
let host: string
/** The document at the URL of the spec. */
let fetched = specWith("First")

beforeAll(async () => {
  server = await startPageServer({
    fetcher: ({ url }) =>
      Effect.succeed({
        url,
        status: 200,
        contentType: "application/json",
        body: new TextEncoder().encode(fetched)
      })
  })
  host = new URL(server.url).host
})
afterAll(() => server.close())

/** A site with two spaces, whose pages refer to each other, to specs, to a file and to a reusable content. */
const openSite = async () => {
  const as = server.workspace.as(server.user)
  const { organization } = server
  const addSpace = async (title: string) => (await as.spaces.create({ organization, input: { title } })).id
  const [space, other] = [await addSpace("Guide"), await addSpace("Other")]
  const add = async (id: string, title: string) =>
    as.content.edit({
      content: { space: id },
      input: { changes: [{ operation: "insert_page", title, document: { markdown: "Text.\n" } }] }
    })
  for (const title of ["One", "Two", "Three"]) await add(space, title)
  await add(other, "Linked")
  const addFile = (name: string, text: string) =>
    as.content.edit({
      content: { space },
      input: {
        changes: [
          {
            operation: "insert_files",
            files: [
              {
                ref: "f",
                name,
                contentType: "application/json",
                base64: Buffer.from(text).toString("base64")
              }
            ]
          }
        ]
      }
    })
  await addFile("api.json", specWith("From a file"))
  const [file] = (await as.content.listFiles({ content: { space } })).items
  const site = await as.sites.create({ organization, input: { title: "Site", spaces: [space, other] } })
  const { urls } = await as.sites.publish({ organization, site: site.id })
  const root = new URL(urls.published!).pathname
  const pagesOf = async (id: string) => (await as.content.listPages({ content: { space: id } })).pages
  const opened = { as, organization, space, other, file: file!.id, site: site.id, root, pagesOf }
  // The first pages display a registered spec, and one that is registered by its URL.
  const pages = await pagesOf(space)
  for (const [index, markdown] of bodies(opened, (await pagesOf(other))[0]!.id)
    .slice(2, 4)
    .entries()) {
    await as.content.edit({
      content: { space },
      input: { changes: [{ operation: "update_page", page: pages[index]!.id, document: { markdown } }] }
    })
  }
  return opened
}

type Site = Awaited<ReturnType<typeof openSite>>

const bodies = (
  { other, file }: { readonly other: string; readonly file: string },
  linked: string
): ReadonlyArray<string> => [
  "Text.\n\n## Section\n",
  `[Elsewhere](/spaces/${other}/pages/${linked}) and [two](two.md).\n`,
  '{% openapi-operation spec="pets" path="/pets" method="get" %}\n[OpenAPI pets](https://example.com)\n{% endopenapi-operation %}\n',
  `{% swagger src="${specUrl}" path="/pets" method="get" %}\n[pets](${specUrl})\n{% endswagger %}\n`,
  `{% swagger src="/files/${file}" path="/pets" method="get" %}\n[pets](/files/${file})\n{% endswagger %}\n`
]

const change = fc.record({
  kind: fc.constantFrom(
    "body",
    "body",
    "title",
    "hide",
    "linked title",
    "spec",
    "spec at URL",
    "remove spec",
    "customize",
    "rename space",
    "remove page"
  ),
  page: fc.nat(2),
  value: fc.nat(4)
})

type Change = typeof change extends fc.Arbitrary<infer A> ? A : never

const apply = async (site: Site, { kind, page: at, value }: Change): Promise<void> => {
  const { as, organization, space, other } = site
  const pages = await site.pagesOf(space)
  const linked = (await site.pagesOf(other))[0]!.id
  const page = pages[at % pages.length]!.id
  const update = (fields: object) =>
    as.content.edit({
      content: { space },
      input: { changes: [{ operation: "update_page", page, ...fields }] }
    })
  const spec = (await as.openApiSpecs.list({ organization })).items.find(
    ({ slug }) => slug === (kind === "spec at URL" ? "by-url" : "pets")
  )
  const source = kind === "spec at URL" ? { url: specUrl } : { text: specWith(`Summary ${value}`) }
  switch (kind) {
    case "body":
      return void (await update({ document: { markdown: bodies(site, linked)[value]! } }))
    case "title":
      return void (await update({ title: `Title ${value}` }))
    case "hide":
      return void (await update({ hidden: value % 2 === 0 }))
    case "remove page":
      if (pages.length < 2) return
      return void (await as.content.edit({
        content: { space },
        input: { changes: [{ operation: "delete_page", page }] }
      }))
    case "linked title":
      return void (await as.content.edit({
        content: { space: other },
        input: { changes: [{ operation: "update_page", page: linked, title: `Linked ${value}` }] }
      }))
    case "spec":
    case "spec at URL":
      fetched = specWith(`Fetched ${value}`)
      if (spec === undefined) {
        await as.openApiSpecs.create({
          organization,
          input: { slug: kind === "spec" ? "pets" : "by-url", source }
        })
      } else await as.openApiSpecs.createOrUpdate({ organization, slug: spec.slug, input: { source } })
      return void (await server.workspace.work.drain())
    case "remove spec":
      if (spec !== undefined) await as.openApiSpecs.remove({ organization, slug: spec.slug })
      return
    case "customize":
      return void (await as.siteSettings.updateCustomization({
        organization,
        site: site.site,
        input: { ...defaultCustomization, title: `Docs ${value}` }
      }))
    case "rename space":
      return void (await as.spaces.update({ space, input: { title: `Guide ${value}` } }))
  }
}

/** Returns a reader whose pages a shared cache stores, and the function that removes the pages that a commit has changed. */
const openEdge = async (): Promise<{ readonly reader: Reader; readonly purge: () => Promise<void> }> => {
  const { runtime } = server.workspace
  const origin = await runtime.runPromise(
    Effect.provideService(makeReader, EdgeCaching, { maxAgeSeconds: 60, staleSeconds: 0 })
  )
  const { cacheVersions } = await runtime.runPromise(Effect.service(Records))
  const stored = new Map<string, ReaderResponse>()
  let position: string | undefined
  return {
    reader: {
      ...origin,
      handle: (request) => {
        const found = stored.get(request.url)
        return found !== undefined
          ? Effect.succeed(found)
          : Effect.tap(origin.handle(request), (response) => {
              const caching = response?.headers["cache-control"] ?? ""
              if (caching.includes("s-maxage=60")) stored.set(request.url, response!)
              return Effect.void
            })
      }
    },
    purge: async () => {
      const raised = await runtime.runPromise(cacheVersions.raisedSince(position))
      position = raised.position
      const keys = new Set(raised.scopes === undefined ? [everyKey] : edgeKeysOf(raised.scopes))
      for (const [url, { headers }] of stored) {
        if (headers["surrogate-key"]!.split(" ").some((key) => keys.has(key))) stored.delete(url)
      }
    }
  }
}

/** The files that are rendered from all spaces of a site. */
const textFiles = ["llms-full.txt", "llms.txt", "sitemap.xml", "rss.xml", "atom.xml", searchSettingsPath]

/** Returns the pages and files of a site by their URLs, as a reader serves them. */
const readPages = async (reader: Reader, site: Site): Promise<ReadonlyMap<string, string>> => {
  const bodies = new Map<string, string>()
  const paths = ["", ...(await site.pagesOf(site.space)).map((page) => ("path" in page ? page.path : ""))]
  const files = paths.flatMap((path) => (path === "" ? [] : [`${path}.md`, `${path}/rss.xml`]))
  for (const path of new Set([...paths, ...files, ...textFiles, "other", "other/linked"])) {
    const response = await server.workspace.runtime.runPromise(
      reader.handle({
        method: "GET",
        url: `${site.root}${path}`,
        header: (name) => (name === "host" ? host : undefined),
        form: Effect.succeed(new URLSearchParams())
      })
    )
    const body = response?.body === undefined ? "" : Buffer.from(response.body).toString()
    // The colors of code are a matter of time: a thread computes them within a deadline.
    const plain = body.replaceAll(/<span class="t-[^"]*">([^<]*)<\/span>/g, "$1")
    bodies.set(path, `${response?.status} ${response?.headers["content-security-policy"]}\n${plain}`)
  }
  return bodies
}

/** Returns the pages that differ, with the place where they do. */
const differences = (
  cached: ReadonlyMap<string, string>,
  fresh: ReadonlyMap<string, string>
): ReadonlyArray<unknown> =>
  [...fresh].flatMap(([path, text]) => {
    const other = cached.get(path) ?? ""
    if (text === other) return []
    const at = [...text].findIndex((character, index) => character !== other[index])
    const excerpt = (whole: string) => whole.slice(Math.max(0, at - 60), at + 120)
    return [{ path, fresh: excerpt(text), cached: excerpt(other) }]
  })

const openReader = (): Promise<Reader> => server.workspace.runtime.runPromise(makeReader)

it("a page from the caches equals its fresh rendering, after any change", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const site = await openSite()
      const cached = await openReader()
      const edge = await openEdge()
      await edge.purge()
      for (const reader of [cached, edge.reader]) await readPages(reader, site)
      for (const one of changes) {
        await apply(site, one)
        await edge.purge()
        const fresh = await readPages(await openReader(), site)
        for (const reader of [cached, edge.reader]) {
          expect(differences(await readPages(reader, site), fresh)).toEqual([])
        }
      }
    }),
    runs(4)
  )
})
