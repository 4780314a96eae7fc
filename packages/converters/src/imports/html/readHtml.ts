/** Converts web pages to Markdown, and extracts their title, links and navigation. */

import { decodeHtml, NotReadable, type Readings, type WebPage } from "@lectern/core/conversion"
import type { Element, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { toString as textOf } from "hast-util-to-string"
import { parse as parse5 } from "parse5"
import { cleanContent } from "./clean.ts"
import { findMainContent } from "./mainContent.ts"
import { extractNavigation } from "./navigation.ts"
import { attribute, depthOf, elementsIn, isElement } from "./nodes.ts"
import { toMarkdown } from "./toMarkdown.ts"

/** The maximum depth of the elements of a page. */
const maxDepth = 300

/** The maximum number of elements of a page. Converting each takes about 15 µs. */
const maxElements = 50_000

/** The maximum number of links of a page that are followed. */
const maxLinks = 5000

const tooDeep = new NotReadable({
  message: `points to a page whose elements are nested too deep: the maximum is ${maxDepth} levels`
})

const tooLarge = new NotReadable({
  message: `points to a page of more than ${maxElements} elements: import it in parts`
})

const parseHtml = (html: string): Root => {
  try {
    const root = fromParse5(parse5(html, { scriptingEnabled: false })) as Root
    if (depthOf(root, maxDepth) > maxDepth) throw tooDeep
    if (elementsIn(root).length > maxElements) throw tooLarge
    return root
  } catch (error) {
    // A tree of many thousand levels overflows the call stack of the parser.
    throw error instanceof RangeError ? tooDeep : error
  }
}

/** Normalizes whitespace, and returns `undefined` for blank text. */
const nonBlank = (text: string | undefined): string | undefined => {
  const normalized = text?.replaceAll(/\s+/g, " ").trim()
  return normalized === undefined || normalized === "" ? undefined : normalized
}

/** Returns the title of a page without the name of the site, such as `Page` of `Page – Site`. */
const withoutSiteName = (title: string | undefined): string | undefined =>
  nonBlank(title?.split(/\s+[|·–—»-]\s+/u)[0]) ?? title

const metaOf = (elements: ReadonlyArray<Element>, name: string): string | undefined =>
  nonBlank(
    elements
      .filter((element) => isElement(element, "meta"))
      .filter((meta) => (attribute(meta, "name") ?? attribute(meta, "property"))?.toLowerCase() === name)
      .map((meta) => attribute(meta, "content"))
      .find((content) => content !== undefined)
  )

/** Returns a function that resolves a `href` to a URL without fragment, or `undefined` if it is not an HTTP URL. */
const resolverFor =
  (base: string) =>
  (href: string): string | undefined => {
    if (!URL.canParse(href.trim(), base)) return undefined
    const url = new URL(href.trim(), base)
    url.hash = ""
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined
  }

/** Returns whether a space- or comma-separated attribute contains a token. */
const hasToken = (value: string | undefined, token: string): boolean =>
  value
    ?.toLowerCase()
    .split(/[\s,]+/)
    .includes(token) === true

/** Reads a web page. Throws `NotReadable` if it has too many elements, or they are nested too deep. */
export const readHtml = ({ bytes, url, mark, isWhole, withNavigation }: Readings["html"]["in"]): WebPage => {
  const root = parseHtml(decodeHtml(bytes))
  const elements = elementsIn(root)
  const baseElement = elements.find((element) => isElement(element, "base"))
  const base =
    (baseElement === undefined ? undefined : resolverFor(url)(attribute(baseElement, "href") ?? "")) ?? url
  const addressOf = resolverFor(base)
  const { children, anchors, title } = cleanContent(isWhole === true ? root : findMainContent(root))
  const self = resolverFor(url)(url) ?? url
  const { markdown, targets } = toMarkdown(children, { base, self, mark, anchors })
  const canonical = elements.find(
    (element) => isElement(element, "link") && hasToken(attribute(element, "rel"), "canonical")
  )
  const titleElement = elements.find((element) => isElement(element, "title"))
  const links = hasToken(metaOf(elements, "robots"), "nofollow")
    ? []
    : elements
        .filter(
          (element) => isElement(element, "a", "area") && !hasToken(attribute(element, "rel"), "nofollow")
        )
        .slice(0, maxLinks)
        .flatMap((element) => addressOf(attribute(element, "href") ?? "") ?? [])
  return {
    title:
      title ??
      withoutSiteName(
        metaOf(elements, "og:title") ??
          nonBlank(titleElement === undefined ? undefined : textOf(titleElement))
      ),
    description: metaOf(elements, "description") ?? metaOf(elements, "og:description"),
    markdown,
    targets,
    anchors,
    links: [...new Set(links)],
    canonical: canonical === undefined ? undefined : addressOf(attribute(canonical, "href") ?? ""),
    navigation: withNavigation === true ? extractNavigation(root, addressOf) : []
  }
}
