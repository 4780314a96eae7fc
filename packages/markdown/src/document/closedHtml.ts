/** Closes HTML that would otherwise include the blocks after it, as a comment without `-->` does. */
import type { Code, JsonDocument } from "@lectern/model/document"
import { toCode } from "./literalsFromMarkdown.ts"
import { parse } from "./syntax.ts"

interface AnyNode {
  readonly object?: string
  readonly type?: string
  readonly data?: object
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
}

/** Matches text that may contain a construct that empty lines do not end. Other text is not parsed. */
const mayBeOpen = /<(?:[!?]|(?:script|pre|style|textarea)\b)|`{3}|~{3}|\$\$/i

/** Whether Markdown includes a paragraph after it. */
const isOpen = (markdown: string): boolean => {
  if (!mayBeOpen.test(markdown)) return false
  const last = parse(`${markdown}\n\nx`).children.at(-1)
  return last?.type !== "paragraph"
}

/** The starts of HTML that empty lines do not end, with their ends. */
const ends = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
  ["<script", "</script>"],
  ["<style", "</style>"],
  ["<pre", "</pre>"],
  ["<textarea", "</textarea>"]
] as const

const isHtml = (node: AnyNode): boolean => node.type === "code" && (node as Code).data.markdown === "html"

const textOf = ({ nodes }: Code): string =>
  nodes.map((line) => line.nodes.flatMap(({ leaves }) => leaves.map(({ text }) => text)).join("")).join("\n")

/** Returns a block of HTML that is closed. Without an end that closes it, it becomes a code block. */
const closed = (block: Code): Code => {
  const text = textOf(block)
  if (!isOpen(text)) return block
  const key = block.key ?? ""
  const end = ends.find(
    ([start, end]) => text.toLowerCase().includes(start.toLowerCase()) && !isOpen(`${text}\n${end}`)
  )
  if (end !== undefined) return toCode(`${text}\n${end[1]}`, block.data, key)
  const { markdown: _, ...data } = block.data
  return toCode(text, data, key)
}

/** The containers whose end ends open HTML. The end of other containers is a tag, which open HTML would include. */
const endsHtml = new Set(["blockquote", "list-item"])

/** Closes the HTML in nodes. `isLast`: whether HTML in the last one can be open. */
const closeIn = (
  nodes: ReadonlyArray<AnyNode>,
  isLast: boolean,
  isKept: (text: string) => boolean
): ReadonlyArray<AnyNode> => {
  const result = nodes.map((node, index): AnyNode => {
    if (isHtml(node)) {
      const code = node as Code
      const canBeOpen = (isLast && index === nodes.length - 1) || isKept(textOf(code))
      return canBeOpen ? node : (closed(code) as AnyNode)
    }
    if ((node.object !== "block" && node.object !== "fragment") || node.type === "code") return node
    const canBeOpen = node.type !== undefined && endsHtml.has(node.type)
    const children = node.nodes === undefined ? undefined : closeIn(node.nodes, canBeOpen, isKept)
    const fragments = node.fragments === undefined ? undefined : closeIn(node.fragments, false, isKept)
    if (children === node.nodes && fragments === node.fragments) return node
    return { ...node, ...(children && { nodes: children }), ...(fragments && { fragments }) }
  })
  return result.every((node, index) => node === nodes[index]) ? nodes : result
}

const closeInDocument = (document: JsonDocument, isKept: (text: string) => boolean): JsonDocument => {
  const { footnotes = [] } = document.data
  const nodes = closeIn(document.nodes as ReadonlyArray<AnyNode>, true, isKept) as JsonDocument["nodes"]
  const closedNotes = footnotes.map((footnote) => {
    const blocks = closeIn(footnote.nodes as ReadonlyArray<AnyNode>, true, isKept) as typeof footnote.nodes
    return blocks === footnote.nodes ? footnote : { ...footnote, nodes: blocks }
  })
  if (nodes === document.nodes && closedNotes.every((footnote, index) => footnote === footnotes[index]))
    return document
  return {
    ...document,
    nodes,
    data: { ...document.data, ...(footnotes.length === 0 ? {} : { footnotes: closedNotes }) }
  }
}

/**
 * Returns a document whose blocks of HTML do not include the blocks after them when they are written. Parsed Markdown has
 * hardly any such blocks, but clients edit and move blocks. Such blocks of `current` are unchanged.
 */
export const withClosedHtml = (document: JsonDocument, current?: JsonDocument): JsonDocument => {
  const kept = new Set<string>()
  if (current !== undefined) closeInDocument(current, (text) => kept.add(text).has(text))
  return closeInDocument(document, (text) => kept.has(text))
}
