/** Converts blocks of a document to HTML, in the form of GitBook. */
import type { Block, Code, Drawing, Images, Inline, ListItem } from "@lectern/model/document"
import { urlOf } from "../linkReferences.ts"
import { writeTag } from "./htmlTree.ts"
import { type AddAnnotation, writeHtmlInlines } from "./writeHtmlInlines.ts"
import { writeImage } from "./writeInlineElements.ts"

const element = (tag: string, content: string): string =>
  `${tag}${content}</${/^<([a-z0-9]+)/.exec(tag)?.[1]}>`

/** Writes a drawing. */
export const writeDrawing = ({ data: { ref, alt } }: Drawing): string =>
  writeTag("img", { src: ref === undefined ? "" : urlOf(ref), alt: alt ?? "", class: "gitbook-drawing" })

/** Writes images as figures. */
export const writeFigures = ({ data, nodes }: Images, addAnnotation: AddAnnotation): string => {
  const figures = nodes.map((image) => {
    const caption = image.fragments
      .flatMap((fragment) => fragment.nodes)
      .map(({ nodes }) => element("<p>", writeHtmlInlines(nodes, addAnnotation)))
    return element("<figure>", `${writeImage(image.data)}${element("<figcaption>", caption.join(""))}`)
  })
  const { align, withFrame, fullWidth } = data
  const hasSettings = align !== undefined || withFrame !== undefined || fullWidth !== undefined
  if (figures.length === 1 && !hasSettings) return figures[0]!
  const attributes = {
    align,
    "data-with-frame": withFrame?.toString(),
    "data-full-width": fullWidth?.toString()
  }
  return element(writeTag("div", attributes), figures.join(" "))
}

const textOf = (nodes: ReadonlyArray<Inline>): string =>
  nodes.flatMap((node) => (node.object === "text" ? node.leaves.map(({ text }) => text) : [])).join("")

const escapeCode = (text: string): string =>
  text.replace(/[&<]/g, (character) => (character === "&" ? "&#x26;" : "&#x3C;"))

/** Writes code with highlighted lines. */
export const writeCode = ({ data, nodes }: Code): string => {
  const { syntax, title, overflow, lineNumbers, fullWidth } = data
  const lines = nodes.map(({ data, nodes }) => ({
    text: escapeCode(textOf(nodes)),
    isHighlighted: data.highlighted === true
  }))
  const content = lines
    .map(({ text, isHighlighted }, index) => {
      const line = index === lines.length - 1 ? text : `${text}\n`
      return isHighlighted ? element("<strong>", line) : line
    })
    .join("")
  const pre = writeTag("pre", {
    class: syntax === undefined ? undefined : `language-${syntax}`,
    "data-title": title,
    "data-overflow": overflow,
    "data-line-numbers": lineNumbers,
    "data-full-width": fullWidth?.toString()
  })
  const code = writeTag("code", { class: syntax === undefined ? undefined : `lang-${syntax}` })
  return element(pre, element(code, content))
}

const alignmentOf = (align: string | undefined): string | undefined =>
  align === "center" ? "center" : align === "end" ? "right" : undefined

/** Writes the blocks of a cell. A paragraph is written as a line if it is the only block. */
export const writeFlow = (blocks: ReadonlyArray<Block>, addAnnotation: AddAnnotation): string => {
  const [first, ...others] = blocks
  if (first?.type === "paragraph" && others.length === 0 && alignmentOf(first.data?.align) === undefined) {
    return writeHtmlInlines(first.nodes, addAnnotation)
  }
  return blocks.map((block) => writeBlock(block, addAnnotation)).join("")
}

/** Writes a block. Blocks without a form in HTML are omitted, which the schema of cells excludes. */
export const writeBlock = (block: Block, addAnnotation: AddAnnotation): string => {
  switch (block.type) {
    case "paragraph": {
      const tag = writeTag("p", { align: alignmentOf(block.data?.align) })
      return element(tag, writeHtmlInlines(block.nodes, addAnnotation))
    }
    case "heading-1":
    case "heading-2":
    case "heading-3": {
      const depth = block.type === "heading-3" ? (block.data.depth ?? 3) : block.type === "heading-1" ? 1 : 2
      const tag = writeTag(`h${depth}`, { align: alignmentOf(block.data.align) })
      return element(tag, writeHtmlInlines(block.nodes, addAnnotation))
    }
    case "list-unordered":
      return element("<ul>", block.nodes.map((item) => writeItem(item, addAnnotation)).join(""))
    case "list-ordered": {
      const start = block.data?.start ?? 1
      const tag = writeTag("ol", { start: start === 1 ? undefined : start })
      return element(tag, block.nodes.map((item) => writeItem(item, addAnnotation)).join(""))
    }
    case "blockquote":
      return element("<blockquote>", writeFlow(block.nodes, addAnnotation))
    case "code":
      return writeCode(block)
    case "images":
      return block.nodes.length === 0 ? "" : writeFigures(block, addAnnotation)
    case "divider":
      return "<hr>"
    default:
      return ""
  }
}

const writeItem = ({ nodes }: ListItem, addAnnotation: AddAnnotation): string => {
  const [first, ...rest] = nodes
  // The first paragraph of an item is a line, followed by other blocks.
  if (first?.type === "paragraph" && rest.every(({ type }) => type !== "paragraph")) {
    const line = writeHtmlInlines(first.nodes, addAnnotation)
    return element("<li>", `${line}${rest.map((block) => writeBlock(block, addAnnotation)).join("")}`)
  }
  return element("<li>", writeFlow(nodes, addAnnotation))
}

/** Writes the title of an expandable block. */
export const writeSummary = (nodes: ReadonlyArray<Inline>, addAnnotation: AddAnnotation): string =>
  element("<summary>", writeHtmlInlines(nodes, addAnnotation))
