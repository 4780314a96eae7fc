/** Pairs `<details>` and `</details>`, between which Markdown has the blocks of an expandable. */
import type * as Mdast from "mdast"
import type { TagContent } from "../pairTags.ts"
import { type HtmlNode, parseHtml } from "./htmlTree.ts"

/** An expandable with the nodes between its summary and its closing tag. */
export interface DetailsBlock {
  readonly type: "details"
  readonly isOpen: boolean
  readonly open: Mdast.Html
  readonly close: Mdast.Html
  readonly summary: ReadonlyArray<HtmlNode>
  readonly children: ReadonlyArray<TagContent | DetailsBlock>
}

/** A node whose tags are paired. */
export type PairedContent = TagContent | DetailsBlock

const partPattern =
  /\s*(?:(<details(?: open(?:="[^"<>]*")?)?>)|(<summary>[\s\S]*?<\/summary>)|(<\/details>))\s*/y

interface Part {
  readonly kind: "open" | "summary" | "close"
  readonly source: string
}

/** Splits HTML that consists of tags of expandables. Returns undefined for other HTML. */
const partsOf = (source: string): ReadonlyArray<Part> | undefined => {
  if (!/<\/?(?:details|summary)\b/.test(source)) return undefined
  const parts: Array<Part> = []
  for (let from = 0; from < source.length; ) {
    partPattern.lastIndex = from
    const found = partPattern.exec(source)
    if (found === null) return undefined
    const [written, open, summary] = found
    const kind = open !== undefined ? "open" : summary !== undefined ? "summary" : "close"
    parts.push({ kind, source: written })
    from += written.length
  }
  return parts
}

/** The maximum number of open expandables. Deeper ones stay HTML. */
const maximumDepth = 16

interface Open {
  readonly at: number
  readonly isOpen: boolean
  summary?: ReadonlyArray<HtmlNode>
}

const summaryOf = (source: string): ReadonlyArray<HtmlNode> | undefined => {
  const [element] = parseHtml(source.trim()) ?? []
  return element === undefined || typeof element === "string" ? undefined : element.children
}

/** Splits an HTML node into one node for each part. In quotes and lists, where lines have a prefix, parts have no position. */
const splitNode = (node: Mdast.Html, parts: ReadonlyArray<Part>): ReadonlyArray<Mdast.Html> => {
  if (parts.length === 1) return [node]
  const { position } = node
  const hasOffsets =
    position?.start.offset !== undefined && position.end.offset === position.start.offset + node.value.length
  let from = 0
  return parts.map(({ source }) => {
    const value = source.trim()
    const start = (position?.start.offset ?? 0) + from + source.indexOf(value)
    from += source.length
    if (!hasOffsets) return { type: "html", value }
    const pointAt = (offset: number) => ({ ...position.start, offset })
    return { type: "html", value, position: { start: pointAt(start), end: pointAt(start + value.length) } }
  })
}

/** Whether nodes have a tag of an expandable. */
const hasDetails = (node: PairedContent): boolean => node.type === "html" && node.value.includes("<details")

/**
 * Pairs the tags among siblings. Tags that are not paired, or have no summary, stay HTML nodes. It takes linear time:
 * each node moves once into the expandable that contains it.
 */
export const pairDetails = (siblings: ReadonlyArray<PairedContent>): ReadonlyArray<PairedContent> => {
  if (!siblings.some(hasDetails)) return siblings
  const content: Array<PairedContent> = []
  const open: Array<Open> = []
  for (const node of siblings) {
    const parts = node.type === "html" ? partsOf(node.value) : undefined
    if (parts === undefined || node.type !== "html") {
      content.push(node)
      continue
    }
    const nodes = splitNode(node, parts)
    for (const [index, { kind, source }] of parts.entries()) {
      const last = open.at(-1)
      const part = nodes[index]!
      if (kind === "open") {
        if (open.length < maximumDepth)
          open.push({ at: content.length, isOpen: /^\s*<details open/.test(source) })
        content.push(part)
      } else if (kind === "summary") {
        const isFirst = last !== undefined && last.summary === undefined && last.at === content.length - 1
        const summary = isFirst ? summaryOf(source) : undefined
        if (last !== undefined && summary !== undefined) last.summary = summary
        content.push(part)
      } else if (last === undefined) content.push(part)
      else {
        open.pop()
        if (last.summary === undefined) content.push(part)
        else {
          const [first, , ...children] = content.splice(last.at)
          content.push({
            type: "details",
            isOpen: last.isOpen,
            summary: last.summary,
            children,
            open: first as Mdast.Html,
            close: part
          })
        }
      }
    }
  }
  return content
}
