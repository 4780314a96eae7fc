/** Writes the changed nodes of a document in the style of the Markdown that they are written into. */
import type { Block, JsonDocument, List, ListItem } from "@lectern/model/document"
import { styleOf } from "./markdownStyle.ts"
import type { AnyNode } from "./nodeIdentity.ts"
import type { SourceRange } from "./SourceRanges.ts"
import type { MarkdownStyle } from "./syntax.ts"
import { partToMarkdown } from "./toMarkdown.ts"

/** Matches the text before a node on its line, if it consists of markers of quotes, lists and footnotes. */
const markersPattern = /^(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\n]*\]:)*$/

const itemMarkerPattern = /^(?:[-+*]|(\d{1,9})([.)]))(?: {1,4}(?=\S)| (?=\s)|(?=\n|$))/

const checkboxPattern = /\[[ xX\t]\][ \t]*$/

/** Writes nodes without a line feed at their end. A prefix is the text before all lines but the first. */
export class MarkdownWriter {
  private readonly text: string
  private readonly whole: JsonDocument["data"]
  private readonly style: MarkdownStyle

  /** `text` is the normalized Markdown, and `whole` is the data of the written document. */
  constructor(text: string, whole: JsonDocument["data"]) {
    this.text = text
    this.whole = whole
    this.style = styleOf(text)
  }

  /** The prefix of a block that starts at an offset. Undefined if the text before it has more than markers. */
  prefixAt(offset: number): string | undefined {
    const lineStart = this.text.lastIndexOf("\n", offset - 1) + 1
    const before = offset === 0 ? "" : this.text.slice(lineStart, offset).replace(checkboxPattern, "")
    if (!markersPattern.test(before)) return undefined
    return before.replace(/\[\^[^\]\n]*\]: */g, "    ").replace(/[^>\s]/g, " ")
  }

  /** Writes blocks in the style of a neighbor. Tight blocks have no empty lines between them. */
  blocks(nodes: ReadonlyArray<AnyNode>, prefix: string, isTight = false, neighbor?: SourceRange): string {
    const parts = isTight ? nodes.map((node) => [node]) : [nodes]
    const htmlTables = neighbor !== undefined && this.text.startsWith("<table", neighbor.start)
    return parts
      .map((part) => indent(this.topLevel(part as ReadonlyArray<Block>, htmlTables), prefix))
      .join(separatorOf(prefix, isTight))
  }

  /** Writes definitions and footnotes. */
  data(data: JsonDocument["data"], prefix = ""): string {
    return indent(partToMarkdown({ object: "document", data, nodes: [] }, this.whole, this.style), prefix)
  }

  /** Writes parts of a container of tags, such as tabs. Undefined if they are not on lines of their own. */
  tagItems(container: AnyNode, items: ReadonlyArray<AnyNode>, prefix: string): string | undefined {
    const lines = this.topLevel([{ ...container, nodes: items } as Block]).split("\n")
    const isEnclosed = /^\{%.*%\}$/.test(lines[0]!) && /^\{% end\w+ %\}$/.test(lines.at(-1)!)
    return isEnclosed ? indent(lines.slice(1, -1).join("\n"), prefix) : undefined
  }

  /** Writes an item with the marker of another item of its list. */
  item(list: List, item: ListItem, neighbor: SourceRange, prefix: string): string | undefined {
    const [marker, number, delimiter] =
      itemMarkerPattern.exec(this.text.slice(neighbor.start, neighbor.end)) ?? []
    if (marker === undefined) return undefined
    const start = list.type === "list-ordered" ? (list.data?.start ?? 1) : 0
    const own = number === undefined ? marker.padEnd(2) : `${start + list.nodes.indexOf(item)}${delimiter} `
    const [first = "", ...rest] = this.topLevel([{ ...list, nodes: [item] } as List]).split("\n")
    const width = itemMarkerPattern.exec(first)?.[0].length
    if (width === undefined) return undefined
    const indentation = new RegExp(`^ {0,${width}}`)
    const lines = [first.slice(width), ...rest.map((line) => line.replace(indentation, ""))]
    return own + indent(lines.join("\n"), prefix + " ".repeat(own.length))
  }

  private topLevel(nodes: ReadonlyArray<Block>, htmlTables = false): string {
    const part: JsonDocument = { object: "document", data: {}, nodes: nodes.filter(hasForm) }
    return partToMarkdown(part, this.whole, { ...this.style, htmlTables })
  }
}

/**
 * Whether Markdown has a form of a block. An empty paragraph is written as nothing: its empty lines would remain when text is written into it, and add up
 * while a writer pauses after each new paragraph.
 */
export const hasForm = (block: Block): boolean =>
  block.type !== "paragraph" ||
  Object.keys(block.data ?? {}).length > 0 ||
  block.nodes.some((node) => node.object !== "text" || node.leaves.some(({ text }) => text !== ""))

/** The separator of blocks whose lines start with a prefix. */
export const separatorOf = (prefix: string, isTight: boolean): string =>
  isTight ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`

const indent = (text: string, prefix: string): string =>
  text
    .split("\n")
    .map((line, index) => (index === 0 ? line : line === "" ? prefix.trimEnd() : prefix + line))
    .join("\n")
