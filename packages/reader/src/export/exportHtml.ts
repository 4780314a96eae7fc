/** Exports a published site as static files, as an anonymous visitor sees it, with a search that needs no server. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { escapeText } from "../html/Html.ts"
import { decodePart } from "../html/urls.ts"
import { searchSettingsPath } from "../site/reservedPath.ts"
import type { SiteSearchSettings } from "../site/searchSettings.ts"
import {
  type CrawledSite,
  crawlSite,
  decodeAttribute,
  feedbackForm,
  type GetUrl,
  isFileOfAuthor,
  partOfSite,
  urlAttribute
} from "./crawlSite.ts"
import { fileOf, relativeFile } from "./exportedFiles.ts"
import { inertSvg, isSaved } from "./inertFiles.ts"
import { type SearchedPage, searchedPage } from "./searchedText.ts"

/** Writes a file of the export. The path is relative, and has no `..`. */
export type WriteFile = (path: string, content: string | Uint8Array) => Promise<void>

/** The result of an export. */
export interface ExportedSite {
  /** The number of pages. */
  readonly pages: number
  /** The number of all files. */
  readonly files: number
  /** The URLs that pages link to and that do not exist, with the first page of each. */
  readonly missing: ReadonlyArray<{ readonly url: string; readonly status: number }>
}

/** The names of the files of the search. */
const searchFiles = {
  library: "assets/minisearch.js",
  script: "assets/search.js",
  index: "assets/search-index.js"
}

const decoder = new TextDecoder()

/** The name of the file at a URL. */
const nameOf = (url: string): string => decodePart(new URL(url).pathname.split("/").at(-1) ?? "")

/** Replaces the URLs of the page at a URL by relative URLs of files, and the search by that of the export. */
const toStatic = (site: CrawledSite, url: string, file: string, html: string): string => {
  const searchPage = escapeText(relativeFile(file, "search.html"))
  const scripts = [searchFiles.library, searchFiles.script]
    .map((name) => `<script defer src="${escapeText(relativeFile(file, name))}"></script>`)
    .join("")
  return html
    .replaceAll(urlAttribute, (whole, name: string, value: string, offset: number) => {
      // The canonical URL remains that of the published site.
      if (html.endsWith('rel="canonical"', offset)) return whole
      const link = decodeAttribute(value)
      const target = partOfSite(site, url, link)
      if (target === undefined) {
        const isSearch = URL.canParse(link, url) && new URL(link, url).href.startsWith(`${site.root}~/search`)
        return isSearch ? ` ${name}="${searchPage}"` : whole
      }
      const fragment = link.includes("#") ? link.slice(link.indexOf("#")) : ""
      const written = fileOf(site, target)
      const saved = isFileOfAuthor(site, target) && isSaved(written) && name === "href"
      const download = saved ? ` download="${escapeText(nameOf(target))}"` : ""
      return ` ${name}="${escapeText(relativeFile(file, written) + fragment)}"${download}`
    })
    .replace(
      /(<dialog class="search") data-url="[^"]*"/,
      `$1 data-root="${escapeText(relativeFile(file, "index.html").replace(/index\.html$/, ""))}"`
    )
    .replace(feedbackForm, "")
    .replace("</head>", `${scripts}</head>`)
}

/** A page that redirects to another one. */
const redirectPage = (target: string): string =>
  `<!doctype html>\n<html><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${escapeText(target)}"><title>${escapeText(target)}</title></head><body><a href="${escapeText(target)}">${escapeText(target)}</a></body></html>\n`

/** A value in a script. */
const scriptValue = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029")

/** Returns the settings of the search of a site, with the files of its pages. A site without the route has no settings. */
const readSearchSettings = async (site: CrawledSite, get: GetUrl) => {
  const { status, body } = await get(site.root + searchSettingsPath)
  const settings: SiteSearchSettings =
    status === 200 ? JSON.parse(decoder.decode(body)) : { synonyms: [], pins: [], weights: {} }
  const fileAt = (path: string): string => fileOf(site, site.root + path)
  return {
    synonyms: settings.synonyms,
    pins: settings.pins.map(({ queries, path }) => ({ queries, id: fileAt(path) })),
    weights: Object.fromEntries(
      Object.entries(settings.weights).map(([path, weight]) => [fileAt(path), weight])
    )
  }
}

/** The index and the settings of the search, as a script, because browsers forbid pages in files to read other files. */
const searchIndex = (pages: ReadonlyArray<SearchedPage>, settings: unknown): string =>
  `globalThis.lecternSearchIndex = ${scriptValue(pages)}\nglobalThis.lecternSearchSettings = ${scriptValue(settings)}\n`

const require = createRequire(import.meta.url)

/** Exports a published site. `get` requests URLs without credentials. */
export const exportHtml = async (site: CrawledSite, get: GetUrl, write: WriteFile): Promise<ExportedSite> => {
  const missing: Array<{ readonly url: string; readonly status: number }> = []
  const searched: Array<SearchedPage> = []
  let [pages, files] = [0, 0]
  const writeCounted: WriteFile = async (path, content) => {
    files++
    await write(path, content)
  }
  const searchPage = await get(`${site.root}~/search`)
  await writeCounted(
    "search.html",
    toStatic(site, `${site.root}~/search`, "search.html", decoder.decode(searchPage.body))
  )
  await crawlSite(site, get, async (url, { status, contentType, location, body }) => {
    const file = fileOf(site, url)
    if (location !== undefined) {
      const target = partOfSite(site, url, location)
      if (target !== undefined && fileOf(site, target) !== file) {
        await writeCounted(file, redirectPage(relativeFile(file, fileOf(site, target))))
      }
      return
    }
    if (status !== 200) {
      missing.push({ url, status })
      return
    }
    if (isFileOfAuthor(site, url)) return writeCounted(file, file.endsWith(".svg") ? inertSvg(body) : body)
    if (!contentType.startsWith("text/html")) return writeCounted(file, body)
    const html = toStatic(site, url, file, decoder.decode(body))
    if (html.includes("<article")) pages++
    const page = searchedPage(file, html)
    if (page !== undefined) searched.push(page)
    await writeCounted(file, html)
  })
  const notFound = await get(`${site.root}404`)
  if (notFound.status === 404)
    await writeCounted(
      "404.html",
      toStatic(site, `${site.root}404`, "404.html", decoder.decode(notFound.body))
    )
  await writeCounted(searchFiles.index, searchIndex(searched, await readSearchSettings(site, get)))
  await writeCounted(
    searchFiles.library,
    readFileSync(join(dirname(require.resolve("minisearch")), "../umd/index.js"), "utf8").replace(
      /\n\/\/# sourceMappingURL=.*/,
      ""
    )
  )
  await writeCounted(
    searchFiles.script,
    readFileSync(new URL("../../assets/staticSearch.js", import.meta.url), "utf8")
  )
  return { pages, files, missing }
}
