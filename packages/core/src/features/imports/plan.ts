/** From what was gathered to the changes of one revision: what an import made before is brought up to date. */
import { Effect } from "effect"
import type { Ids } from "../../kernel/ids/Ids.ts"
import { slugOf } from "../../kernel/schema/Slug.ts"
import { unescaped } from "../../kernel/schema/Text.ts"
import { hashOf } from "../../kernel/storage/Blobs.ts"
import type { BlobHash, StorageUnavailable } from "../../kernel/storage/index.ts"
import type { FileRecord, PageRecord, Placed } from "../../model/content/ContentRecord.ts"
import { FileId } from "../../model/content/File.ts"
import { PageId } from "../../model/content/Page.ts"
import { dimensionsOf } from "../content/edit/fileChanges.ts"
import type { ImportChange } from "../content/edit/importChanges.ts"
import type { Tree } from "../content/Tree.ts"
import { replaceMarks } from "../conversion/Reading.ts"
import { type Arranged, arrange } from "./arrange.ts"
import type { Gathered, GatheredFile, GatheredPage } from "./Gathered.ts"

/** What is to be written. */
export interface Plan {
  readonly changes: ReadonlyArray<ImportChange>
  /** The texts and the bytes that the changes name. */
  readonly blobs: ReadonlyArray<Uint8Array>
  /** The texts alone, by their hashes. */
  readonly texts: ReadonlyMap<BlobHash, Uint8Array>
}

const encoder = new TextEncoder()

/** A destination as it may stand in markdown, in a table too. */
const destination = (url: string): string =>
  url
    .replaceAll(/[\s()<>|\\]/g, (character) =>
      encodeURIComponent(character).replace("(", "%28").replace(")", "%29")
    )
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")

/** The anchor that an address names a place in a page by, as it is here. */
const anchorIn = ({ page }: GatheredPage, url: string): string => {
  const at = url.indexOf("#")
  if (at < 0) return ""
  const name = url.slice(at + 1)
  // Wikis name headings by their words.
  for (const known of [name, unescaped(name), slugOf(unescaped(name), "")]) {
    if (Object.hasOwn(page.anchors, known)) return page.anchors[known] === "" ? "" : `#${page.anchors[known]}`
  }
  return ""
}

/** The files of an import: which are there already, and which are new. */
const planFiles = Effect.fnUntraced(function* (
  tree: Tree,
  files: ReadonlyArray<GatheredFile>,
  from: string,
  ids: Ids["Service"]
): Effect.fn.Return<
  { readonly ids: ReadonlyMap<string, FileId>; readonly changes: ReadonlyArray<ImportChange> },
  StorageUnavailable
> {
  const byHash = new Map<BlobHash, FileId>()
  const byResource = new Map<string, FileId>()
  for (const [id, record] of files.length === 0 ? [] : yield* tree.files()) {
    byHash.set(record.hash, id)
    if (record.imported?.from === from) byResource.set(record.imported.resource, id)
  }
  const hashes = files.map(({ bytes }) => hashOf(bytes))
  // A file whose bytes are among those that came stays what it is, wherever it came from.
  const kept = new Set(hashes.flatMap((hash) => byHash.get(hash) ?? []))
  const found = new Map<string, FileId>()
  const changes: Array<ImportChange> = []
  for (const [index, file] of files.entries()) {
    const hash = hashes[index]!
    const known = byHash.get(hash)
    if (known !== undefined) {
      found.set(file.resource, known)
      continue
    }
    const before = byResource.get(file.resource)
    const id = before === undefined || kept.has(before) ? FileId.make(yield* ids.next) : before
    kept.add(id)
    const dimensions = dimensionsOf(file.bytes)
    const record: FileRecord = {
      name: file.name,
      contentType: file.contentType,
      size: file.bytes.length,
      hash,
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(file.git === undefined ? {} : { git: file.git }),
      imported: { from, resource: file.resource }
    }
    changes.push({ operation: "import_file", file: id, record })
    byHash.set(hash, id)
    found.set(file.resource, id)
  }
  return { ids: found, changes }
})

/** Whether a page says already what was gathered. */
const isUnchanged = (before: PageRecord, one: Arranged, body: BlobHash | undefined): boolean => {
  if (one.page === undefined) return true
  const { description } = one.page.page
  return (
    before.type === "document" &&
    before.imported?.resource === one.resource &&
    before.title === one.title &&
    before.body === body &&
    (description === undefined || before.description === clipped(description)) &&
    (one.page.git === undefined || before.git?.oid === one.page.git.oid)
  )
}

/** A description within its bounds. */
const clipped = (text: string): string => {
  const clean = Array.from(text.replaceAll("\0", " ").toWellFormed().trim())
  return clean.length > 2000 ? `${clean.slice(0, 1999).join("")}…` : clean.join("")
}

/**
 * The pages that the address made before, by what they are now. A folder that has got a page of its own, or has lost
 * it, is the page that stands in its place.
 */
const standing = Effect.fnUntraced(function* (
  tree: Tree,
  arranged: ReadonlyArray<Arranged>,
  from: string
): Effect.fn.Return<Map<string, Placed>, StorageUnavailable> {
  const before = new Map<string, Placed>()
  const byId = new Map<PageId, Placed>()
  for (const placed of yield* tree.pages) {
    if (placed.page.imported?.from !== from) continue
    before.set(placed.page.imported.resource, placed)
    byId.set(placed.id, placed)
  }
  const resources = new Set(arranged.map(({ resource }) => resource))
  for (const { resource, parent, name } of byId.size === 0 ? [] : arranged) {
    const above = parent === undefined ? "" : before.get(parent)?.id
    if (before.has(resource) || name === undefined || above === undefined) continue
    const holder = yield* tree.bySlug(above, slugOf(name, "page"))
    const placed = holder === undefined ? undefined : byId.get(holder)
    if (placed !== undefined && !resources.has(placed.page.imported!.resource)) before.set(resource, placed)
  }
  return before
})

/** Plans an import into content, by the address that it is from. */
export const planImport = Effect.fnUntraced(function* (
  tree: Tree,
  gathered: Gathered,
  { from, mark }: { readonly from: string; readonly mark: string },
  ids: Ids["Service"]
): Effect.fn.Return<Plan, StorageUnavailable> {
  const arranged = arrange(gathered)
  const before = yield* standing(tree, arranged, from)
  const pageIds = new Map<string, PageId>()
  for (const { resource } of arranged) {
    pageIds.set(resource, before.get(resource)?.id ?? PageId.make(yield* ids.next))
  }
  const pages = new Map(gathered.pages.map((page) => [page.resource, page]))
  const files = yield* planFiles(tree, gathered.files, from, ids)

  const resolve = ({ page }: GatheredPage): string =>
    replaceMarks(page.markdown, mark, (index) => {
      const { url, otherwise } = page.targets[index]!
      const resource = gathered.resourceOf(url)
      const file = resource === undefined ? undefined : files.ids.get(resource)
      if (file !== undefined) return `/files/${file}`
      if (resource === undefined) return destination(otherwise)
      const target = pages.get(resource)
      if (target !== undefined) return `/pages/${pageIds.get(resource)!}${destination(anchorIn(target, url))}`
      const gone = before.get(resource)
      return gone === undefined ? destination(otherwise) : `/pages/${gone.id}`
    })

  const blobs = gathered.files.map(({ bytes }) => bytes)
  const texts = new Map<BlobHash, Uint8Array>()
  const changes: Array<ImportChange> = [...files.changes]
  for (const one of arranged) {
    // Hundreds of pages are a while of work: others come in between.
    yield* Effect.yieldNow
    const text = one.page === undefined ? "" : resolve(one.page)
    const bytes = text === "" ? undefined : encoder.encode(text)
    const body = bytes === undefined ? undefined : hashOf(bytes)
    const known = before.get(one.resource)
    if (known !== undefined && isUnchanged(known.page, one, body)) continue
    if (bytes !== undefined && body !== undefined) {
      blobs.push(bytes)
      texts.set(body, bytes)
    }
    const description = one.page?.page.description
    changes.push({
      operation: "import_page",
      page: pageIds.get(one.resource)!,
      type: one.isGroup ? "group" : "document",
      into: one.parent === undefined ? "" : (pageIds.get(one.parent) ?? ""),
      title: one.title,
      slug: one.name === undefined ? undefined : slugOf(one.name, "page"),
      description: description === undefined || one.isGroup ? undefined : clipped(description),
      body,
      imported: { from, resource: one.resource },
      git: one.page?.git
    })
  }
  return { changes, blobs, texts }
})
