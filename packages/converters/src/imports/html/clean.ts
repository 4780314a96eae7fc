/**
 * Reduces the content of a page to the elements that have an equivalent in Markdown: removes navigation and other
 * noise, normalizes code blocks and tables, recognizes hints, tabs, formulas, figures and footnotes, and computes the anchors
 * that the headings will have after the import.
 */
import GithubSlugger from "github-slugger"
import type { Element, ElementContent, Nodes, RootContent } from "hast"
import { toString as textOf } from "hast-util-to-string"
import { findCode, findNumberedCode, toPlainCodeBlock } from "./codeBlocks.ts"
import { toFigure } from "./figures.ts"
import { findFootnotes } from "./footnotes.ts"
import { findHint } from "./hints.ts"
import { findFormula } from "./math.ts"
import { isPager, isSectionList, type Measure } from "./measures.ts"
import { labelOf } from "./menus.ts"
import { attribute, childrenOf, classesOf, elementsIn, hasTag, isElement } from "./nodes.ts"
import { isHeadingAnchor, isNoise, isRemovedFromContent } from "./noise.ts"
import { isTable } from "./tables.ts"
import { findTabs, shownContent } from "./tabs.ts"
import { virtualElement, virtualInline, virtualNames } from "./virtual.ts"

/** The cleaned content of a page. */
export interface CleanedContent {
  readonly children: ReadonlyArray<ElementContent>
  /** The new anchors of its headings, by the ids and names that the page uses for them. */
  readonly anchors: Readonly<Record<string, string>>
  /** The text of its first heading, if that is the title. It is removed from the content. */
  readonly title: string | undefined
}

const isHeading = ({ tagName }: Element): boolean => /^h[1-6]$/.test(tagName)

const normalizedText = (node: Nodes): string => textOf(node).replaceAll(/\s+/g, " ").trim()

const comparable = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()

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
const transparentElements = new Set(
  "span font abbr acronym small big time label u ins data bdi dfn output ruby rb rp rt".split(" ")
)

/** Elements that are marks of text. */
const markElements = new Set(["sub", "sup", "kbd"])

/** Merges adjacent text nodes. */
const mergeTexts = (nodes: ReadonlyArray<ElementContent>): Array<ElementContent> => {
  const merged: Array<ElementContent> = []
  for (const node of nodes) {
    const last = merged.at(-1)
    if (node.type === "text" && last?.type === "text") last.value += node.value
    else merged.push(node.type === "text" ? { ...node } : node)
  }
  return merged
}

/** Headings of lists of sections, which are removed with the list. */
const listHeading = /^(?:(?:table of )?contents|index|on this page|in this (?:article|section|page))$/i

/** Whether an element contains the footnotes of a page, next to a rule or a heading. */
const isFootnoteSection = (element: Element): boolean =>
  element.properties.dataFootnotes !== undefined ||
  (hasTag(element, "div", "section", "aside", "ol") &&
    classesOf(element).some((name) => /^footnotes?$/.test(name)))

/** Options of {@link cleanContent}. */
export interface CleaningOptions {
  /** The text of the `title` element of the page. */
  readonly documentTitle: string | undefined
  readonly measure: (node: Nodes) => Measure
  /** Whether all of the content belongs to the page, as in exports: lists of links are not menus. */
  readonly isWithoutMenus?: boolean
}

/** Where a node is. */
interface Position {
  /** The closest ancestors, outermost first. */
  readonly ancestors: ReadonlyArray<Element>
  /** Whether a cell of a table contains the node. Cells contain no blocks. */
  readonly isInTable: boolean
}

/** Cleans the children of a node, such as the main content of a page. */
export const cleanContent = (
  content: Nodes,
  { documentTitle, measure, isWithoutMenus = false }: CleaningOptions
): CleanedContent => {
  const slugger = new GithubSlugger()
  const anchors: Record<string, string> = Object.create(null)
  const footnotes = findFootnotes(content)
  const titleWords = comparable(documentTitle ?? "")
  let title: string | undefined
  let titleLevel = 1
  let [isInHeading, hasText, lastAnchor] = [false, false, ""]
  /** Ids since the last heading. They become aliases of the next heading, unless there is text between them and it. */
  let pendingIds: Array<string> = []

  const collectId = (element: Element): void => {
    const id = attribute(element, "id") ?? (element.tagName === "a" ? attribute(element, "name") : undefined)
    if (id !== undefined && id !== "") pendingIds.push(id)
  }

  const assignIds = (anchor: string): void => {
    for (const id of pendingIds) anchors[id] ??= anchor
    pendingIds = []
  }

  const noteContent = (): void => {
    if (isInHeading) return
    hasText = true
    if (pendingIds.length > 0) assignIds(lastAnchor)
  }

  /** Whether a heading before all text is the title of the page: its first one, or a lower one that the document repeats. */
  const isTitleHeading = (element: Element, text: string): boolean => {
    if (text === "") return false
    if (title !== undefined) return !hasText && comparable(text) === comparable(title)
    if (element.tagName === "h1") return true
    return !hasText && comparable(text) !== "" && titleWords.includes(comparable(text))
  }

  const cleanHeading = (element: Element, position: Position): ReadonlyArray<ElementContent> => {
    collectId(element)
    for (const inner of elementsIn(element)) collectId(inner)
    isInHeading = true
    const children = cleanChildren(element, position).flatMap((child) =>
      // Unwraps a link of a heading to itself.
      isElement(child, "a") && attribute(child, "href")?.startsWith("#") ? child.children : [child]
    )
    isInHeading = false
    const level = Number(element.tagName.slice(1))
    const tagName = `h${titleLevel === 1 ? level : Math.max(2, level - titleLevel + 1)}`
    const cleaned: Element = { type: "element", tagName, properties: {}, children }
    const text = normalizedText(cleaned)
    if (text === "" && !elementsIn(cleaned).some((inner) => isElement(inner, "img"))) return []
    const isTitle = isTitleHeading(element, text)
    if (isTitle && title === undefined) {
      title = text
      titleLevel = level
    }
    lastAnchor = isTitle ? "" : slugger.slug(text)
    assignIds(lastAnchor)
    return isTitle ? [] : [cleaned]
  }

  /** Cleans an element that represents a block without an HTML equivalent, or returns `undefined`. */
  const cleanBlock = (element: Element, position: Position): ReadonlyArray<ElementContent> | undefined => {
    if (position.isInTable) return undefined
    const hint = findHint(element)
    if (hint !== undefined) {
      collectId(element)
      noteContent()
      const heading: ReadonlyArray<ElementContent> =
        hint.title === undefined
          ? []
          : [
              {
                type: "element",
                tagName: "p",
                properties: {},
                children: [
                  {
                    type: "element",
                    tagName: "strong",
                    properties: {},
                    children: [{ type: "text", value: hint.title }]
                  }
                ]
              }
            ]
      const children = cleanAll(hint.children, position)
      return [virtualElement("hint", { style: hint.style }, [...heading, ...children])]
    }
    const tabs = findTabs(element, measure)
    if (tabs !== undefined) {
      collectId(element)
      noteContent()
      return [
        virtualElement(
          "tabs",
          {},
          tabs.map((tab) =>
            virtualElement("tab", { title: tab.title }, cleanAll(shownContent(tab), position))
          )
        )
      ]
    }
    return undefined
  }

  /** Cleans an expandable block. Headings in its summary are headings of the page. */
  const cleanDetails = (element: Element, position: Position): ReadonlyArray<ElementContent> => {
    const summary = element.children.find((child): child is Element => isElement(child, "summary"))
    const hasHeading = summary !== undefined && elementsIn(summary).some(isHeading)
    const label = summary === undefined ? "" : labelOf(summary)
    if (summary === undefined || hasHeading || label === "" || position.isInTable) {
      const children = element.children.flatMap((child) =>
        child === summary && hasHeading ? summary!.children : [child]
      )
      return cleanAll(children, position)
    }
    noteContent()
    const rest = element.children.filter((child) => child !== summary)
    return [virtualElement("details", { title: label }, cleanAll(rest, position))]
  }

  const cleanNode = (
    node: RootContent | ElementContent,
    position: Position
  ): ReadonlyArray<ElementContent> => {
    if (node.type === "text") {
      if (node.value.trim() !== "") noteContent()
      return [{ type: "text", value: node.value }]
    }
    if (!isElement(node) || footnotes.removed.has(node)) return []
    const formula = findFormula(node)
    if (formula !== undefined) {
      noteContent()
      return [virtualInline("formula", { tex: formula.tex, isBlock: formula.isBlock && !position.isInTable })]
    }
    const footnote = footnotes.byLink.get(node)
    if (footnote !== undefined) return [virtualInline("footnoteLink", { label: footnote.label })]
    const block = cleanBlock(node, position)
    if (block !== undefined) return block
    if (isNoise(node) || isRemovedFromContent(node)) return []
    if (!isWithoutMenus && (isPager(node, measure) || isSectionList(node, measure))) return []
    if (isHeading(node)) return cleanHeading(node, position)
    collectId(node)
    return cleanElement(node, position)
  }

  const cleanElement = (node: Element, position: Position): ReadonlyArray<ElementContent> => {
    const { ancestors, isInTable } = position
    const code = findCode(node, measure)
    if (code !== undefined) {
      noteContent()
      const plain = toPlainCodeBlock(code.block, [...ancestors, ...code.path])
      return code.title === undefined || isInTable
        ? [plain]
        : [virtualElement("code", { title: code.title }, [plain])]
    }
    if (node.tagName === "img") {
      noteContent()
      return [normalizeImage(node)]
    }
    if (node.tagName === "a" && isHeadingAnchor(node)) return []
    if (node.tagName === "details") return cleanDetails(node, position)
    const numbered = node.tagName === "table" ? findNumberedCode(node) : undefined
    if (numbered !== undefined) return [toPlainCodeBlock(numbered, [...ancestors, node])]
    if (isFootnoteSection(node)) {
      const own = cleanChildren(node, position)
      return own.every((child) => normalizedText(child) === "" || (isElement(child) && isHeading(child)))
        ? []
        : own
    }
    const isData = node.tagName === "table" && isTable(node)
    const inner: Position = { ancestors, isInTable: isInTable || isData }
    const children = mergeTexts(cleanChildren(node, inner))
    if (transparentElements.has(node.tagName)) return children
    if (markElements.has(node.tagName)) {
      const isOnlyFootnotes = children.every((child) => isElement(child, virtualNames.footnoteLink))
      return isOnlyFootnotes ? children : [virtualElement("mark", { name: node.tagName }, children)]
    }
    if (node.tagName === "p") return splitAtFormulas(children)
    // Footnotes and links of menus can leave an empty list.
    if (hasTag(node, "ul", "ol", "dl") && !children.some((child) => isElement(child))) return []
    if (node.tagName === "figure" && !isInTable) return toFigure(node, children)
    if (node.tagName === "table" && !isData) return children.map(flattenTable)
    return [{ type: "element", tagName: node.tagName, properties: node.properties, children }]
  }

  /** Cleans nodes, without a heading of a list of sections that is removed. */
  const cleanAll = (
    nodes: ReadonlyArray<RootContent | ElementContent>,
    position: Position
  ): ReadonlyArray<ElementContent> => {
    const elements = nodes.filter((node) => isElement(node))
    const listHeadings = new Set<Nodes>(
      elements.filter(
        (node, index) =>
          !isWithoutMenus &&
          isHeading(node) &&
          listHeading.test(labelOf(node)) &&
          isElement(elements[index + 1]) &&
          isSectionList(elements[index + 1]!, measure)
      )
    )
    return nodes.flatMap((node) => (listHeadings.has(node) ? [] : cleanNode(node, position)))
  }

  const cleanChildren = (node: Nodes, position: Position): ReadonlyArray<ElementContent> => {
    const ancestors = isElement(node) ? [...position.ancestors.slice(-4), node] : position.ancestors
    return cleanAll(childrenOf(node), { ...position, ancestors })
  }

  const children = mergeTexts(cleanChildren(content, { ancestors: [], isInTable: false }))
  for (const { label, children: inner } of footnotes.all) {
    const own = cleanAll(inner, { ancestors: [], isInTable: false })
    // The conversion finds the boundaries of text at known blocks. It examines all footnotes that follow an empty one without.
    const block = virtualElement("footnote", { label }, own)
    children.push({ type: "element", tagName: "div", properties: {}, children: [block] })
  }
  assignIds(lastAnchor)
  return { children, anchors, title }
}

/** Returns a paragraph, or the paragraphs between its formulas that are blocks. */
const splitAtFormulas = (children: ReadonlyArray<ElementContent>): ReadonlyArray<ElementContent> => {
  const blocks: Array<ElementContent> = []
  let paragraph: Array<ElementContent> = []
  const close = (): void => {
    if (paragraph.length > 0) {
      blocks.push({ type: "element", tagName: "p", properties: {}, children: paragraph })
    }
    paragraph = []
  }
  for (const child of children) {
    if (isElement(child, virtualNames.formula) && child.properties.isBlock === true) {
      close()
      blocks.push(child)
    } else paragraph.push(child)
  }
  close()
  return blocks
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
