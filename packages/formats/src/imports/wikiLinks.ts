/** Converts the links of GitHub wikis to markdown: `[[Page]]`, `[[label|Page]]`, `[[image.png]]`. */

import { parse } from "@lectern/markdown/document"
import type { Nodes } from "mdast"

const wikiLink = /\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{1,500}))?\]\]/g

const imageExtension = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i

/** Normalizes the name of a wiki page for comparison: dashes for spaces, in lower case. */
export const wikiNameOf = (name: string): string =>
  name
    .trim()
    .replaceAll(/[\s-]+/g, "-")
    .toLowerCase()

const destinationOf = (page: string): string => {
  const [name = "", ...anchor] = page.trim().split("#")
  const path = name.trim().replaceAll(/\s+/g, "-").split("/").map(encodeURIComponent).join("/")
  return anchor.length === 0 ? path : `${path}#${encodeURIComponent(anchor.join("#").trim())}`
}

const toMarkdownLink = (_: string, first: string, second: string | undefined): string => {
  if (imageExtension.test(first.trim())) {
    const alt = second === undefined || /^(?:alt|width|height|align|frame)=/.test(second) ? "" : second
    return `![${alt.trim()}](${first.trim().replaceAll(" ", "%20")})`
  }
  const label = first.trim()
  const page = second ?? first
  if (/^https?:\/\//i.test(page.trim())) return `[${label}](${page.trim()})`
  return `[${label}](${destinationOf(page)})`
}

/** Replaces wiki links by links of markdown, outside of code and HTML. */
export const expandWikiLinks = (markdown: string): string => {
  if (!markdown.includes("[[")) return markdown
  const verbatim: Array<readonly [from: number, to: number]> = []
  const visit = (node: Nodes): void => {
    const isVerbatim = node.type === "code" || node.type === "inlineCode" || node.type === "html"
    if (isVerbatim && node.position !== undefined) {
      verbatim.push([node.position.start.offset!, node.position.end.offset!])
    }
    if ("children" in node) node.children.forEach(visit)
  }
  visit(parse(markdown))
  let [text, from] = ["", 0]
  for (const [start, end] of [...verbatim, [markdown.length, markdown.length] as const]) {
    text += markdown.slice(from, start).replaceAll(wikiLink, toMarkdownLink) + markdown.slice(start, end)
    from = end
  }
  return text
}
