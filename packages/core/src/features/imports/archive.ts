/** Imports of archives: markdown in folders, and the wikis of GitHub. */
import { sha1 } from "@noble/hashes/legacy.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { unescaped } from "../../kernel/schema/Text.ts"
import type { GitBlob } from "../../model/content/Page.ts"
import type { GitCommit } from "../../model/content/Revision.ts"
import { bounds, type ImportSource } from "../../model/imports/Import.ts"
import type { Entry, ReadPage, Unpacked } from "../conversion/Readings.ts"
import type { Gathered, GatheredFile, GatheredPage } from "./Gathered.ts"
import { fileNameOf, imageTypeOf } from "./images.ts"
import { type GatherFailure, type Outside, orWrong, wrong } from "./requests.ts"
import { wikiNameOf } from "./wikiLinks.ts"

const markdown = /\.(?:md|markdown|mdown|mkdn?)$/i

/** The page of a folder itself, by its name. */
const ownPage = /^(?:readme|index|_index)$/i

/** Pages that say in which order the others are. */
const bookContents = /^summary$/i
const wikiContents = /^_sidebar$/i

/** Parts of wikis that are on every page, and no page. */
const wikiParts = /^_(?:sidebar|footer|header)$/i

const stemOf = (path: string): string => (path.split("/").at(-1) ?? "").replace(markdown, "")

const humanized = (stem: string): string => {
  const words = stem.replaceAll(/[-_]+/g, " ").trim()
  return words === "" ? stem : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The files without a folder that all of them are in: archives of repositories have one. */
const withoutCommonFolder = (files: ReadonlyArray<Unpacked>): ReadonlyArray<Unpacked> => {
  const folders = new Set(files.map(({ path }) => (path.includes("/") ? `${path.split("/")[0]}/` : "")))
  const [only = ""] = folders
  if (folders.size !== 1 || only === "") return files
  return files.map(({ path, bytes }) => ({ path: path.slice(only.length), bytes }))
}

/** What git calls a file. */
const gitOf = ({ path, bytes }: Unpacked): GitBlob => ({
  oid: bytesToHex(sha1(concatBytes(utf8ToBytes(`blob ${bytes.length}\0`), bytes))),
  path
})

/** The order of names as people have it: 2 before 10. */
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" })

/** Finds what paths name: a page with or without its ending, a folder by its page, a page of a wiki by its name. */
const finder = (files: ReadonlyArray<Unpacked>, isWiki: boolean) => {
  const paths = new Map(files.map(({ path }) => [path, path]))
  const names = new Map<string, string>()
  for (const { path } of files) {
    if (!markdown.test(path)) continue
    const stem = path.replace(markdown, "")
    if (!paths.has(stem)) paths.set(stem, path)
    const folder = path.slice(0, path.length - (path.split("/").at(-1)?.length ?? 0)).replace(/\/$/, "")
    if (ownPage.test(stemOf(path)) && !paths.has(folder)) paths.set(folder, path)
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

const placeOf = (path: string, isWiki: boolean): ReadonlyArray<string> => {
  const folders = path.split("/").slice(0, -1)
  const stem = stemOf(path)
  if (isWiki) return stem.toLowerCase() === "home" ? [] : [stem]
  return ownPage.test(stem) ? folders : [...folders, stem]
}

/** Pages of folders before what is in them, then by name. */
const byPath = (a: GatheredPage, b: GatheredPage): number => {
  for (const [index, segment] of a.segments.entries()) {
    const other = b.segments[index]
    if (other === undefined) return 1
    const order = collator.compare(segment, other)
    if (order !== 0) return order
  }
  return a.segments.length - b.segments.length || collator.compare(a.resource, b.resource)
}

/** The contents that a list of links is: an item for each page, and the pages under it. */
const entriesOf = (text: string, resourceOf: (path: string) => string | undefined): ReadonlyArray<Entry> => {
  interface Open {
    readonly indent: number
    readonly entries: Array<Entry>
  }
  const root: Open = { indent: -1, entries: [] }
  let way: ReadonlyArray<Open> = [root]
  let heading: Open | undefined
  for (const line of text.split("\n")) {
    const title = /^#{2,6}[ \t]+(.+)$/.exec(line)?.[1]
    if (title !== undefined) {
      heading = { indent: -1, entries: [] }
      root.entries.push({ url: undefined, title: title.trim(), entries: heading.entries })
      way = [heading]
      continue
    }
    const item = /^([ \t]*)(?:[-*+]|\d+[.)])[ \t]+(.*)$/.exec(line)
    if (item === null) continue
    const indent = item[1]!.replaceAll("\t", "    ").length
    const link = /\[([^\]]*)\]\(([^)\s]*)[^)]*\)/.exec(item[2]!)
    const entries: Array<Entry> = []
    way = way.filter((open) => open.indent < indent)
    way.at(-1)!.entries.push({
      url: link === null ? undefined : resourceOf(link[2]!),
      title: (link?.[1] ?? item[2]!).trim(),
      entries
    })
    way = [...way, { indent, entries }]
  }
  return root.entries
}

/** Fetches an archive, and reads its pages with the files that they lead to. */
export const gatherArchive = Effect.fnUntraced(function* (
  { fetch, read, mark }: Outside,
  source: Extract<ImportSource, "zip" | "github-wiki">,
  asked: string
): Effect.fn.Return<Gathered, GatherFailure> {
  const isWiki = source === "github-wiki"
  const { contentType, body } = yield* fetch({
    url: asked,
    accept: "application/zip, application/octet-stream;q=0.9, */*;q=0.5",
    maximumBytes: bounds.archiveBytes,
    timeoutMillis: bounds.documentMillis
  })
  if (/^text\/html$/.test(contentType)) {
    return yield* wrong(
      isWiki
        ? "leads to a web page; give the address of a zip archive of the wiki's repository"
        : "leads to a web page; give the address of the archive itself"
    )
  }
  const unpacked = yield* orWrong(read("zip", { bytes: body }))
  const files = withoutCommonFolder(unpacked.files)
  const commit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.exec(unpacked.comment)?.[0]
  const texts = files.filter(({ path }) => markdown.test(path))
  if (texts.length === 0) return yield* wrong("leads to an archive without any markdown")
  if (texts.length > bounds.archivePages) {
    return yield* wrong(`leads to an archive of more than ${bounds.archivePages} pages`)
  }
  const find = finder(files, isWiki)
  const contents = texts.find(({ path }) => (isWiki ? wikiContents : bookContents).test(stemOf(path)))
  const isPage = (file: Unpacked): boolean =>
    file !== contents && !(isWiki && wikiParts.test(stemOf(file.path)))

  let total = 0
  const pages: Array<GatheredPage> = []
  let navigation: ReadonlyArray<Entry> = []
  for (const file of texts) {
    const reading = read("markdown", { bytes: file.bytes, mark, base: file.path, isWiki })
    if (!isPage(file)) {
      if (file !== contents) continue
      const page = yield* Effect.option(reading)
      if (page._tag === "Some") navigation = entriesOf(...unmarked(page.value, mark, find))
      continue
    }
    total++
    const page = yield* Effect.option(reading)
    if (page._tag === "None") continue
    const title = isWiki ? stemOf(file.path).replaceAll("-", " ") : page.value.title
    pages.push({
      resource: file.path,
      segments: placeOf(file.path, isWiki),
      page: { ...page.value, title },
      fallback: humanized(stemOf(file.path)),
      ...(commit === undefined ? {} : { git: gitOf(file) })
    })
  }
  pages.sort(byPath)

  const byName = new Map(files.map((file) => [file.path, file]))
  const wanted = new Set(
    pages
      .flatMap(({ page }) => page.targets.flatMap(({ url }) => find(url) ?? []))
      .filter((path) => !markdown.test(path))
  )
  const found: Array<GatheredFile> = []
  for (const path of wanted) {
    const file = byName.get(path)!
    total++
    if (file.bytes.length === 0 || file.bytes.length > bounds.imageBytes || found.length >= bounds.images)
      continue
    const type = imageTypeOf(path) ?? "application/octet-stream"
    found.push({
      resource: path,
      name: fileNameOf(path, type),
      contentType: type,
      bytes: file.bytes,
      ...(commit === undefined ? {} : { git: gitOf(file) })
    })
  }
  return {
    pages,
    files: found,
    total,
    navigation,
    resourceOf: find,
    git:
      commit === undefined
        ? undefined
        : ({
            oid: commit,
            message: `Imported from ${asked}`,
            createdByService: false,
            url: asked
          } satisfies GitCommit)
  }
})

/** The text of contents with the numbers of its marks as destinations, and what these name. */
const unmarked = (
  page: ReadPage,
  mark: string,
  find: (path: string) => string | undefined
): [text: string, resourceOf: (destination: string) => string | undefined] => [
  page.markdown,
  (destination) => {
    const index = /^import:\w+:(\d+)$/.exec(destination)?.[1]
    const target =
      index === undefined || !destination.startsWith(`import:${mark}:`)
        ? undefined
        : page.targets[Number(index)]
    return target === undefined ? undefined : find(target.url)
  }
]
