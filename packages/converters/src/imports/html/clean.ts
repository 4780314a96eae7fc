/**
 * The content of a page in the plain elements that markdown knows: without what is around texts, with code blocks and
 * tables in one form, and with the anchors of its headings as they will be.
 */
import GithubSlugger from "github-slugger"
import type { Element, ElementContent, Nodes, RootContent } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { numberedCode, plainCode } from "./codeBlocks.ts"
import { attribute, childrenOf, elementsIn, isElement } from "./nodes.ts"
import { isNoise, isPointer } from "./noise.ts"
import { isTable } from "./tables.ts"

/** The content of a page, cleaned. */
export interface Cleaned {
  readonly children: ReadonlyArray<ElementContent>
  /** The anchors of its headings, by the names that the page has for them. */
  readonly anchors: Readonly<Record<string, string>>
  /** The heading of the first level, which is taken out. */
  readonly title: string | undefined
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName)

const words = (node: Nodes): string => textOf(node).replaceAll(/\s+/g, " ").trim()

/** The image that is meant: pages that load images late have its address elsewhere. */
const withSource = (image: Element): Element => {
  const source = attribute(image, "src")
  const late =
    attribute(image, "dataSrc") ?? attribute(image, "dataOriginal") ?? attribute(image, "dataLazySrc")
  const isLate = late !== undefined && (source === undefined || source === "" || source.startsWith("data:"))
  const { alt, title } = image.properties
  return {
    ...image,
    properties: { src: isLate ? late : (source ?? ""), alt: alt ?? "", title: title ?? "" }
  }
}

/** Elements that say nothing of the text in them: it is the same without. */
const plain = new Set([
  "span",
  "font",
  "abbr",
  "acronym",
  "small",
  "big",
  "time",
  "label",
  "u",
  "ins",
  "data",
  "bdi"
])

const isPlain = ({ tagName }: Element): boolean => plain.has(tagName)

/** The nodes with texts that follow each other as one. */
const joined = (nodes: ReadonlyArray<ElementContent>): Array<ElementContent> => {
  const all: Array<ElementContent> = []
  for (const node of nodes) {
    const last = all.at(-1)
    if (node.type === "text" && last?.type === "text") {
      all[all.length - 1] = { type: "text", value: last.value + node.value }
    } else all.push(node)
  }
  return all
}

/** Cleans the children of a node. */
export const clean = (content: Nodes): Cleaned => {
  const slugger = new GithubSlugger()
  const anchors: Record<string, string> = Object.create(null)
  let title: string | undefined
  /** Names of places that no heading has come behind yet. */
  let waiting: Array<string> = []

  const name = (element: Element): void => {
    const id = attribute(element, "id") ?? (element.tagName === "a" ? attribute(element, "name") : undefined)
    if (id !== undefined && id !== "") waiting.push(id)
  }

  const heading = (element: Element, above: ReadonlyArray<Element>): ReadonlyArray<ElementContent> => {
    name(element)
    for (const inner of elementsIn(element)) name(inner)
    const children = cleanAll(element, above).flatMap((child) =>
      // A heading that is a link to itself is a heading.
      isElement(child, "a") && attribute(child, "href")?.startsWith("#") ? child.children : [child]
    )
    const kept: Element = { type: "element", tagName: element.tagName, properties: {}, children }
    const text = words(kept)
    if (text === "" && !elementsIn(kept).some((inner) => isElement(inner, "img"))) return []
    const isTitle = element.tagName === "h1" && title === undefined && text !== ""
    if (isTitle) title = text
    const anchor = isTitle ? "" : slugger.slug(text)
    for (const id of waiting) anchors[id] ??= anchor
    waiting = []
    return isTitle ? [] : [kept]
  }

  const cleanOne = (
    node: RootContent | ElementContent,
    above: ReadonlyArray<Element>
  ): ReadonlyArray<ElementContent> => {
    if (node.type === "text") return [{ type: "text", value: node.value }]
    if (!isElement(node) || isNoise(node)) return []
    if (isHeading(node)) return heading(node, above)
    name(node)
    if (node.tagName === "pre") return [plainCode(node, above)]
    if (node.tagName === "img") return [withSource(node)]
    if (node.tagName === "a" && isPointer(node)) return []
    const numbered = node.tagName === "table" ? numberedCode(node) : undefined
    if (numbered !== undefined) return [plainCode(numbered, [...above, node])]
    const children = joined(cleanAll(node, above))
    if (isPlain(node)) return children
    if (node.tagName === "table" && !isTable(node)) return children.map(flattened)
    return [{ type: "element", tagName: node.tagName, properties: node.properties, children }]
  }

  const cleanAll = (node: Nodes, above: ReadonlyArray<Element>): ReadonlyArray<ElementContent> => {
    const way = isElement(node) ? [...above.slice(-4), node] : above
    return childrenOf(node).flatMap((child) => cleanOne(child, way))
  }

  return { children: joined(cleanAll(content, [])), anchors, title }
}

/** What was laid out in a table, without it. */
const flattened = (node: ElementContent): ElementContent => {
  if (!isElement(node)) return node
  const isPart = /^(?:table|tbody|thead|tfoot|tr|td|th|caption)$/.test(node.tagName)
  return {
    ...node,
    tagName: isPart ? "div" : node.tagName,
    children: node.tagName === "pre" ? node.children : node.children.map(flattened)
  }
}
