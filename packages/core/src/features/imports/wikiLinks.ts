/** The links of GitHub's wikis: `[[Page]]`, `[[words|Page]]`, `[[image.png]]`. */
import type { Nodes } from "mdast"
import { parse } from "../content/document/markdown.ts"

const link = /\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{1,500}))?\]\]/g

const image = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i

/** A page's name as it is compared: spaces are written as dashes, and case is not looked at. */
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

const written = (_: string, first: string, second: string | undefined): string => {
  if (image.test(first.trim())) {
    const words = second === undefined || /^(?:alt|width|height|align|frame)=/.test(second) ? "" : second
    return `![${words.trim()}](${first.trim().replaceAll(" ", "%20")})`
  }
  const words = first.trim()
  const page = second ?? first
  if (/^https?:\/\//i.test(page.trim())) return `[${words}](${page.trim()})`
  return `[${words}](${destinationOf(page)})`
}

/** The text with these links in markdown's own way, outside of code. */
export const expandWikiLinks = (markdown: string): string => {
  if (!markdown.includes("[[")) return markdown
  const kept: Array<readonly [from: number, to: number]> = []
  const visit = (node: Nodes): void => {
    const isVerbatim = node.type === "code" || node.type === "inlineCode" || node.type === "html"
    if (isVerbatim && node.position !== undefined) {
      kept.push([node.position.start.offset!, node.position.end.offset!])
    }
    if ("children" in node) node.children.forEach(visit)
  }
  visit(parse(markdown))
  let [text, from] = ["", 0]
  for (const [start, end] of [...kept, [markdown.length, markdown.length] as const]) {
    text += markdown.slice(from, start).replaceAll(link, written) + markdown.slice(start, end)
    from = end
  }
  return text
}
