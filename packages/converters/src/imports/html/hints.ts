/** Recognizes admonitions: notes, tips and warnings in the markup of generators of documentation. */
import type { Element, ElementContent, Nodes } from "hast"
import { labelOf } from "./menus.ts"
import { attribute, childrenOf, classesOf, elementsIn, hasTag, isElement } from "./nodes.ts"

/** The style of a hint. */
export type HintStyle = "info" | "success" | "warning" | "danger"

/** An admonition. */
export interface Hint {
  readonly style: HintStyle
  /** The title; undefined if it only names the style. */
  readonly title: string | undefined
  readonly children: ReadonlyArray<ElementContent>
}

const styles: Readonly<Record<string, HintStyle>> = {
  note: "info",
  info: "info",
  information: "info",
  seealso: "info",
  abstract: "info",
  summary: "info",
  tldr: "info",
  todo: "info",
  question: "info",
  help: "info",
  faq: "info",
  example: "info",
  primary: "info",
  secondary: "info",
  default: "info",
  tip: "success",
  hint: "success",
  success: "success",
  check: "success",
  done: "success",
  warning: "warning",
  caution: "warning",
  attention: "warning",
  important: "warning",
  warn: "warning",
  danger: "danger",
  error: "danger",
  failure: "danger",
  fail: "danger",
  bug: "danger",
  critical: "danger"
}

/** Parts of the classes of containers, which also have a class of their style. */
const containerName =
  /^(?:admonition(?:block)?|callout|alert|hint|hints|custom-block|notice|markdown-alert|theme-admonition|starlight-aside|[\w-]*-(?:alert|callout|admonition|aside))$/
/** Classes that are the style itself, without a class of the container. */
const plainStyles = new Set(["note", "tip", "warning", "caution", "danger", "important", "attention"])
const titleName = /(?:^|[-_])(?:title|heading|label|header|caption)(?:$|[-_])/i

const styleOf = (name: string): HintStyle | undefined =>
  Object.hasOwn(styles, name) ? styles[name] : undefined

const styleOfClasses = (classes: ReadonlyArray<string>): HintStyle | undefined => {
  for (const name of classes) {
    const found = styleOf(name) ?? (name.includes("-") ? styleOf(name.split(/[-_]/).at(-1)!) : undefined)
    if (found !== undefined) return found
  }
  return undefined
}

const words = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N} ]/gu, "")
    .trim()
    .toLowerCase()

/** Whether a title only names the style, as in "Note" or "See also". */
const isStyleName = (title: string): boolean => {
  const name = words(title).replaceAll(" ", "")
  return name === "" || styleOf(name) !== undefined
}

/** Whether a node has neither text nor images. */
const isEmpty = (node: Nodes): boolean => {
  if (node.type === "text") return node.value.trim() === ""
  if (isElement(node, "img")) return false
  return isElement(node, "script", "style", "template", "svg") || childrenOf(node).every(isEmpty)
}

/** Removes the title from the start of an admonition. */
const takeTitle = (
  element: Element,
  depth = 0
): { readonly title: string | undefined; readonly children: ReadonlyArray<ElementContent> } => {
  const index = element.children.findIndex((child) => !isEmpty(child))
  const first = element.children[index]
  if (!isElement(first) || depth > 3) return { title: undefined, children: element.children }
  const before = element.children.slice(0, index).filter((child) => !isEmpty(child))
  const after = element.children.slice(index + 1)
  const isHeading = hasTag(first, "h1", "h2", "h3", "h4", "h5", "h6", "summary", "legend", "header")
  const isTitle = classesOf(first).some((name) => titleName.test(name)) || titleName.test(classText(first))
  if ((isHeading || isTitle) && labelOf(first).length < 200) {
    return { title: labelOf(first), children: [...before, ...after] }
  }
  if (hasTag(first, "p", "strong", "b", "span") && isStyleName(labelOf(first))) {
    return { title: labelOf(first), children: [...before, ...after] }
  }
  if (hasTag(first, "p")) {
    const [strong, ...rest] = first.children.filter((child, at) => at > 0 || !isEmpty(child))
    if (isElement(strong, "strong", "b") && isStyleName(labelOf(strong))) {
      const [text, ...others] = rest
      const trimmed: ReadonlyArray<ElementContent> =
        text?.type === "text" ? [{ ...text, value: text.value.replace(/^[\s:–—-]+/, "") }, ...others] : rest
      return { title: labelOf(strong), children: [...before, { ...first, children: [...trimmed] }, ...after] }
    }
    return { title: undefined, children: element.children }
  }
  if (!hasTag(first, "div")) return { title: undefined, children: element.children }
  const inner = takeTitle(first, depth + 1)
  return inner.title === undefined
    ? { title: undefined, children: element.children }
    : { title: inner.title, children: [...before, { ...first, children: [...inner.children] }, ...after] }
}

/** The classes of an element with their capitals as separators, as in `admonitionHeading`. */
const classText = ({ properties }: Element): string =>
  Array.isArray(properties.className)
    ? properties.className.map((name) => String(name).replaceAll(/([a-z])([A-Z])/g, "$1-$2")).join("_")
    : ""

/** Returns the cells of the table that lays out an admonition, without the cells of its icon and of its style. */
const withoutLayout = (children: ReadonlyArray<ElementContent>): ReadonlyArray<ElementContent> => {
  const contents = children.filter((child) => !isEmpty(child))
  const [only] = contents
  if (contents.length !== 1 || !isElement(only, "table")) return children
  const cells =
    elementsIn(only, (element) => isElement(element, "td", "th")).length === 0 ? [] : cellsOf(only)
  const texts = cells.filter((cell) => labelOf(cell) !== "" && !isStyleName(labelOf(cell)))
  return texts.length === 0 ? children : texts.flatMap((cell) => cell.children)
}

const cellsOf = (table: Element): ReadonlyArray<Element> =>
  elementsIn(table, (element) => isElement(element, "td", "th"))
    .filter((element) => isElement(element, "tr"))
    .flatMap((row) => row.children.filter((cell): cell is Element => isElement(cell, "td", "th")))

/** Whether the text of a quote starts with the name of a style in bold. */
const isQuoteWithStyle = (element: Element): boolean => {
  const first = element.children.find((child) => !isEmpty(child))
  if (!isElement(first, "p")) return false
  const start = first.children.find((child) => !isEmpty(child))
  return isElement(start, "strong", "b") && words(labelOf(start)) !== "" && isStyleName(labelOf(start))
}

/** Returns the admonition that an element is, or `undefined` for other elements. */
export const findHint = (element: Element): Hint | undefined => {
  if (!hasTag(element, "div", "aside", "section", "blockquote", "table")) return undefined
  const classes = classesOf(element)
  const isContainer = classes.some((name) => containerName.test(name))
  const declared =
    styleOfClasses(classes) ??
    styleOf(attribute(element, "dataCallout") ?? attribute(element, "dataType") ?? "")
  const isPlain = classes.some((name) => plainStyles.has(name))
  const isQuote = element.tagName === "blockquote" && isQuoteWithStyle(element)
  const isNote = attribute(element, "role") === "note" && element.tagName !== "table"
  if (!isContainer && !isPlain && !isQuote && !isNote) return undefined
  if (isEmpty(element)) return undefined
  const { title, children } = takeTitle(element)
  const style = declared ?? (title === undefined ? undefined : styleOf(words(title).replaceAll(" ", "")))
  return {
    style: style ?? "info",
    title: title === undefined || isStyleName(title) ? undefined : title,
    children: withoutLayout(element.tagName === "table" ? [element] : children)
  }
}
