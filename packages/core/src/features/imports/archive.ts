/** Imports zip archives: folders of markdown, and the repositories of GitHub wikis. */
import { sha1 } from "@noble/hashes/legacy.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { unescaped } from "../../kernel/schema/Text.ts"
import type { GitBlob } from "../../model/content/Page.ts"
import type { GitCommit } from "../../model/content/Revision.ts"
import { bounds, type ImportSource } from "../../model/imports/Import.ts"
import type { Entry, ReadPage, Unpacked } from "../conversion/Readings.ts"
import type { FetchedContent, FetchedFile, FetchedPage } from "./FetchedContent.ts"
import { type FetchError, type ImportContext, mapNotReadable, urlError } from "./ImportContext.ts"
import { fileNameOf, imageTypeOf } from "./images.ts"
import { wikiNameOf } from "./wikiLinks.ts"

const markdownExtension = /\.(?:md|markdown|mdown|mkdn?)$/i

/** The names of files that are the page of their folder. */
const folderPage = /^(?:readme|index|_index)$/i

/** The names of files that list the pages in order. */
const bookContents = /^summary$/i
const wikiContents = /^_sidebar$/i

/** The names of wiki files that are parts of every page, and not pages. */
const wikiParts = /^_(?:sidebar|footer|header)$/i

const stemOf = (path: string): string => (path.split("/").at(-1) ?? "").replace(markdownExtension, "")

/** Converts a file name to a title: `getting-started` to "Getting started". */
const toTitle = (stem: string): string => {
  const words = stem.replaceAll(/[-_]+/g, " ").trim()
  return words === "" ? stem : words.charAt(0).toUpperCase() + words.slice(1)
}

/** Removes the root folder of the paths if all files are in one folder, as in archives of repositories. */
const withoutCommonFolder = (files: ReadonlyArray<Unpacked>): ReadonlyArray<Unpacked> => {
  const folders = new Set(files.map(({ path }) => (path.includes("/") ? `${path.split("/")[0]}/` : "")))
  const [common = ""] = folders
  if (folders.size !== 1 || common === "") return files
  return files.map(({ path, bytes }) => ({ path: path.slice(common.length), bytes }))
}

/** The path of a file, and its object id in git. */
const gitOf = ({ path, bytes }: Unpacked): GitBlob => ({
  oid: bytesToHex(sha1(concatBytes(utf8ToBytes(`blob ${bytes.length}\0`), bytes))),
  path
})

/** The order of names, with numbers by value: 2 before 10. */
const nameOrder = new Intl.Collator("en", { numeric: true, sensitivity: "base" })

/**
 * Creates a function that resolves the destination of a link to the path of a file: a page with or without its extension, a
 * folder to its page, and in wikis a page by its name.
 */
const makeResolver = (files: ReadonlyArray<Unpacked>, isWiki: boolean) => {
  const paths = new Map(files.map(({ path }) => [path, path]))
  const names = new Map<string, string>()
  for (const { path } of files) {
    if (!markdownExtension.test(path)) continue
    const stem = path.replace(markdownExtension, "")
    if (!paths.has(stem)) paths.set(stem, path)
    const folder = path.slice(0, path.length - (path.split("/").at(-1)?.length ?? 0)).replace(/\/$/, "")
    if (folderPage.test(stemOf(path)) && !paths.has(folder)) paths.set(folder, path)
    if (isWiki) names.set(wikiNameOf(stemOf(path)), path)
  }
  return (url: string): string | undefined => {
    const [path = ""] = url.split("#")
    const wiki = /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/wiki\/([^/?]+)$/i.exec(path)?.[1]
    if (isWiki && wiki !== undefined) return names.get(wikiNameOf(unescaped(wiki)))
    const found = paths.get(path.replace(/\/$/, ""))
    return found ?? (isWiki ? names.get(wikiNameOf(path.split("/").at(-1) ?? "")) : undefined)
  }
}

/** The path of the page of a file: see `FetchedPage.segments`. Wikis have no folders, and "Home" is their root page. */
const segmentsOf = (path: string, isWiki: boolean): ReadonlyArray<string> => {
  const folders = path.split("/").slice(0, -1)
  const stem = stemOf(path)
  if (isWiki) return stem.toLowerCase() === "home" ? [] : [stem]
  return folderPage.test(stem) ? folders : [...folders, stem]
}

/** Orders pages by path: the page of a folder first, then the pages in it by name. */
const comparePaths = (a: FetchedPage, b: FetchedPage): number => {
  for (const [index, segment] of a.segments.entries()) {
    const other = b.segments[index]
    if (other === undefined) return 1
    const order = nameOrder.compare(segment, other)
    if (order !== 0) return order
  }
  return a.segments.length - b.segments.length || nameOrder.compare(a.resource, b.resource)
}

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
    const link = /\[([^\]]*)\]\(([^)\s]*)[^)]*\)/.exec(item[2]!)
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
 * Fetches an archive, and parses its pages with the files that they refer to. Pages that cannot be parsed are skipped. Fails
 * with `InvalidInput` if the URL does not point to a zip archive with 1 to 1,000 pages of markdown.
 */
export const fetchArchive = Effect.fnUntraced(function* (
  { fetch, read, mark }: ImportContext,
  source: Extract<ImportSource, "zip" | "github-wiki">,
  requestedUrl: string
): Effect.fn.Return<FetchedContent, FetchError> {
  const isWiki = source === "github-wiki"
  const { contentType, body } = yield* fetch({
    url: requestedUrl,
    accept: "application/zip, application/octet-stream;q=0.9, */*;q=0.5",
    maximumBytes: bounds.archiveBytes,
    timeoutMillis: bounds.documentMillis
  })
  if (/^text\/html$/.test(contentType)) {
    return yield* urlError(
      isWiki
        ? "points to a web page; use the URL of a zip archive of the wiki's repository"
        : "points to a web page; use the URL of the archive itself"
    )
  }
  const unpacked = yield* mapNotReadable(read("zip", { bytes: body }))
  const files = withoutCommonFolder(unpacked.files)
  const commit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.exec(unpacked.comment)?.[0]
  const markdownFiles = files.filter(({ path }) => markdownExtension.test(path))
  if (markdownFiles.length === 0) return yield* urlError("points to an archive without any markdown")
  if (markdownFiles.length > bounds.archivePages) {
    return yield* urlError(`points to an archive of more than ${bounds.archivePages} pages`)
  }
  const resolve = makeResolver(files, isWiki)
  const contents = markdownFiles.find(({ path }) => (isWiki ? wikiContents : bookContents).test(stemOf(path)))
  const isPage = (file: Unpacked): boolean =>
    file !== contents && !(isWiki && wikiParts.test(stemOf(file.path)))

  let total = 0
  const pages: Array<FetchedPage> = []
  let navigation: ReadonlyArray<Entry> = []
  for (const file of markdownFiles) {
    const reading = read("markdown", { bytes: file.bytes, mark, base: file.path, isWiki })
    if (!isPage(file)) {
      if (file !== contents) continue
      const page = yield* Effect.option(reading)
      if (page._tag === "Some") {
        navigation = parseContents(page.value.markdown, markResolver(page.value, mark, resolve))
      }
      continue
    }
    total++
    const page = yield* Effect.option(reading)
    if (page._tag === "None") continue
    const title = isWiki ? stemOf(file.path).replaceAll("-", " ") : page.value.title
    pages.push({
      resource: file.path,
      segments: segmentsOf(file.path, isWiki),
      page: { ...page.value, title },
      fallback: toTitle(stemOf(file.path)),
      ...(commit === undefined ? {} : { git: gitOf(file) })
    })
  }
  pages.sort(comparePaths)

  const byPath = new Map(files.map((file) => [file.path, file]))
  const referenced = new Set(
    pages
      .flatMap(({ page }) => page.targets.flatMap(({ url }) => resolve(url) ?? []))
      .filter((path) => !markdownExtension.test(path))
  )
  const attachments: Array<FetchedFile> = []
  for (const path of referenced) {
    const file = byPath.get(path)!
    total++
    const isAccepted = file.bytes.length > 0 && file.bytes.length <= bounds.imageBytes
    if (!isAccepted || attachments.length >= bounds.images) continue
    const type = imageTypeOf(path) ?? "application/octet-stream"
    attachments.push({
      resource: path,
      name: fileNameOf(path, type),
      contentType: type,
      bytes: file.bytes,
      ...(commit === undefined ? {} : { git: gitOf(file) })
    })
  }
  return {
    pages,
    files: attachments,
    total,
    navigation,
    resourceOf: resolve,
    git:
      commit === undefined
        ? undefined
        : ({
            oid: commit,
            message: `Imported from ${requestedUrl}`,
            createdByService: false,
            url: requestedUrl
          } satisfies GitCommit)
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
