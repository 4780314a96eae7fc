/** Converts blocks of HTML in the form of GitBook to blocks of a document. */
import type { Block, Code, Heading, Inline, List, ListItem, Paragraph } from "@lectern/model/document"
import { readDrawing, readImages } from "./htmlImages.ts"
import { readHtmlInlines, type TakeAnnotation } from "./htmlInlines.ts"
import { readTable } from "./htmlTables.ts"
import { decodeText, elementsIn, type HtmlElement, type HtmlNode, hasOnly, parseHtml } from "./htmlTree.ts"

/** The state of a conversion. */
export interface HtmlContext {
  readonly takeAnnotation: TakeAnnotation
  /** Creates a heading with a unique id. */
  readonly toHeading: (
    nodes: ReadonlyArray<Inline>,
    depth: number,
    key: string,
    align: Paragraph["data"]
  ) => Heading
}

type Nodes = ReadonlyArray<HtmlNode>

const headingPattern = /^h([1-6])$/

/** Converts a block of HTML. Returns undefined if it contains anything without a form in a document. */
export const readHtmlBlock = (source: string, key: string, context: HtmlContext): Block | undefined => {
  const elements = elementsIn(parseHtml(source.trim()) ?? [source])
  const [element, ...others] = elements ?? []
  if (element === undefined || others.length > 0) return undefined
  if (element.name === "img" || element.name === "picture") {
    const drawing = readDrawing(element, key)
    if (drawing !== undefined) return drawing
    const images = readImages(element, key, context.takeAnnotation)
    return images ?? paragraphOf([element], key, context)
  }
  return element.name === "br" ? paragraphOf([element], key, context) : readElement(element, key, context)
}

const readElement = (element: HtmlElement, key: string, context: HtmlContext): Block | undefined => {
  const { name, attributes, children } = element
  if (name === "p" || headingPattern.test(name)) return readText(element, key, context)
  switch (name) {
    case "figure":
      return readImages(element, key, context.takeAnnotation)
    case "div":
      return readHint(element, key, context) ?? readImages(element, key, context.takeAnnotation)
    case "details":
      return readDetails(element, key, context)
    case "table":
      return readTable(element, key, {
        takeAnnotation: context.takeAnnotation,
        readCell: (cell, cellKey) => readFlow(cell, cellKey, context)
      })
    case "pre":
      return readPre(element, key)
    case "ul":
    case "ol":
      return readList(element, key, context)
    case "hr":
      return attributes.size > 0
        ? undefined
        : { object: "block", type: "divider", key, isVoid: true, data: {} }
    case "blockquote": {
      const nodes = attributes.size > 0 ? undefined : readFlow(children, key, context)
      return nodes && { object: "block", type: "blockquote", key, isVoid: false, nodes }
    }
    default:
      return undefined
  }
}

const blockNames = new Set("p h1 h2 h3 h4 h5 h6 figure div details table pre ul ol hr blockquote".split(" "))

/** Converts the content of a cell or of another container. Text outside of blocks becomes paragraphs. */
export const readFlow = (children: Nodes, key: string, context: HtmlContext): Array<Block> | undefined => {
  const blocks: Array<Block> = []
  let line: Array<HtmlNode> = []
  const flush = (): boolean => {
    const isBlank = line.every((node) => typeof node === "string" && node.trim() === "")
    const paragraph = isBlank ? undefined : paragraphOf(line, `${key}.${blocks.length}`, context)
    line = []
    if (paragraph !== undefined) blocks.push(paragraph)
    return isBlank || paragraph !== undefined
  }
  for (const child of children) {
    if (typeof child === "string" || !blockNames.has(child.name)) line.push(child)
    else {
      if (!flush()) return undefined
      const block = readElement(child, `${key}.${blocks.length}`, context)
      if (block === undefined) return undefined
      blocks.push(block)
    }
  }
  return flush() ? blocks : undefined
}

const paragraphOf = (children: Nodes, key: string, context: HtmlContext): Paragraph | undefined => {
  const nodes = readHtmlInlines(children, key, context.takeAnnotation)
  return nodes && { object: "block", type: "paragraph", key, isVoid: false, nodes }
}

const alignments: Readonly<Record<string, Paragraph["data"]>> = {
  left: {},
  center: { align: "center" },
  right: { align: "end" }
}

const readText = (
  { name, attributes, children }: HtmlElement,
  key: string,
  context: HtmlContext
): Block | undefined => {
  const align = alignments[attributes.get("align") ?? "left"]
  if (align === undefined || !hasOnly(attributes, "align")) return undefined
  const nodes = readHtmlInlines(children, key, context.takeAnnotation)
  if (nodes === undefined) return undefined
  const depth = headingPattern.exec(name)?.[1]
  if (depth !== undefined) return context.toHeading(nodes, Number(depth), key, align)
  const data = align.align === undefined ? {} : { data: align }
  return { object: "block", type: "paragraph", key, isVoid: false, nodes, ...data }
}

const styles = ["info", "warning", "danger", "success"] as const

const readHint = (
  { attributes, children }: HtmlElement,
  key: string,
  context: HtmlContext
): Block | undefined => {
  const style = styles.find((style) => style === attributes.get("data-style"))
  if (!attributes.has("data-gb-custom-block") || attributes.get("data-tag") !== "hint") return undefined
  if (style === undefined || (attributes.get("class") ?? `hint hint-${style}`) !== `hint hint-${style}`)
    return undefined
  if (!hasOnly(attributes, "data-gb-custom-block", "data-tag", "data-style", "class")) return undefined
  const nodes = readFlow(children, key, context)
  return nodes && { object: "block", type: "hint", key, isVoid: false, data: { style }, nodes }
}

const readDetails = (
  { attributes, children }: HtmlElement,
  key: string,
  context: HtmlContext
): Block | undefined => {
  const at = children.findIndex((child) => typeof child !== "string")
  const summary = children[at]
  if (summary === undefined || typeof summary === "string" || summary.name !== "summary") return undefined
  if (summary.attributes.size > 0 || !hasOnly(attributes, "open")) return undefined
  if (elementsIn(children.slice(0, at)) === undefined) return undefined
  const title = readHtmlInlines(summary.children, `${key}.title.0`, context.takeAnnotation)
  const body = readFlow(children.slice(at + 1), `${key}.body`, context)
  return title && body && expandableOf(title, body, attributes.has("open"), key)
}

/** Creates an expandable block. Its body has at least one block. */
export const expandableOf = (
  title: ReadonlyArray<Inline>,
  body: ReadonlyArray<Block>,
  open: boolean,
  key: string
): Block => {
  const empty: Paragraph = {
    object: "block",
    type: "paragraph",
    key: `${key}.body.0`,
    isVoid: false,
    nodes: []
  }
  return {
    object: "block",
    type: "expandable",
    key,
    isVoid: true,
    ...(open ? { open } : {}),
    data: {},
    fragments: [
      {
        object: "fragment",
        key: `${key}.title`,
        fragment: "expandable-title",
        type: "expandable-title",
        nodes: [{ object: "block", type: "paragraph", key: `${key}.title.0`, isVoid: false, nodes: title }]
      },
      {
        object: "fragment",
        key: `${key}.body`,
        fragment: "expandable-body",
        type: "expandable-body",
        nodes: body.length === 0 ? [empty] : body
      }
    ]
  }
}

const readList = (
  { name, attributes, children }: HtmlElement,
  key: string,
  context: HtmlContext
): List | undefined => {
  const elements = elementsIn(children)
  const start = Number(attributes.get("start") ?? 1)
  if (elements === undefined || elements.length === 0 || !Number.isInteger(start) || start < 0)
    return undefined
  if (!hasOnly(attributes, ...(name === "ol" ? ["start"] : [])) || start > 999_999_999) return undefined
  const items: Array<ListItem> = []
  for (const [index, element] of elements.entries()) {
    const itemKey = `${key}.${index}`
    if (element.name !== "li" || element.attributes.size > 0) return undefined
    const nodes = readFlow(element.children, itemKey, context)
    if (nodes === undefined) return undefined
    items.push({ object: "block", type: "list-item", key: itemKey, isVoid: false, data: {}, nodes })
  }
  const list = { object: "block" as const, key, isVoid: false as const, nodes: items }
  return name === "ul"
    ? { ...list, type: "list-unordered" }
    : { ...list, type: "list-ordered", data: { start } }
}

const flagOf = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value !== "false"

/** Converts `pre`. Lines in `strong` are highlighted. */
const readPre = ({ attributes, children }: HtmlElement, key: string): Code | undefined => {
  const [code, ...others] = children
  if (code === undefined || typeof code === "string" || code.name !== "code" || others.length > 0)
    return undefined
  const language = /^language-(.+)$/.exec(attributes.get("class") ?? "")?.[1]
  const known = ["class", "data-title", "data-overflow", "data-line-numbers", "data-full-width"]
  const [overflow, title] = [attributes.get("data-overflow"), attributes.get("data-title")]
  if (!hasOnly(attributes, ...known) || !hasOnly(code.attributes, "class")) return undefined
  if (attributes.has("class") && language === undefined) return undefined
  if (code.attributes.has("class") && code.attributes.get("class") !== `lang-${language}`) return undefined
  if (overflow !== undefined && overflow !== "wrap" && overflow !== "scroll") return undefined
  const lines = readCodeLines(code.children)
  if (lines === undefined) return undefined
  const [lineNumbers, fullWidth] = [
    flagOf(attributes.get("data-line-numbers")),
    flagOf(attributes.get("data-full-width"))
  ]
  return {
    object: "block",
    type: "code",
    key,
    isVoid: false,
    data: {
      ...(language === undefined ? {} : { syntax: language }),
      ...(title === undefined ? {} : { title }),
      ...(overflow === undefined ? {} : { overflow }),
      ...(lineNumbers === undefined ? {} : { lineNumbers }),
      ...(fullWidth === undefined ? {} : { fullWidth })
    },
    nodes: lines.map(({ text, isHighlighted }, index) => ({
      object: "block",
      type: "code-line",
      key: `${key}.${index}`,
      isVoid: false,
      data: isHighlighted ? { highlighted: true } : {},
      nodes: [{ object: "text", key: `${key}.${index}.0`, leaves: [{ object: "leaf", text, marks: [] }] }]
    }))
  }
}

interface CodeLine {
  text: string
  isHighlighted: boolean
}

const readCodeLines = (children: Nodes): ReadonlyArray<CodeLine> | undefined => {
  const lines: Array<CodeLine> = [{ text: "", isHighlighted: false }]
  for (const child of children) {
    const last = lines.at(-1)!
    if (typeof child === "string") {
      const [first, ...rest] = decodeText(child).split("\n") as [string, ...Array<string>]
      // Highlighted lines are complete.
      if (last.isHighlighted && first !== "") return undefined
      last.text += first
      for (const text of rest) lines.push({ text, isHighlighted: false })
      continue
    }
    const text = child.children.every((inner) => typeof inner === "string")
      ? decodeText(child.children.join(""))
      : undefined
    if (child.name !== "strong" || child.attributes.size > 0 || text === undefined || last.text !== "") return
    const parts = text.split("\n")
    const endsLine = parts.length > 1 && parts.at(-1) === ""
    if (endsLine) parts.pop()
    lines.pop()
    for (const part of parts) lines.push({ text: part, isHighlighted: true })
    if (endsLine) lines.push({ text: "", isHighlighted: false })
  }
  return lines
}
