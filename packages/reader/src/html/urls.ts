/** URLs that are safe in links, images and frames: they execute nothing, and their scheme is known. */
import type { Brand } from "effect"

/** A URL that executes nothing when it is opened or loaded. */
export type SafeUrl = string & Brand.Brand<"SafeUrl">

/** The maximum length of a URL of a document, in characters. Longer ones are not links. */
const maximumLength = 4_096

const linkSchemes = new Set(["http:", "https:", "mailto:", "tel:"])
const resourceSchemes = new Set(["http:", "https:"])

const parseUrl = (text: string, schemes: ReadonlySet<string>): SafeUrl | undefined => {
  const trimmed = text.trim()
  if (trimmed.length > maximumLength || !/^[a-z][a-z0-9+.-]*:/i.test(trimmed)) return undefined
  const url = URL.parse(trimmed)
  return url !== null && schemes.has(url.protocol) ? (url.href as SafeUrl) : undefined
}

/** Returns an absolute URL that a link may have: HTTP, HTTPS, mail or phone. Otherwise `undefined`. */
export const externalUrl = (text: string): SafeUrl | undefined =>
  parseUrl(text.startsWith("//") ? `https:${text}` : text, linkSchemes)

/** Returns an absolute URL that an image, a video or a frame may have: HTTP or HTTPS. Otherwise `undefined`. */
export const resourceUrl = (text: string): SafeUrl | undefined =>
  parseUrl(text.startsWith("//") ? `https:${text}` : text, resourceSchemes)

/** Returns the URL of an anchor on the same page. */
export const anchorUrl = (anchor: string): SafeUrl => `#${encodeURIComponent(anchor)}` as SafeUrl

/** Percent-decodes a part of a URL. Returns it unchanged if the encoding is malformed. */
export const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Encodes a path below the root of a site: segments separated by slashes, which may end in one. */
export const encodePath = (path: string): string => path.split("/").map(encodeURIComponent).join("/")

/**
 * Returns the relative URL of a path from another path, both below the same root and encoded. Relative URLs are correct
 * at every path where a site is mounted, also behind a proxy with another path.
 *
 * @example
 * relativeUrl("guide/setup", "api/users") // "../api/users"
 * relativeUrl("guide/setup", "") // "../"
 * relativeUrl("guide/", "guide/setup") // "setup"
 */
export const relativeUrl = (from: string, to: string): SafeUrl => {
  const [path = "", suffix = ""] = splitSuffix(to)
  const fromSegments = from.split("/").slice(0, -1)
  const toSegments = path.split("/")
  const name = toSegments.pop()!
  let common = 0
  while (common < fromSegments.length && fromSegments[common] === toSegments[common]) common++
  const relative = `${"../".repeat(fromSegments.length - common)}${toSegments
    .slice(common)
    .map((segment) => `${segment}/`)
    .join("")}${name}`
  // Without the dot, an empty URL would be that of the page, and a colon would end a scheme.
  const isAmbiguous = relative === "" || relative.startsWith("/") || /^[^/]*:/.test(relative)
  return `${isAmbiguous ? "./" : ""}${relative}${suffix}` as SafeUrl
}

/** Returns the URL of a search page with a query. */
export const withQuery = (url: SafeUrl, query: string): SafeUrl =>
  `${url}?${new URLSearchParams({ q: query })}` as SafeUrl

const splitSuffix = (url: string): readonly [path: string, suffix: string] => {
  const at = url.search(/[?#]/)
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at)]
}
