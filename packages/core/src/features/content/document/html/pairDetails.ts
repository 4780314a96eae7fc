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

const htmlOf = (source: string): Mdast.Html => ({ type: "html", value: source.trim() })

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
    for (const { kind, source } of parts) {
      const last = open.at(-1)
      const part = parts.length === 1 ? node : htmlOf(source)
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
          const [open, , ...children] = content.splice(last.at) as [Mdast.Html, ...Array<PairedContent>]
          content.push({
            type: "details",
            isOpen: last.isOpen,
            open,
            close: part,
            summary: last.summary,
            children
          })
        }
      }
    }
  }
  return content
}
