/** The feeds of a site: RSS 2.0 and Atom, of the pages that have changed, and of the entries of a changelog. */
import type { DocumentBlock, JsonDocument } from "@lectern/core"
import { plainText } from "@lectern/formats/threads"
import { hasCalendarDate } from "@lectern/model/schema"
import { escapeText } from "../html/Html.ts"
import { listedPages } from "./machineFormats.ts"
import { type LoadedSpace, pathOfPage, type ReadableSite } from "./ReadableSite.ts"

/** The formats of feeds. */
export type FeedFormat = "rss" | "atom"

/** An entry of a feed. */
export interface FeedEntry {
  readonly title: string
  readonly url: string
  /** The time in ISO 8601; undefined if it is unknown. */
  readonly time: string | undefined
  readonly summary: string
}

/** A feed. */
export interface Feed {
  readonly title: string
  /** The URL of the page that the feed belongs to. */
  readonly url: string
  /** The URL of the feed. */
  readonly feedUrl: string
  readonly language: string
  readonly entries: ReadonlyArray<FeedEntry>
}

/** The maximum number of entries of a feed. */
const maximumEntries = 50

/** The maximum length of the summary of an entry, in characters. */
const maximumSummary = 2_000

/** Returns the entries of the pages that have changed most recently. */
export const changedPages = (
  site: ReadableSite,
  spaces: ReadonlyArray<LoadedSpace>
): ReadonlyArray<FeedEntry> =>
  spaces
    .flatMap((space) =>
      listedPages(space).map((page) => ({
        title: page.title,
        url: `${site.publicUrl ?? ""}${pathOfPage(space, page)}`,
        time: page.updatedAt,
        summary: page.description ?? ""
      }))
    )
    .toSorted((one, other) => ((other.time ?? "") < (one.time ?? "") ? -1 : 1))
    .slice(0, maximumEntries)

/** Returns the text of blocks, of each on lines of its own. */
const textOf = (node: unknown): string => {
  if (typeof node !== "object" || node === null) return ""
  const { object, nodes, fragments, data } = node as Record<string, unknown> & {
    readonly data?: Record<string, unknown>
  }
  const children = [...(Array.isArray(nodes) ? nodes : []), ...(Array.isArray(fragments) ? fragments : [])]
  const inlines = children.filter((child) => child.object === "text" || child.object === "inline")
  if (inlines.length > 0) return plainText(inlines)
  const own = object === "block" && typeof data?.formula === "string" ? data.formula : ""
  return [own, ...children.map(textOf)].filter((text) => text !== "").join("\n")
}

const isHeading = ({ type }: { readonly type: string }): boolean => /^heading-[1-3]$/.test(type)

/** Returns all changelogs of a document, in its order. */
const changelogsIn = (nodes: ReadonlyArray<unknown>): ReadonlyArray<DocumentBlock.Updates> =>
  nodes.flatMap((node): ReadonlyArray<DocumentBlock.Updates> => {
    if (typeof node !== "object" || node === null) return []
    if ("type" in node && node.type === "updates") return [node as DocumentBlock.Updates]
    return "nodes" in node && Array.isArray(node.nodes) ? changelogsIn(node.nodes) : []
  })

/** Whether a document has a changelog. */
export const hasChangelog = ({ nodes }: JsonDocument): boolean => changelogsIn(nodes).length > 0

/** Returns the entries of the changelogs of a document; undefined for a document without one. */
export const changelogEntries = (
  document: JsonDocument,
  pageUrl: string
): ReadonlyArray<FeedEntry> | undefined => {
  const changelogs = changelogsIn(document.nodes)
  if (changelogs.length === 0) return undefined
  return changelogs
    .flatMap(({ nodes }) => nodes)
    .slice(0, maximumEntries)
    .map(({ data: { date }, nodes }) => {
      const heading = nodes.find(isHeading)
      const title = heading === undefined ? "" : textOf(heading).trim()
      const isImpossible = date !== undefined && /^\d{4}-\d{2}-\d{2}/.test(date) && !hasCalendarDate(date)
      const time = date === undefined || isImpossible ? undefined : new Date(date)
      return {
        title: title || (date ?? ""),
        url: date === undefined ? pageUrl : `${pageUrl}#${encodeURIComponent(`update-${date}`)}`,
        time: time === undefined || Number.isNaN(time.getTime()) ? undefined : time.toISOString(),
        summary: nodes
          .filter((block) => block !== heading)
          .map(textOf)
          .join("\n")
          .trim()
          .slice(0, maximumSummary)
      }
    })
}

const tag = (name: string, text: string | undefined, attributes = ""): string =>
  text === undefined || text === "" ? "" : `<${name}${attributes}>${escapeText(text)}</${name}>`

const latest = (entries: ReadonlyArray<FeedEntry>): string =>
  entries
    .flatMap(({ time }) => time ?? [])
    .sort()
    .at(-1) ?? new Date(0).toISOString()

const rssOf = ({ title, url, feedUrl, language, entries }: Feed): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    tag("title", title),
    tag("link", url),
    tag("description", title),
    tag("language", language),
    tag("lastBuildDate", new Date(latest(entries)).toUTCString()),
    `<atom:link href="${escapeText(feedUrl)}" rel="self" type="application/rss+xml"/>`,
    ...entries.map((entry) =>
      [
        "<item>",
        tag("title", entry.title),
        tag("link", entry.url),
        // A page that changes again is a new entry.
        tag(
          "guid",
          `${entry.url}${entry.url.includes("#") ? "" : `#${entry.time ?? ""}`}`,
          ' isPermaLink="false"'
        ),
        tag("pubDate", entry.time === undefined ? undefined : new Date(entry.time).toUTCString()),
        tag("description", entry.summary),
        "</item>"
      ].join("")
    ),
    "</channel></rss>\n"
  ]
    .filter((line) => line !== "")
    .join("\n")

const atomOf = ({ title, url, feedUrl, language, entries }: Feed): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeText(language)}">`,
    tag("title", title),
    tag("id", url),
    tag("updated", latest(entries)),
    `<author>${tag("name", title)}</author>`,
    `<link href="${escapeText(url)}"/>`,
    `<link href="${escapeText(feedUrl)}" rel="self" type="application/atom+xml"/>`,
    ...entries.map((entry) =>
      [
        "<entry>",
        tag("title", entry.title || entry.url),
        tag("id", entry.url),
        tag("updated", entry.time ?? latest(entries)),
        `<link href="${escapeText(entry.url)}"/>`,
        tag("summary", entry.summary),
        "</entry>"
      ].join("")
    ),
    "</feed>\n"
  ].join("\n")

/** Writes a feed in a format. */
export const writeFeed = (format: FeedFormat, feed: Feed): string =>
  format === "rss" ? rssOf(feed) : atomOf(feed)
