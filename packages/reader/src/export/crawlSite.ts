/** Reads the pages of a published site as an anonymous visitor, by following their links. */

/** A response of the server. */
export interface SiteResponse {
  /** The HTTP status. */
  readonly status: number
  /** The media type, with its parameters. */
  readonly contentType: string
  /** The target of a redirect. */
  readonly location: string | undefined
  /** The decoded body. */
  readonly body: Uint8Array
}

/** Requests a URL without credentials. */
export type GetUrl = (url: string) => Promise<SiteResponse>

/** The maximum number of URLs of a site. */
const maximumUrls = 200_000

/** The URLs of a site that its pages do not link to. */
const rootFiles = ["robots.txt", "sitemap.xml", "llms.txt", "rss.xml", "atom.xml"]

/** Matches an attribute with a URL. The renderer writes every attribute in double quotes, and escapes them in text. */
export const urlAttribute = / (href|src|poster|action|data-source)="([^"]*)"/g

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'"
}

/** Decodes the value of an attribute that the renderer has written. */
export const decodeAttribute = (value: string): string =>
  value.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!)

/** Whether a URL is that of a part of the site that the export replaces: the search. */
const isReplaced = (path: string): boolean => /^~\/search(?:\?|$)/.test(path)

/** A site that is read. */
export interface CrawledSite {
  /** The URL of the site, with a final slash. */
  readonly root: string
  /** The URL of the workspace, without a final slash, which serves the files of pages. */
  readonly workspace: string
}

/** Whether a URL is that of a file of an author. */
export const isFileOfAuthor = ({ workspace }: CrawledSite, url: string): boolean =>
  url.startsWith(`${workspace}/files/`)

/** Returns the absolute URL of a link if it is part of the site, or a file that the workspace serves; without its fragment. */
export const partOfSite = (site: CrawledSite, from: string, link: string): string | undefined => {
  if (link === "" || link.startsWith("#") || !URL.canParse(link, from)) return undefined
  const url = new URL(link, from)
  url.hash = ""
  if (isFileOfAuthor(site, url.href)) return url.href
  const { root } = site
  return url.href.startsWith(root) && !isReplaced(url.href.slice(root.length)) ? url.href : undefined
}

/** The form for ratings, which needs a server. */
export const feedbackForm = /<form class="feedback"[\s\S]*?<\/form>/

/** Returns the URLs of the site that an HTML page refers to. */
const linksIn = (site: CrawledSite, from: string, html: string): ReadonlyArray<string> =>
  Array.from(html.replace(feedbackForm, "").matchAll(urlAttribute), ([, , value]) =>
    partOfSite(site, from, decodeAttribute(value!))
  ).filter((url) => url !== undefined)

const decoder = new TextDecoder()

/** Returns the URLs in a response of HTML or of a style sheet. */
const linksOf = (
  site: CrawledSite,
  url: string,
  { contentType, location, body }: SiteResponse
): ReadonlyArray<string> => {
  if (location !== undefined) return [partOfSite(site, url, location) ?? []].flat()
  // The links in files of authors are not links of the site.
  if (isFileOfAuthor(site, url)) return []
  if (contentType.startsWith("text/html")) return linksIn(site, url, decoder.decode(body))
  if (!contentType.startsWith("text/css")) return []
  return Array.from(decoder.decode(body).matchAll(/url\(["']?([^"')]+)/g), ([, link]) =>
    partOfSite(site, url, link!)
  ).filter((link) => link !== undefined)
}

/** Reads all URLs of a site in the order in which its pages refer to them, and passes each response to `use`. */
export const crawlSite = async (
  site: CrawledSite,
  get: GetUrl,
  use: (url: string, response: SiteResponse) => Promise<void>
): Promise<void> => {
  const seen = new Set([site.root, ...rootFiles.map((name) => `${site.root}${name}`)])
  for (const url of seen) {
    const response = await get(url)
    await use(url, response)
    for (const link of linksOf(site, url, response)) if (seen.size < maximumUrls) seen.add(link)
  }
}
