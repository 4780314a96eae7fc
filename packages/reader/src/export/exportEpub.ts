/** Exports the pages of a published site as a book in EPUB 3, as an anonymous visitor sees them. */
import { unescaped } from "@lectern/model/schema"
import { type Zippable, zipSync } from "fflate"
import { parse } from "parse5"
import { escapeText } from "../html/Html.ts"
import { type CrawledSite, decodeAttribute, type GetUrl, partOfSite } from "./crawlSite.ts"
import { inertSvg } from "./inertFiles.ts"
import { findElement } from "./searchedText.ts"
import { toXhtml } from "./toXhtml.ts"

/** A book. */
export interface ExportedBook {
  /** The number of pages. */
  readonly pages: number
  /** The bytes of the file. */
  readonly bytes: Uint8Array
}

/** The maximum number of pages of a book. */
const maximumPages = 10_000

/** The maximum size of the images of a book, in bytes. Further images are replaced by their descriptions. */
const maximumImageBytes = 200 * 1024 * 1024

/** The formats of images that every reader of books supports, with the endings of their files. */
const imageTypes: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/svg+xml": "svg",
  "image/webp": "webp"
}

const style = `body { line-height: 1.5 }
pre { padding: 0.6em; overflow-wrap: anywhere; white-space: pre-wrap; font-size: 0.85em; border: 1px solid #ccc }
code { font-family: monospace }
table { border-collapse: collapse }
th, td { padding: 0.3em 0.6em; text-align: left; border: 1px solid #ccc }
img { max-width: 100% }
blockquote, .hint { margin: 1em 0; padding: 0.2em 1em; border-left: 3px solid #999 }
`

const decoder = new TextDecoder()
const encoder = new TextEncoder()

interface BookPage {
  readonly url: string
  readonly title: string
  readonly html: string
  readonly language: string
}

const document = (language: string, title: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${escapeText(language)}" xml:lang="${escapeText(language)}"><head><meta charset="utf-8"/><title>${escapeText(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head><body>${body}</body></html>\n`

/** Returns the URLs of the pages of the site that search engines may list, in reading order, with the newest change. */
const readSitemap = async (site: CrawledSite, get: GetUrl) => {
  const text = decoder.decode((await get(`${site.root}sitemap.xml`)).body)
  const urls = Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => decodeAttribute(url!))
  const times = Array.from(text.matchAll(/<lastmod>([^<]*)<\/lastmod>/g), ([, time]) => time!).sort()
  return { urls: [...new Set(urls)].slice(0, maximumPages), modified: times.at(-1) }
}

const isTag = (name: string) => (element: { readonly tagName: string }) => element.tagName === name

const readPage = async (get: GetUrl, url: string): Promise<BookPage | undefined> => {
  const { status, contentType, body } = await get(url)
  if (status !== 200 || !contentType.startsWith("text/html")) return undefined
  const html = decoder.decode(body)
  const [, title = url] = /<meta property="og:title" content="([^"]*)"/.exec(html) ?? []
  const [, language = "en"] = /<html lang="([^"]*)"/.exec(html) ?? []
  return { url, title: decodeAttribute(title), html, language }
}

const idsIn = (xhtml: string): ReadonlySet<string> =>
  new Set(Array.from(xhtml.matchAll(/ id="([^"]*)"/g), ([, id]) => decodeAttribute(id!)))

/** Removes the fragments of links to pages that have no such id, which books must not contain. */
const withExistingFragments = (
  xhtml: string,
  own: string,
  idsOf: ReadonlyMap<string, ReadonlySet<string>>
): string =>
  xhtml.replaceAll(
    / href="(page-\d+\.xhtml)?#([^"]*)"/g,
    (whole, file: string | undefined, fragment: string) =>
      idsOf.get(file ?? own)?.has(unescaped(decodeAttribute(fragment))) === true
        ? whole
        : ` href="${file ?? own}"`
  )

/** Exports a book with all pages of a site. `title` is its title. */
export const exportEpub = async (site: CrawledSite, get: GetUrl): Promise<ExportedBook> => {
  const { urls, modified = "2000-01-01T00:00:00.000Z" } = await readSitemap(site, get)
  const pages: Array<BookPage> = []
  for (const url of urls) {
    const page = await readPage(get, url)
    if (page !== undefined) pages.push(page)
  }
  const fileOfUrl = new Map(pages.map(({ url }, index) => [url, `page-${index + 1}.xhtml`]))
  const images = new Map<
    string,
    { readonly file: string; readonly type: string; readonly body: Uint8Array } | undefined
  >()
  let imageBytes = 0
  const loadImage = async (url: string): Promise<void> => {
    if (images.has(url)) return
    const { status, contentType, body } = await get(url)
    const type = contentType.split(";")[0]!.trim()
    const ending = Object.hasOwn(imageTypes, type) ? imageTypes[type] : undefined
    const isIncluded = status === 200 && ending !== undefined && imageBytes + body.length <= maximumImageBytes
    if (isIncluded) imageBytes += body.length
    const inert = ending === "svg" && isIncluded ? encoder.encode(inertSvg(body)) : body
    images.set(
      url,
      isIncluded ? { file: `image-${images.size + 1}.${ending}`, type, body: inert } : undefined
    )
  }
  const siteTitle = decodeAttribute(
    /<meta property="og:site_name" content="([^"]*)"/.exec(pages[0]?.html ?? "")?.[1] ?? site.root
  )
  const language = pages[0]?.language ?? "en"
  const files: Zippable = {
    mimetype: [encoder.encode("application/epub+zip"), { level: 0 }],
    "META-INF/container.xml": encoder.encode(
      '<?xml version="1.0"?>\n<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>\n'
    )
  }
  const hasMath: Array<boolean> = []
  const bodies: Array<string> = []
  for (const { url, html } of pages) {
    const article = findElement(parse(html), isTag("article"))
    const content =
      article &&
      findElement(article, ({ attrs }) =>
        attrs.some(({ name, value }) => name === "class" && value === "content")
      )
    for (const [, source] of html.matchAll(/<img [^>]*?src="([^"]*)"/g)) {
      const image = partOfSite(site, url, decodeAttribute(source!))
      if (image !== undefined) await loadImage(image)
    }
    const body =
      content === undefined
        ? ""
        : toXhtml(content, {
            link: (target) => {
              if (target.startsWith("#")) return target
              if (!URL.canParse(target, url)) return undefined
              const absolute = new URL(target, url)
              const fragment = absolute.hash
              absolute.hash = ""
              const file = fileOfUrl.get(absolute.href)
              return file === undefined ? absolute.href + fragment : file + fragment
            },
            image: (source) => images.get(partOfSite(site, url, source) ?? "")?.file
          })
    hasMath.push(body.includes("<math"))
    bodies.push(body)
  }
  const idsOf = new Map(bodies.map((body, index) => [`page-${index + 1}.xhtml`, idsIn(body)]))
  for (const [index, { url, title }] of pages.entries()) {
    const file = fileOfUrl.get(url)!
    const body = withExistingFragments(bodies[index]!, file, idsOf)
    files[`book/${file}`] = encoder.encode(document(language, title, `<h1>${escapeText(title)}</h1>${body}`))
  }
  const entries = pages.map(
    ({ url, title }) => `<li><a href="${fileOfUrl.get(url)}">${escapeText(title)}</a></li>`
  )
  files["book/nav.xhtml"] = encoder.encode(
    document(
      language,
      siteTitle,
      `<nav epub:type="toc"><h1>${escapeText(siteTitle)}</h1><ol>${entries.join("")}</ol></nav>`
    )
  )
  files["book/style.css"] = encoder.encode(style)
  const included = [...images.values()].filter((image) => image !== undefined)
  for (const { file, body } of included) files[`book/${file}`] = [body, { level: 0 }]
  const manifest = [
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    '<item id="style" href="style.css" media-type="text/css"/>',
    ...pages.map(
      (_, index) =>
        `<item id="page-${index + 1}" href="page-${index + 1}.xhtml" media-type="application/xhtml+xml"${hasMath[index] === true ? ' properties="mathml"' : ""}/>`
    ),
    ...included.map(
      ({ file, type }) => `<item id="${file.replace(".", "-")}" href="${file}" media-type="${type}"/>`
    )
  ]
  files["book/package.opf"] = encoder.encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${escapeText(language)}"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">${escapeText(site.root)}</dc:identifier><dc:title>${escapeText(siteTitle)}</dc:title><dc:language>${escapeText(language)}</dc:language><meta property="dcterms:modified">${modified.slice(0, 19)}Z</meta></metadata><manifest>${manifest.join("")}</manifest><spine>${pages.map((_, index) => `<itemref idref="page-${index + 1}"/>`).join("")}</spine></package>\n`
  )
  return { pages: pages.length, bytes: zipSync(files) }
}
