/**
 * Parses the table of contents of a repository, `SUMMARY.md`: headings of groups, and nested lists of links to pages. A rule
 * ends a group. A list item with a block of YAML is a computed page.
 */

import { wellFormed } from "@lectern/markdown/document"
import { parseYamlMapping } from "@lectern/markdown/frontMatter"
import type { List, ListItem, Nodes, RootContent } from "mdast"
import { toString as plainText } from "mdast-util-to-string"
import type { SummaryEntry } from "../conversion/SummaryEntry.ts"
import { decodeText } from "../imports/decode.ts"
import { readRegularSummary } from "./regularSummary.ts"
import { parseSummaryParts, type SummaryPart } from "./summaryParts.ts"

/** Matches the anchor in the heading of a group, as in `<a href="#begin" id="begin"></a>`. */
const anchorPattern = /<a\b[^<>]*?\bid="([^"]+)"[^<>]*>/

/** Matches the attributes of an anchor that have settings of the group. */
const settingPattern = /\bdata-(icon|emoji|hidden|if|no-index|no-robots-index)="([^"]*)"/g

/** The characters that attributes of an anchor escape: it is on one line. */
const escapes = [
  ["&", "&amp;"],
  ['"', "&quot;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ["\n", "&#10;"],
  ["\r", "&#13;"]
] as const

/** Escapes the value of a setting of a group. */
export const escapeSetting = (value: string): string =>
  escapes.reduce((text, [character, escape]) => text.replaceAll(character, escape), value)

const unescapeSetting = (text: string): string =>
  escapes.reduceRight((value, [character, escape]) => value.replaceAll(escape, character), text)

const findLink = (node: Nodes): Extract<Nodes, { type: "link" }> | undefined => {
  if (node.type === "link") return node
  for (const child of "children" in node ? node.children : []) {
    const found = findLink(child)
    if (found !== undefined) return found
  }
  return undefined
}

const readPart = ({ text, root, below }: SummaryPart): ReadonlyArray<SummaryEntry> => {
  const sourceOf = ({ position }: Nodes): string =>
    text.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)

  const readItem = (item: ListItem): SummaryEntry => {
    const [first, ...rest] = item.children
    const entries = [...(first?.type === "list" ? [first] : []), ...rest].flatMap((child) =>
      child.type === "list" ? readList(child) : []
    )
    if (first?.type === "code") {
      const settings = parseYamlMapping(first.value) ?? {}
      const title = typeof settings.title === "string" ? settings.title : ""
      return { kind: "settings", title, settings, written: sourceOf(first), entries }
    }
    if (first === undefined || first.type === "list") return { kind: "text", title: "", written: "", entries }
    const written = sourceOf(first)
    const link = findLink(first)
    return link === undefined
      ? { kind: "text", title: plainText(first).trim(), written, entries }
      : { kind: "link", title: plainText(link).trim(), destination: link.url, written, entries }
  }

  const readList = (list: List): ReadonlyArray<SummaryEntry> => list.children.map(readItem)

  const readBlock = (block: RootContent): ReadonlyArray<SummaryEntry> => {
    if (block.type === "list") return readList(block)
    if (block.type === "thematicBreak") return [{ kind: "end", title: "", written: "", entries: [] }]
    if (block.type !== "heading" || block.depth === 1) return []
    const written = sourceOf(block)
    const anchor = anchorPattern.exec(written)
    const settings = Object.fromEntries(
      [...(anchor?.[0] ?? "").matchAll(settingPattern)].map(([, name, value]) => [
        name!,
        unescapeSetting(value!)
      ])
    )
    const title = plainText(block)
      .replaceAll(/<[^<>]*>/g, "")
      .trim()
    return [
      {
        kind: "group",
        title,
        ...(anchor === null ? {} : { slug: anchor[1]! }),
        ...(Object.keys(settings).length === 0 ? {} : { settings }),
        written,
        entries: []
      }
    ]
  }

  const entries = root.children.flatMap(readBlock)
  if (below.length === 0) return entries
  return entries.map((entry) => ({ ...entry, entries: below.flatMap(readPart) }))
}

/** Parses a table of contents as Markdown. Throws `NotReadable` if it is too long or too complex. */
export const readMarkdownSummary = (text: string): ReadonlyArray<SummaryEntry> =>
  parseSummaryParts(text).flatMap(readPart)

/** Parses a table of contents. Throws `NotReadable` if it is too long or too complex. */
export const readSummary = (bytes: Uint8Array): ReadonlyArray<SummaryEntry> => {
  const text = wellFormed(decodeText(bytes))
  return readRegularSummary(text.replaceAll(/\r\n?/g, "\n")) ?? readMarkdownSummary(text)
}
