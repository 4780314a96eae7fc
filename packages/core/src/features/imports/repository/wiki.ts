/** Imports zip archives of the repositories of GitHub wikis. */

import {
  catchUnreadable,
  type Entry,
  type FetchedContent,
  type FetchedFile,
  type FetchedPage,
  markdownExtension,
  mediaTypeOf,
  nameOrder,
  type ReadPage,
  type Skipped,
  stemOf,
  titleOfName,
  type Unpacked,
  wikiNameOf
} from "@lectern/formats"
import type { GitBlob } from "@lectern/model/content"
import { bounds } from "@lectern/model/imports"
import { unescaped } from "@lectern/model/schema"
import { sha1 } from "@noble/hashes/legacy.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { makeArchiveAllowance } from "../archiveAllowance.ts"
import { type FetchError, type ImportContext, urlError } from "../ImportContext.ts"
import { fileNameOf } from "../images.ts"
import { commitOf, fetchArchive } from "./archive.ts"

/** The name of the file that lists the pages in order. */
const wikiContents = /^_sidebar$/i

/** The maximum length of an item of that list that is read, in characters. */
const maximumItemLength = 4_000

/** The names of files that are parts of every page, and not pages. */
const wikiParts = /^_(?:sidebar|footer|header)$/i

/** The path of a file, and its object id in git. */
const gitOf = ({ path, bytes }: Unpacked): GitBlob => ({
  oid: bytesToHex(sha1(concatBytes(utf8ToBytes(`blob ${bytes.length}\0`), bytes))),
  path
})

/** Creates a function that resolves the destination of a link to the path of a file: a page by its name or its URL. */
const makeResolver = (paths: ReadonlyArray<string>) => {
  const files = new Set(paths)
  const names = new Map<string, string>()
  for (const path of paths) {
    if (!markdownExtension.test(path)) continue
    names.set(wikiNameOf(stemOf(path)), path)
  }
  return (url: string): string | undefined => {
    const [path = ""] = url.split("#")
    const wiki = /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/wiki\/([^/?]+)$/i.exec(path)?.[1]
    if (wiki !== undefined) return names.get(wikiNameOf(unescaped(wiki)))
    return files.has(path) ? path : names.get(wikiNameOf(path.split("/").at(-1) ?? ""))
  }
}

/** The path of the page of a file: see `FetchedPage.segments`. Wikis have no folders, and "Home" is the root page. */
const segmentsOf = (path: string): ReadonlyArray<string> => {
  const stem = stemOf(path)
  return stem.toLowerCase() === "home" ? [] : [stem]
}

/** Orders pages by name, the first page first. */
const comparePages = (a: FetchedPage, b: FetchedPage): number =>
  a.segments.length - b.segments.length ||
  nameOrder.compare(a.segments[0] ?? "", b.segments[0] ?? "") ||
  nameOrder.compare(a.resource, b.resource)

/** Parses a table of contents: headings, and nested lists of links to pages. */
const parseContents = (
  contents: string,
  resourceOf: (destination: string) => string | undefined
): ReadonlyArray<Entry> => {
  interface Level {
    readonly indent: number
    readonly entries: Array<Entry>
  }
  const root: Level = { indent: -1, entries: [] }
  let levels: ReadonlyArray<Level> = [root]
  for (const line of contents.split("\n")) {
    const title = /^#{2,6}[ \t]+(.+)$/.exec(line)?.[1]
    if (title !== undefined) {
      const section: Level = { indent: -1, entries: [] }
      root.entries.push({ url: undefined, title: title.trim(), entries: section.entries })
      levels = [section]
      continue
    }
    const item = /^([ \t]*)(?:[-*+]|\d+[.)])[ \t]+(.*)$/.exec(line)
    if (item === null) continue
    const indent = item[1]!.replaceAll("\t", "    ").length
    const link = /\[([^\]]*)\]\(([^)\s]*)[^)]*\)/.exec(item[2]!.slice(0, maximumItemLength))
    const entries: Array<Entry> = []
    levels = levels.filter((level) => level.indent < indent)
    levels.at(-1)!.entries.push({
      url: link === null ? undefined : resourceOf(link[2]!),
      title: (link?.[1] ?? item[2]!).trim(),
      entries
    })
    levels = [...levels, { indent, entries }]
  }
  return root.entries
}

/**
 * Fetches the archive of a wiki, and parses its pages with the files that they refer to. Fails with `InvalidInput` if the URL
 * does not point to an archive with pages.
 */
export const fetchWiki = Effect.fnUntraced(function* (
  context: ImportContext,
  requestedUrl: string
): Effect.fn.Return<FetchedContent, FetchError> {
  const { read, mark } = context
  const archive = yield* fetchArchive(
    context,
    requestedUrl,
    "points to a web page; use the URL of a zip archive of the wiki's repository"
  )
  const commit = commitOf(archive, requestedUrl)
  const sizes = new Map(
    archive.files.filter(([path]) => !path.split("/").some((part) => part.startsWith(".")))
  )
  const paths = [...sizes.keys()]
  const markdownPaths = paths.filter((path) => markdownExtension.test(path))
  if (markdownPaths.length === 0) return yield* urlError("points to an archive without any markdown")
  if (markdownPaths.length > context.limits.archivePages) {
    return yield* urlError(`points to an archive of more than ${context.limits.archivePages} pages`)
  }
  const resolve = makeResolver(paths)
  const skipped: Array<Skipped> = archive.skipped.map(({ path, reason }) => ({
    kind: markdownExtension.test(path) ? "page" : "file",
    resource: path,
    reason
  }))
  const spend = makeArchiveAllowance(archive.transferSize)
  const pages: Array<FetchedPage> = []
  let navigation: ReadonlyArray<Entry> = []
  for (const path of markdownPaths) {
    const stem = stemOf(path)
    if (wikiParts.test(stem) && !wikiContents.test(stem)) continue
    const file: Unpacked = { path, bytes: yield* archive.load(path) }
    yield* spend(file.bytes)
    const page = yield* catchUnreadable(
      read("markdown", { bytes: file.bytes, mark, base: path, isWiki: true }),
      ({ message }) => {
        skipped.push({ kind: "page", resource: path, reason: `The page ${message}.` })
        return Effect.succeed(undefined)
      }
    )
    if (page === undefined) continue
    if (wikiContents.test(stem)) {
      navigation = parseContents(page.markdown, markResolver(page, mark, resolve))
      continue
    }
    pages.push({
      resource: path,
      segments: segmentsOf(path),
      page: { ...page, title: stem.replaceAll("-", " ") },
      fallback: titleOfName(stem),
      ...(commit === undefined ? {} : { git: gitOf(file) })
    })
  }
  pages.sort(comparePages)

  const referenced = new Set(
    pages
      .flatMap(({ page }) => page.targets.flatMap(({ url }) => resolve(url) ?? []))
      .filter((path) => !markdownExtension.test(path))
  )
  const files: Array<FetchedFile> = []
  for (const path of referenced) {
    const size = sizes.get(path)!
    if (size === 0 || size > bounds.imageBytes || files.length >= bounds.images) {
      skipped.push({
        kind: "file",
        resource: path,
        reason: "The file is empty, or exceeds the limits of files."
      })
      continue
    }
    const bytes = yield* archive.load(path)
    const contentType = mediaTypeOf(path)
    files.push({
      resource: path,
      name: fileNameOf(path, contentType),
      contentType,
      bytes,
      ...(commit === undefined ? {} : { git: gitOf({ path, bytes }) })
    })
  }
  return {
    pages,
    files,
    total: pages.length + files.length + skipped.length,
    skipped,
    navigation,
    resourceOf: resolve,
    git: commit
  }
})

/** Creates a function that resolves the placeholder of a link target in the markdown of a page: see `markOf`. */
const markResolver =
  (page: ReadPage, mark: string, resolve: (url: string) => string | undefined) =>
  (destination: string): string | undefined => {
    const index = /^import:\w+:(\d+)$/.exec(destination)?.[1]
    const target =
      index === undefined || !destination.startsWith(`import:${mark}:`)
        ? undefined
        : page.targets[Number(index)]
    return target === undefined ? undefined : resolve(target.url)
  }
