/** Converts web pages to Markdown, and extracts their title, links and place in the website. */

import { decodeHtml, type Readings, type WebPage } from "@lectern/formats/threads"
import type { Element } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { cleanContent } from "./clean.ts"
import { findMainContent } from "./mainContent.ts"
import { makeMeasurer } from "./measures.ts"
import { attribute, elementsIn, isElement } from "./nodes.ts"
import { parseHtml, resolverFor } from "./parse.ts"
import { findPlace, hasToken } from "./place.ts"
import { toMarkdown } from "./toMarkdown.ts"

/** The maximum number of links of a page that are followed. */
const maxLinks = 5000

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

/** Returns the URLs of the neighbors of a page that it declares. */
const neighborsOf = (
  elements: ReadonlyArray<Element>,
  addressOf: (href: string) => string | undefined
): ReadonlySet<string> =>
  new Set(
    elements
      .filter((element) => isElement(element, "link"))
      .filter((link) =>
        /(?:^|\s)(?:prev|previous|next|up|home|start)(?:\s|$)/i.test(attribute(link, "rel") ?? "")
      )
      .flatMap((link) => addressOf(attribute(link, "href") ?? "") ?? [])
  )

/** Reads a web page. Throws `NotReadable` if it has too many elements, or they are nested too deep. */
export const readHtml = ({ bytes, url, mark, isWhole, withPlace }: Readings["html"]["in"]): WebPage => {
  const root = parseHtml(decodeHtml(bytes))
  const elements = elementsIn(root)
  const baseElement = elements.find((element) => isElement(element, "base"))
  const base =
    (baseElement === undefined ? undefined : resolverFor(url)(attribute(baseElement, "href") ?? "")) ?? url
  const addressOf = resolverFor(base)
  const self = resolverFor(url)(url) ?? url
  const titleElement = elements.find((element) => isElement(element, "title"))
  const documentTitle = nonBlank(titleElement === undefined ? undefined : textOf(titleElement))
  const content = isWhole === true ? root : findMainContent(root)
  const { children, anchors, title } = cleanContent(content, {
    documentTitle,
    measure: makeMeasurer(neighborsOf(elements, addressOf), addressOf)
  })
  const { markdown, targets } = toMarkdown(children, { base, self, mark, anchors })
  const canonical = elements.find(
    (element) => isElement(element, "link") && hasToken(attribute(element, "rel"), "canonical")
  )
  const searchPages = new Set(
    elements
      .filter((element) => isElement(element, "link") && hasToken(attribute(element, "rel"), "search"))
      .flatMap((link) => addressOf(attribute(link, "href") ?? "") ?? [])
  )
  const links = hasToken(metaOf(elements, "robots"), "nofollow")
    ? []
    : elements
        .filter(
          (element) => isElement(element, "a", "area") && !hasToken(attribute(element, "rel"), "nofollow")
        )
        .slice(0, maxLinks)
        .flatMap((element) => addressOf(attribute(element, "href") ?? "") ?? [])
        .filter((link) => !searchPages.has(link))
  return {
    title: title ?? withoutSiteName(metaOf(elements, "og:title") ?? documentTitle),
    description: metaOf(elements, "description") ?? metaOf(elements, "og:description"),
    markdown,
    targets,
    anchors,
    links: [...new Set(links)],
    canonical: canonical === undefined ? undefined : addressOf(attribute(canonical, "href") ?? ""),
    place: withPlace === true ? findPlace(root, content, addressOf, self) : undefined
  }
}
