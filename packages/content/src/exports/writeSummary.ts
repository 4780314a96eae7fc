/** Writes the table of contents of a repository. Entries that it already has keep their text. */

import {
  escapeSetting,
  type NodeTarget,
  type RepositoryLayout,
  type RepositoryNode,
  type SummaryEntry
} from "@lectern/formats"
import { stringify } from "@lectern/markdown/document"
import { servableSlug, slugOfGroup } from "@lectern/markdown/text"
import type { Link, Text } from "mdast"
import { Document } from "yaml"
import { relativePath } from "./contentPaths.ts"

/** A node with its slug. */
export interface SluggedNode extends RepositoryNode {
  readonly actualSlug: string
}

const writeText = (value: string): string =>
  stringify({
    type: "root",
    children: [{ type: "paragraph", children: [{ type: "text", value }] }]
  }).trimEnd()

const writeLink = (title: string, url: string): string => {
  const text: Text = { type: "text", value: title }
  const link: Link = {
    type: "link",
    url,
    children: [text],
    data: { hasBrackets: true } as Link["data"] & object
  }
  return stringify({ type: "root", children: [{ type: "paragraph", children: [link] }] }).trimEnd()
}

const destinationOf = (target: NodeTarget, layout: RepositoryLayout): string =>
  "url" in target
    ? target.url
    : "path" in target
      ? relativePath(layout.summaryPath, target.path) +
        (target.anchor === undefined ? "" : `#${target.anchor}`)
      : ""

/** Writes settings as a block of YAML in a list item. */
const writeSettings = (values: object, indent: string): string =>
  ["```yaml", ...new Document(values).toString({ lineWidth: 0 }).trimEnd().split("\n"), "```"]
    .map((line, index) => (index === 0 || line === "" ? line : `${indent}  ${line}`))
    .join("\n")

const attributeOf = {
  emoji: "emoji",
  icon: "icon",
  hidden: "hidden",
  condition: "if",
  noIndex: "no-index",
  noRobotsIndex: "no-robots-index"
} as const

const writeGroup = ({ title, actualSlug, settings = {} }: SluggedNode): string => {
  const attributes = Object.entries(settings).map(
    ([name, value]) =>
      `data-${attributeOf[name as keyof typeof attributeOf]}="${escapeSetting(String(value))}"`
  )
  const isNamed = actualSlug !== servableSlug(slugOfGroup(title)) || attributes.length > 0
  const anchor = isNamed
    ? ` <a href="#${actualSlug}" id="${actualSlug}"${attributes.map((one) => ` ${one}`).join("")}></a>`
    : ""
  return `## ${writeText(title)}${anchor}`
}

const writeItem = (node: SluggedNode, layout: RepositoryLayout, indent: string): string => {
  const { type, title, path, target, computed, settings } = node
  if (type === "document") return writeLink(title, relativePath(layout.summaryPath, path!))
  if (type === "computed") return writeSettings({ title, ...computed, ...settings }, indent)
  if (settings === undefined && target !== undefined && !("ref" in target)) {
    return writeLink(title, destinationOf(target, layout))
  }
  const reference =
    target === undefined
      ? {}
      : "ref" in target
        ? target.ref
        : { kind: "url", url: destinationOf(target, layout) }
  return writeSettings({ title, type: "link", target: reference, ...settings }, indent)
}

/** Returns the Markdown of entries by their titles and destinations, so that unchanged entries keep their formatting. */
const writtenItems = (
  summary: ReadonlyArray<SummaryEntry>,
  found = new Map<string, string>()
): Map<string, string> => {
  for (const { kind, title, destination, written, entries } of summary) {
    if (kind === "link" && !written.includes("\n")) found.set(`${title}\n${destination}`, written)
    writtenItems(entries, found)
  }
  return found
}

/** Writes a table of contents. `original` is that of the imported repository. */
export const writeSummary = (
  nodes: ReadonlyArray<SluggedNode>,
  layout: RepositoryLayout,
  original: ReadonlyArray<SummaryEntry> | undefined
): string => {
  const written = writtenItems(original ?? [])
  const lines: Array<string> = ["# Table of contents", ""]
  const depths: Array<number> = []
  let group: number | undefined
  for (const [index, node] of nodes.entries()) {
    const { parent, type } = node
    const isInGroup = parent !== undefined && nodes[parent]!.type === "group"
    depths.push(parent === undefined ? 0 : isInGroup ? 0 : depths[parent]! + 1)
    if (type === "group") {
      if (lines.at(-1) !== "") lines.push("")
      lines.push(writeGroup(node), "")
      group = index
      continue
    }
    if (parent === undefined && group !== undefined) {
      // A rule ends the group before pages at the root.
      if (lines.at(-1) !== "") lines.push("")
      lines.push("***", "")
      group = undefined
    }
    const indent = "  ".repeat(depths[index]!)
    const item = writeItem(node, layout, indent)
    const destination = /\]\(([^\s)]*)\)$/.exec(item)?.[1]
    lines.push(`${indent}* ${written.get(`${node.title}\n${destination}`) ?? item}`)
  }
  while (lines.at(-1) === "") lines.pop()
  return `${lines.join("\n")}\n`
}
