/** The formats of a site for machines: Markdown, `llms.txt`, `sitemap.xml` and `robots.txt`. */
import type { StorageUnavailable } from "@lectern/core"
import { wellFormed } from "@lectern/core/content"
import { Effect } from "effect"
import { escapeText } from "../html/Html.ts"
import type { ContentLoader } from "../source/ContentLoader.ts"
import type { DocumentPage } from "../source/PageIndex.ts"
import { resolvePath } from "../source/PageIndex.ts"
import { resolveMetaLinks } from "./metaLinks.ts"
import { firstDocument, type LoadedSpace, pathOfPage, type ReadableSite } from "./ReadableSite.ts"
import { absoluteUrl, markdownPath } from "./SitePages.ts"

const pagePattern = /^\/pages\/([A-Za-z0-9._~-]{1,64})(#[\s\S]*)?$/
const filePattern = /^\/files\/([A-Za-z0-9._~-]{1,64})$/

/** Returns the function that replaces links to pages and files by URLs that readers of the Markdown can open. */
const absoluteLinks =
  (site: ReadableSite, space: LoadedSpace, page: DocumentPage) =>
  (url: string): string | undefined => {
    const urlOf = (target: DocumentPage, anchor: string): string =>
      `${site.publicUrl ?? ""}${markdownPath(space, target)}${anchor}`
    const [, id, anchor = ""] = pagePattern.exec(url) ?? []
    if (id !== undefined) {
      const found = space.index.byId.get(id)?.page
      const target = found === undefined ? undefined : firstDocument(found)
      return target === undefined ? undefined : urlOf(target, anchor)
    }
    const fileId = filePattern.exec(url)?.[1]
    if (fileId !== undefined) return space.index.files.get(fileId)?.downloadURL
    if (url === "" || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)) return undefined
    const found = resolvePath(space.index, page.path, url)
    if (found === undefined) return undefined
    if ("file" in found) return found.file.downloadURL
    const target = firstDocument(found.page)
    return target === undefined ? undefined : urlOf(target, found.anchor === "" ? "" : `#${found.anchor}`)
  }

/** Renders a page as Markdown, with its title and its description. */
export const pageMarkdown = (
  loader: Pick<ContentLoader, "relink">,
  site: ReadableSite,
  space: LoadedSpace,
  page: DocumentPage,
  markdown: string
): Effect.Effect<string, StorageUnavailable> =>
  Effect.map(loader.relink(wellFormed(markdown), absoluteLinks(site, space, page)), (linked) =>
    [
      `# ${page.title}`,
      ...(page.description === undefined || page.description === ""
        ? []
        : [`> ${page.description.replace(/\s*\n\s*/g, " ")}`]),
      linked.trim()
    ]
      .filter((part) => part !== "")
      .join("\n\n")
      .concat("\n")
  )

/** The pages of a space that machines read: visible ones that search engines may list. */
export const listedPages = (space: LoadedSpace): ReadonlyArray<DocumentPage> =>
  space.index.reading.filter((page) => page.noRobotsIndex !== true)

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Renders `llms.txt`: the pages of the site with their descriptions, as links to Markdown. */
export const llmsText = (site: ReadableSite, spaces: ReadonlyArray<LoadedSpace>): string => {
  const sections = spaces.map((space) =>
    [
      `## ${oneLine(space.title)}`,
      "",
      ...listedPages(space).map((page) => {
        const description = page.description === undefined ? "" : `: ${oneLine(page.description)}`
        return `- [${oneLine(page.title).replace(/[[\]]/g, "\\$&")}](${site.publicUrl ?? ""}${markdownPath(space, page)})${description}`
      })
    ].join("\n")
  )
  return `# ${oneLine(site.customization.title ?? site.title)}\n\n${sections.join("\n\n")}\n`
}

/** The maximum number of URLs in a sitemap, by its specification. */
const maximumUrls = 50_000

/** The pages whose canonical URL is another one: search engines list that one instead. */
const findPagesElsewhere = Effect.fnUntraced(function* (
  site: ReadableSite,
  spaces: ReadonlyArray<LoadedSpace>
): Effect.fn.Return<ReadonlySet<DocumentPage>, StorageUnavailable> {
  const byId = new Map<string, LoadedSpace>(spaces.map((space) => [space.id, space]))
  // Only spaces of the sitemap, whose versions its cache depends on.
  const loadSpace = (_: ReadableSite, id: string) => Effect.succeed(byId.get(id))
  const elsewhere = new Set<DocumentPage>()
  for (const space of spaces) {
    for (const page of listedPages(space)) {
      const canonical = page.metaLinks?.canonical
      if (canonical === undefined) continue
      const links = yield* resolveMetaLinks({ loadSpace, absoluteUrl }, site, space, {
        ...page,
        metaLinks: { canonical }
      })
      const own = absoluteUrl(site, pathOfPage(space, page))
      if (links.canonical !== undefined && links.canonical !== own) elsewhere.add(page)
    }
  }
  return elsewhere
})

/** Renders `sitemap.xml`. */
export const sitemap = Effect.fnUntraced(function* (
  site: ReadableSite,
  spaces: ReadonlyArray<LoadedSpace>
): Effect.fn.Return<string, StorageUnavailable> {
  const elsewhere = yield* findPagesElsewhere(site, spaces)
  const listed = (space: LoadedSpace) => listedPages(space).filter((page) => !elsewhere.has(page))
  const urls = spaces.flatMap((space) =>
    listed(space).map((page) => {
      const modified = page.updatedAt === undefined ? "" : `<lastmod>${escapeText(page.updatedAt)}</lastmod>`
      return `<url><loc>${escapeText(`${site.publicUrl ?? ""}${pathOfPage(space, page)}`)}</loc>${modified}</url>`
    })
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.slice(0, maximumUrls).join("\n")}\n</urlset>\n`
})

/** Renders `robots.txt`. */
export const robotsText = (site: ReadableSite): string =>
  site.isIndexed
    ? `User-agent: *\nAllow: /\n\nSitemap: ${site.publicUrl ?? ""}sitemap.xml\n`
    : "User-agent: *\nDisallow: /\n"
