/** Measures the elements of a page in one pass: their text, their links, and the parts that identify tabs and code. */
import type { Element, Nodes } from "hast"
import { attribute, childrenOf, classesOf, hasTag, isElement } from "./nodes.ts"

/** The content of an element. Lengths of text are numbers of characters without whitespace at their ends. */
export interface Measure {
  readonly text: number
  /** The text outside of links and headings. */
  readonly plainText: number
  /** The number of links to sections of the page, outside of headings. */
  readonly sectionLinks: number
  /** The number of links to pages. */
  readonly pageLinks: number
  /** The number of links to the neighbors of the page. */
  readonly neighborLinks: number
  /** The number of code blocks, images and headings of the highest two levels. */
  readonly blocks: number
  readonly codeBlocks: number
  /** The number of lists of tabs and of panels, outside of the panels themselves. */
  readonly tabLists: number
  readonly tabPanels: number
}

const neighborText =
  /^[^\p{L}]*(?:prev(?:ious)?|next|up|home|back)(?: (?:page|chapter|section|topic|article|lesson|step))?[^\p{L}]*$/iu
const neighborName = /(?:^|[-_])(?:prev(?:ious)?|next)$/
const neighborRelation = /^(?:prev|previous|next|up|start|home)$/i

/** Returns whether a link refers to a neighbor of the page in the order of reading. */
const isNeighborLink = (link: Element, text: string): boolean =>
  (attribute(link, "rel") ?? "").split(/\s+/).some((one) => neighborRelation.test(one)) ||
  /^[pnuh]$/i.test(attribute(link, "accessKey") ?? "") ||
  classesOf(link).some((name) => neighborName.test(name)) ||
  (text.length < 40 && neighborText.test(text))

const emptyMeasure: Measure = {
  text: 0,
  plainText: 0,
  sectionLinks: 0,
  pageLinks: 0,
  neighborLinks: 0,
  blocks: 0,
  codeBlocks: 0,
  tabLists: 0,
  tabPanels: 0
}

const isDecoration = (node: Nodes): boolean =>
  isElement(node, "script", "style", "template", "svg", "button", "input", "select", "textarea", "noscript")

const shortTextOf = (node: Nodes, limit: number): string => {
  if (node.type === "text") return node.value
  if (isDecoration(node)) return ""
  let text = ""
  for (const child of childrenOf(node)) {
    if (text.length > limit) break
    text += shortTextOf(child, limit)
  }
  return text
}

/** Returns a function that measures nodes, and caches the results. */
export const makeMeasurer = (
  neighborUrls: ReadonlySet<string>,
  addressOf: (href: string) => string | undefined
): ((node: Nodes) => Measure) => {
  const cache = new WeakMap<Nodes, Measure>()

  const measureLink = (link: Element, inner: Measure, isInHeading: boolean): Measure => {
    const href = attribute(link, "href")
    if (href === undefined || isInHeading) return { ...inner, plainText: 0 }
    if (href.startsWith("#")) return { ...inner, plainText: 0, sectionLinks: inner.sectionLinks + 1 }
    const text = shortTextOf(link, 40).replaceAll(/\s+/g, " ").trim()
    const url = neighborUrls.size === 0 ? undefined : addressOf(href)
    const isNeighbor = isNeighborLink(link, text) || (url !== undefined && neighborUrls.has(url))
    return {
      ...inner,
      plainText: 0,
      pageLinks: inner.pageLinks + 1,
      neighborLinks: inner.neighborLinks + (isNeighbor ? 1 : 0)
    }
  }

  const compute = (node: Nodes, isInHeading: boolean): Measure => {
    if (node.type === "text") {
      const { length } = node.value.trim()
      return length === 0 ? emptyMeasure : { ...emptyMeasure, text: length, plainText: length }
    }
    if (isDecoration(node)) return emptyMeasure
    const isHeading = isElement(node) && hasTag(node, "h1", "h2", "h3", "h4", "h5", "h6", "summary", "legend")
    const sum = { ...emptyMeasure }
    for (const child of childrenOf(node)) {
      const inner = measureNode(child, isInHeading || isHeading)
      for (const key of Object.keys(sum) as Array<keyof Measure>) {
        ;(sum as Record<keyof Measure, number>)[key] += inner[key]
      }
    }
    if (!isElement(node)) return sum
    const role = attribute(node, "role")
    if (role === "tabpanel") return { ...sum, tabLists: 0, tabPanels: 1 }
    if (role === "tablist") return { ...sum, tabLists: 1 }
    if (isHeading) return { ...sum, plainText: 0, blocks: sum.blocks + (hasTag(node, "h1", "h2") ? 1 : 0) }
    if (node.tagName === "a") return measureLink(node, sum, isInHeading)
    if (node.tagName === "pre") return { ...sum, blocks: sum.blocks + 1, codeBlocks: sum.codeBlocks + 1 }
    return hasTag(node, "img", "video", "iframe", "math") ? { ...sum, blocks: sum.blocks + 1 } : sum
  }

  const measureNode = (node: Nodes, isInHeading: boolean): Measure => {
    const known = cache.get(node)
    if (known !== undefined) return known
    const measured = compute(node, isInHeading)
    cache.set(node, measured)
    return measured
  }
  return (node) => measureNode(node, false)
}

const pagerElements = ["div", "table", "p", "ul", "ol", "section", "span", "nav", "center"]

/** Returns whether an element has nothing but links to the neighbors of the page, and their titles. */
export const isPager = (element: Element, measure: (node: Nodes) => Measure): boolean => {
  if (!hasTag(element, ...pagerElements)) return false
  const { neighborLinks, pageLinks, sectionLinks, plainText, blocks } = measure(element)
  if (neighborLinks === 0 || neighborLinks * 2 < pageLinks || sectionLinks > 0 || blocks > 0) return false
  return pageLinks <= 8 && plainText <= (hasTag(element, "p", "span") ? 20 : 300)
}

const listElements = ["ul", "ol", "dl", "div", "section", "details", "table"]

/** Returns whether an element has nothing but links to the sections of the page. */
export const isSectionList = (element: Element, measure: (node: Nodes) => Measure): boolean => {
  if (!hasTag(element, ...listElements)) return false
  const { sectionLinks, pageLinks, plainText, blocks } = measure(element)
  return sectionLinks >= 2 && pageLinks === 0 && blocks === 0 && plainText <= 2 * sectionLinks
}
