/** Links of a batch's texts to what the same batch adds: by a name that lives as long as the batch. */
import type { Nodes } from "mdast"
import { parse } from "../document/markdown.ts"

/** Where the names of a batch lead to, as links say it: `/pages/{id}`, `/files/{id}`. */
export type References = ReadonlyMap<string, string>

const destination = /^\.?\/?([\w.-]+?)(?:\.md)?(#[^\s]*)?$/

/** The text with its links and images that name something of the batch leading there. All else stays as it is. */
export const resolveReferences = (markdown: string, references: References): string => {
  if (references.size === 0) return markdown
  const edits: Array<readonly [from: number, to: number, text: string]> = []
  const visit = (node: Nodes): void => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      const found = destination.exec(node.url)
      const target = found === null ? undefined : references.get(found[1]!)
      const start = node.position?.start.offset
      const end = node.position?.end.offset
      if (target !== undefined && start !== undefined && end !== undefined) {
        // The destination is the last part of the node that reads like it: its text may read like it too.
        const at = markdown.slice(start, end).lastIndexOf(node.url)
        if (at >= 0) edits.push([start + at, start + at + node.url.length, target + (found![2] ?? "")])
      }
    }
    if ("children" in node) node.children.forEach(visit)
  }
  visit(parse(markdown))
  let [text, from] = ["", 0]
  for (const [start, end, replacement] of edits.sort(([a], [b]) => a - b)) {
    if (start < from) continue
    text += markdown.slice(from, start) + replacement
    from = end
  }
  return text + markdown.slice(from)
}
