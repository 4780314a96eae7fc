/**
 * Reduces the content of a page to the elements that have an equivalent in Markdown: removes navigation and other
 * noise, normalizes code blocks and tables, and computes the anchors that the headings will have after the import.
 */
import GithubSlugger from "github-slugger"
import type { Element, ElementContent, Nodes, RootContent } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { findNumberedCode, toPlainCodeBlock } from "./codeBlocks.ts"
import { attribute, childrenOf, elementsIn, isElement } from "./nodes.ts"
import { isHeadingAnchor, isNoise } from "./noise.ts"
import { isTable } from "./tables.ts"

/** The cleaned content of a page. */
export interface CleanedContent {
  readonly children: ReadonlyArray<ElementContent>
  /** The new anchors of its headings, by the ids and names that the page uses for them. */
  readonly anchors: Readonly<Record<string, string>>
  /** The text of the first `h1`, which is removed from the content. */
  readonly title: string | undefined
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName)

const normalizedText = (node: Nodes): string => textOf(node).replaceAll(/\s+/g, " ").trim()

/**
 * Reduces an image to its source, text and title. Pages that load images lazily have the source in another attribute.
 */
const normalizeImage = (image: Element): Element => {
  const source = attribute(image, "src")
  const lazySource =
    attribute(image, "dataSrc") ?? attribute(image, "dataOriginal") ?? attribute(image, "dataLazySrc")
  const isLazy =
    lazySource !== undefined && (source === undefined || source === "" || source.startsWith("data:"))
  const { alt, title } = image.properties
  return {
    ...image,
    properties: { src: isLazy ? lazySource : (source ?? ""), alt: alt ?? "", title: title ?? "" }
  }
}

/** Elements that have no equivalent in Markdown and are replaced with their content. */
const transparentElements = new Set([
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

const isTransparent = ({ tagName }: Element): boolean => transparentElements.has(tagName)

/** Merges adjacent text nodes. */
const mergeTexts = (nodes: ReadonlyArray<ElementContent>): Array<ElementContent> => {
  const merged: Array<ElementContent> = []
  for (const node of nodes) {
    const last = merged.at(-1)
    if (node.type === "text" && last?.type === "text") {
      merged[merged.length - 1] = { type: "text", value: last.value + node.value }
    } else merged.push(node)
  }
  return merged
}

/** Cleans the children of a node, such as the main content of a page. */
export const cleanContent = (content: Nodes): CleanedContent => {
  const slugger = new GithubSlugger()
  const anchors: Record<string, string> = Object.create(null)
  let title: string | undefined
  /** Ids since the last heading. They become aliases of the next heading's anchor. */
  let pendingIds: Array<string> = []

  const collectId = (element: Element): void => {
    const id = attribute(element, "id") ?? (element.tagName === "a" ? attribute(element, "name") : undefined)
    if (id !== undefined && id !== "") pendingIds.push(id)
  }

  const cleanHeading = (
    element: Element,
    ancestors: ReadonlyArray<Element>
  ): ReadonlyArray<ElementContent> => {
    collectId(element)
    for (const inner of elementsIn(element)) collectId(inner)
    const children = cleanChildren(element, ancestors).flatMap((child) =>
      // Unwraps a link of a heading to itself.
      isElement(child, "a") && attribute(child, "href")?.startsWith("#") ? child.children : [child]
    )
    const cleaned: Element = { type: "element", tagName: element.tagName, properties: {}, children }
    const text = normalizedText(cleaned)
    if (text === "" && !elementsIn(cleaned).some((inner) => isElement(inner, "img"))) return []
    const isTitle = element.tagName === "h1" && title === undefined && text !== ""
    if (isTitle) title = text
    const anchor = isTitle ? "" : slugger.slug(text)
    for (const id of pendingIds) anchors[id] ??= anchor
    pendingIds = []
    return isTitle ? [] : [cleaned]
  }

  const cleanNode = (
    node: RootContent | ElementContent,
    ancestors: ReadonlyArray<Element>
  ): ReadonlyArray<ElementContent> => {
    if (node.type === "text") return [{ type: "text", value: node.value }]
    if (!isElement(node) || isNoise(node)) return []
    if (isHeading(node)) return cleanHeading(node, ancestors)
    collectId(node)
    if (node.tagName === "pre") return [toPlainCodeBlock(node, ancestors)]
    if (node.tagName === "img") return [normalizeImage(node)]
    if (node.tagName === "a" && isHeadingAnchor(node)) return []
    const numbered = node.tagName === "table" ? findNumberedCode(node) : undefined
    if (numbered !== undefined) return [toPlainCodeBlock(numbered, [...ancestors, node])]
    const children = mergeTexts(cleanChildren(node, ancestors))
    if (isTransparent(node)) return children
    if (node.tagName === "table" && !isTable(node)) return children.map(flattenTable)
    return [{ type: "element", tagName: node.tagName, properties: node.properties, children }]
  }

  const cleanChildren = (node: Nodes, ancestors: ReadonlyArray<Element>): ReadonlyArray<ElementContent> => {
    const path = isElement(node) ? [...ancestors.slice(-4), node] : ancestors
    return childrenOf(node).flatMap((child) => cleanNode(child, path))
  }

  return { children: mergeTexts(cleanChildren(content, [])), anchors, title }
}

/** Replaces the elements of a layout table with `div`. */
const flattenTable = (node: ElementContent): ElementContent => {
  if (!isElement(node)) return node
  const isTablePart = /^(?:table|tbody|thead|tfoot|tr|td|th|caption)$/.test(node.tagName)
  return {
    ...node,
    tagName: isTablePart ? "div" : node.tagName,
    children: node.tagName === "pre" ? node.children : node.children.map(flattenTable)
  }
}
