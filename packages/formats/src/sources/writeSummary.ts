/** Writes the table of contents of a converted source. */

import { stringify } from "@lectern/markdown/document"
import type { List, ListItem, RootContent } from "mdast"
import type { SourceEntry } from "../conversion/SourceTree.ts"
import { linkTo } from "./support/locations.ts"

/** The path of the table of contents of a converted source. */
export const summaryName = "SUMMARY.md"

const itemOf = ({ title, path, url, entries }: SourceEntry): ListItem => {
  const destination = path === undefined ? url : linkTo(summaryName, path)
  return {
    type: "listItem",
    spread: false,
    children: [
      {
        type: "paragraph",
        children:
          destination === undefined
            ? [{ type: "text", value: title }]
            : [{ type: "link", url: destination, children: [{ type: "text", value: title }] }]
      },
      ...(entries.length === 0 ? [] : [listOf(entries)])
    ]
  }
}

const listOf = (entries: ReadonlyArray<SourceEntry>): List => ({
  type: "list",
  ordered: false,
  spread: false,
  children: entries.map(itemOf)
})

/** Returns `SUMMARY.md`: sections at the root are groups, and a rule ends a group before another page. */
export const writeSummary = (entries: ReadonlyArray<SourceEntry>): string => {
  const blocks: Array<RootContent> = [
    { type: "heading", depth: 1, children: [{ type: "text", value: "Table of contents" }] }
  ]
  let isInGroup = false
  let pages: Array<SourceEntry> = []
  const close = (): void => {
    if (pages.length > 0)
      blocks.push(...(isInGroup ? [{ type: "thematicBreak" } as const] : []), listOf(pages))
    if (pages.length > 0) isInGroup = false
    pages = []
  }
  for (const entry of entries) {
    if (entry.path !== undefined || entry.url !== undefined) {
      pages.push(entry)
      continue
    }
    if (entry.entries.length === 0) continue
    close()
    isInGroup = true
    blocks.push(
      { type: "heading", depth: 2, children: [{ type: "text", value: entry.title }] },
      listOf(entry.entries)
    )
  }
  close()
  return stringify({ type: "root", children: blocks })
}
