/** Extracts the text of a rendered page for the search of an export. */
import { type DefaultTreeAdapterTypes, parse } from "parse5"

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** A page in the index of the search. */
export interface SearchedPage {
  readonly id: string
  readonly title: string
  readonly headings: string
  readonly text: string
}

/** The maximum length of the text of a page in the index, in characters. */
const maximumText = 20_000

const isElement = (node: Node): node is Element => "tagName" in node

const attributeOf = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

const hasClass = (element: Element, name: string): boolean =>
  (attributeOf(element, "class") ?? "").split(" ").includes(name)

/** Returns the first element that meets a condition, in document order. */
export const findElement = (node: Node, isFound: (element: Element) => boolean): Element | undefined => {
  if (isElement(node) && isFound(node)) return node
  if (!("childNodes" in node)) return undefined
  for (const child of node.childNodes) {
    const found = findElement(child, isFound)
    if (found !== undefined) return found
  }
  return undefined
}

const spaced = /^(?:p|div|li|h[1-6]|td|th|tr|figure|section|article|summary|dd|dt|br|pre)$/

/** Returns the text of a node, without the links to headings, and without the elements of `omitted`. */
const textOf = (node: Node, isOmitted: (element: Element) => boolean = () => false): string => {
  if ("value" in node && node.nodeName === "#text") return node.value
  if (!("childNodes" in node)) return ""
  if (isElement(node) && (hasClass(node, "anchor") || hasClass(node, "js-only") || isOmitted(node))) return ""
  const text = node.childNodes.map((child) => textOf(child, isOmitted)).join("")
  return isElement(node) && spaced.test(node.tagName) ? ` ${text} ` : text
}

const elementsIn = (node: Node, isFound: (element: Element) => boolean): ReadonlyArray<Element> =>
  isElement(node) && isFound(node)
    ? [node]
    : "childNodes" in node
      ? node.childNodes.flatMap((child) => elementsIn(child, isFound))
      : []

const collapsed = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Returns the text of a page; undefined for one that its site excludes from search. */
export const searchedPage = (id: string, html: string): SearchedPage | undefined => {
  const document = parse(html)
  const isExcluded = findElement(
    document,
    (element) => element.tagName === "meta" && attributeOf(element, "name") === "lectern-search"
  )
  const article = findElement(document, ({ tagName }) => tagName === "article")
  if (article === undefined || isExcluded !== undefined) return undefined
  const title = findElement(article, ({ tagName }) => tagName === "h1")
  const content = findElement(article, (element) => hasClass(element, "content"))
  const isHeading = (element: Element): boolean => /^h[2-6]$/.test(element.tagName)
  return {
    id,
    title: title === undefined ? "" : collapsed(textOf(title)),
    headings:
      content === undefined
        ? ""
        : elementsIn(content, isHeading)
            .map((heading) => collapsed(textOf(heading)))
            .join("\n"),
    text: content === undefined ? "" : collapsed(textOf(content)).slice(0, maximumText)
  }
}
