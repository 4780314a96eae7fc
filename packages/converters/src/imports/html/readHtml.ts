/** Reads web pages: their content as markdown, and where they lead. */

import { decodeHtml, NotReadable, type Readings, type WebPage } from "@lectern/core/conversion"
import type { Element, Root } from "hast"
import { fromParse5 } from "hast-util-from-parse5"
import { toString as textOf } from "hast-util-to-string"
import { parse as parse5 } from "parse5"
import { clean } from "./clean.ts"
import { mainContentOf } from "./mainContent.ts"
import { navigationOf } from "./navigation.ts"
import { attribute, depthOf, elementsIn, isElement } from "./nodes.ts"
import { toMarkdown } from "./toMarkdown.ts"

/** How deep the elements of a page may be nested. */
const deepest = 300

/** The most links of a page that are followed. */
const mostLinks = 5000

const tooDeep = new NotReadable({ message: "leads to a page that is nested too deep" })

const parse = (html: string): Root => {
  try {
    const root = fromParse5(parse5(html, { scriptingEnabled: false })) as Root
    if (depthOf(root, deepest) > deepest) throw tooDeep
    return root
  } catch (error) {
    // A tree of many thousand levels ends the call stack of the parser.
    throw error instanceof RangeError ? tooDeep : error
  }
}

const words = (text: string | undefined): string | undefined => {
  const plain = text?.replaceAll(/\s+/g, " ").trim()
  return plain === undefined || plain === "" ? undefined : plain
}

/** The title of a page without that of its website. */
const withoutSite = (title: string | undefined): string | undefined =>
  words(title?.split(/\s+[|·–—»-]\s+/u)[0]) ?? title

const metaOf = (elements: ReadonlyArray<Element>, name: string): string | undefined =>
  words(
    elements
      .filter((element) => isElement(element, "meta"))
      .filter((meta) => (attribute(meta, "name") ?? attribute(meta, "property"))?.toLowerCase() === name)
      .map((meta) => attribute(meta, "content"))
      .find((content) => content !== undefined)
  )

/** An address without the place in the page that it names, if it is one of the web. */
const addressAt =
  (base: string) =>
  (href: string): string | undefined => {
    if (!URL.canParse(href.trim(), base)) return undefined
    const url = new URL(href.trim(), base)
    url.hash = ""
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined
  }

const says = (value: string | undefined, word: string): boolean =>
  value
    ?.toLowerCase()
    .split(/[\s,]+/)
    .includes(word) === true

/** Reads a web page. */
export const readHtml = ({ bytes, url, mark, isWhole, withNavigation }: Readings["html"]["in"]): WebPage => {
  const root = parse(decodeHtml(bytes))
  const elements = elementsIn(root)
  const given = elements.find((element) => isElement(element, "base"))
  const base = (given === undefined ? undefined : addressAt(url)(attribute(given, "href") ?? "")) ?? url
  const addressOf = addressAt(base)
  const { children, anchors, title } = clean(isWhole === true ? root : mainContentOf(root))
  const self = addressAt(url)(url) ?? url
  const { markdown, targets } = toMarkdown(children, { base, self, mark, anchors })
  const canonical = elements.find(
    (element) => isElement(element, "link") && says(attribute(element, "rel"), "canonical")
  )
  const titleElement = elements.find((element) => isElement(element, "title"))
  const links = says(metaOf(elements, "robots"), "nofollow")
    ? []
    : elements
        .filter((element) => isElement(element, "a", "area") && !says(attribute(element, "rel"), "nofollow"))
        .slice(0, mostLinks)
        .flatMap((element) => addressOf(attribute(element, "href") ?? "") ?? [])
  return {
    title:
      title ??
      withoutSite(
        metaOf(elements, "og:title") ?? words(titleElement === undefined ? undefined : textOf(titleElement))
      ),
    description: metaOf(elements, "description") ?? metaOf(elements, "og:description"),
    markdown,
    targets,
    anchors,
    links: [...new Set(links)],
    canonical: canonical === undefined ? undefined : addressOf(attribute(canonical, "href") ?? ""),
    navigation: withNavigation === true ? navigationOf(root, addressOf) : []
  }
}
