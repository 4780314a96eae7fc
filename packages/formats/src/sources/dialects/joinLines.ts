/** Joins the lines of paragraphs. A line break in Markdown is a space to most tools, and a line break to GitBook and to readers of Lectern. */

import { parse, wellFormed } from "@lectern/markdown/document"
import type { Nodes, Text } from "mdast"

const textsIn = (node: Nodes, isParagraph: boolean): ReadonlyArray<Text> => {
  if (node.type === "text") return isParagraph && node.value.includes("\n") ? [node] : []
  return "children" in node
    ? node.children.flatMap((child) => textsIn(child, isParagraph || node.type === "paragraph"))
    : []
}

/** Joins the lines of each paragraph. Line breaks that Markdown has for readers, code and HTML remain. */
export const joinLines = (markdown: string): string => {
  const text = wellFormed(markdown)
  let [joined, from] = ["", 0]
  for (const { position } of textsIn(parse(text), false)) {
    const [start, end] = [position?.start.offset, position?.end.offset]
    if (start === undefined || end === undefined || start < from) continue
    joined += text.slice(from, start) + text.slice(start, end).replaceAll(/[ \t]*\n[ \t>]*/g, " ")
    from = end
  }
  return joined + text.slice(from)
}
