/** Plans the changes of an import: pages and files of an earlier import from the same URL are updated. */

import type { Tree } from "@lectern/content"
import {
  buildPageTree,
  type FetchedContent,
  type FetchedFile,
  type FetchedPage,
  type PlannedPage,
  replaceMarks
} from "@lectern/formats"
import { type BlobHash, hashOf, type Ids, type StorageUnavailable } from "@lectern/kernel"
import type { FileRecord, PageRecord, Placed } from "@lectern/kernel/tables"
import { slugOf } from "@lectern/markdown/text"
import { FileId, PageId } from "@lectern/model/content"
import { unescaped } from "@lectern/model/schema"
import { Effect } from "effect"
import type { ImportChange } from "../content/edit/importChanges.ts"
import { dimensionsOf } from "../content/edit/StoredFile.ts"

/** The changes of an import, with the blobs that they refer to. */
export interface Plan {
  readonly changes: ReadonlyArray<ImportChange>
  /** The bytes of the files that the changes refer to. */
  readonly files: ReadonlyArray<Uint8Array>
  /** The page bodies that the changes refer to, by hash. */
  readonly texts: ReadonlyMap<BlobHash, Uint8Array>
}

const encoder = new TextEncoder()

/** Escapes a URL as a link destination in markdown, including in table cells. */
const escapeDestination = (url: string): string =>
  url
    .replaceAll(/[\s()<>|\\]/g, (character) =>
      encodeURIComponent(character).replace("(", "%28").replace(")", "%29")
    )
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")

/** Returns the anchor of the imported page for the fragment of a URL, with `#`; the empty string if it does not exist. */
const anchorIn = ({ page }: FetchedPage, url: string): string => {
  const at = url.indexOf("#")
  if (at < 0) return ""
  const name = url.slice(at + 1)
  // Wikis refer to headings by their text.
  for (const candidate of [name, unescaped(name), slugOf(unescaped(name), "")]) {
    if (!Object.hasOwn(page.anchors, candidate)) continue
    return page.anchors[candidate] === "" ? "" : `#${page.anchors[candidate]}`
  }
  return ""
}

/** Plans the files of an import. Returns the id of each file by its resource, and the changes that add or update files. */
const planFiles = Effect.fnUntraced(function* (
  tree: Tree,
  files: ReadonlyArray<FetchedFile>,
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
  // An existing file of any origin with the same bytes is reused unchanged; its id is not available for updates.
  const used = new Set(hashes.flatMap((hash) => byHash.get(hash) ?? []))
  const fileIds = new Map<string, FileId>()
  const changes: Array<ImportChange> = []
  for (const [index, file] of files.entries()) {
    const hash = hashes[index]!
    const identical = byHash.get(hash)
    if (identical !== undefined) {
      fileIds.set(file.resource, identical)
      continue
    }
    const earlier = byResource.get(file.resource)
    const id = earlier === undefined || used.has(earlier) ? FileId.make(yield* ids.next) : earlier
    used.add(id)
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
    fileIds.set(file.resource, id)
  }
  return { ids: fileIds, changes }
})

/** Whether a stored page already has the planned content. */
const isUnchanged = (stored: PageRecord, planned: PlannedPage, body: BlobHash | undefined): boolean => {
  if (planned.page === undefined) return true
  const { description } = planned.page.page
  return (
    stored.type === "document" &&
    stored.imported?.resource === planned.resource &&
    stored.title === planned.title &&
    stored.body === body &&
    (description === undefined || stored.description === truncateDescription(description)) &&
    (planned.page.git === undefined || stored.git?.oid === planned.page.git.oid)
  )
}

/** Truncates a description to the maximum of 2,000 characters. */
const truncateDescription = (text: string): string => {
  const clean = Array.from(text.replaceAll("\0", " ").toWellFormed().trim())
  return clean.length > 2000 ? `${clean.slice(0, 1999).join("")}…` : clean.join("")
}

/**
 * Finds the pages of earlier imports from the same URL, by their current resources. If a folder gained or lost a page of its
 * own since then, its resource has changed: it is matched by its parent and slug.
 */
const findEarlierPages = Effect.fnUntraced(function* (
  tree: Tree,
  planned: ReadonlyArray<PlannedPage>,
  from: string
): Effect.fn.Return<Map<string, Placed>, StorageUnavailable> {
  const byResource = new Map<string, Placed>()
  const byId = new Map<PageId, Placed>()
  for (const placed of yield* tree.pages) {
    if (placed.page.imported?.from !== from) continue
    byResource.set(placed.page.imported.resource, placed)
    byId.set(placed.id, placed)
  }
  const resources = new Set(planned.map(({ resource }) => resource))
  for (const { resource, parent, name } of byId.size === 0 ? [] : planned) {
    const parentId = parent === undefined ? "" : byResource.get(parent)?.id
    if (byResource.has(resource) || name === undefined || parentId === undefined) continue
    const holder = yield* tree.bySlug(parentId, slugOf(name, "page"))
    const placed = holder === undefined ? undefined : byId.get(holder)
    if (placed !== undefined && !resources.has(placed.page.imported!.resource)) {
      byResource.set(resource, placed)
    }
  }
  return byResource
})

/** An existing page that one document is imported into. Its title remains. */
export interface TargetPage {
  readonly id: PageId
  readonly title: string
}

interface PlanOptions {
  readonly from: string
  readonly mark: string
  /** The page that the content, one document, is imported into; pages of earlier imports by default. */
  readonly into?: TargetPage | undefined
}

/** Plans the import of fetched content into a tree. `from` is the URL of the source, which identifies earlier imports. */
export const planImport = Effect.fnUntraced(function* (
  tree: Tree,
  fetched: FetchedContent,
  { from, mark, into }: PlanOptions,
  ids: Ids["Service"]
): Effect.fn.Return<Plan, StorageUnavailable> {
  const planned = buildPageTree(fetched)
  const earlierPages =
    into === undefined ? yield* findEarlierPages(tree, planned, from) : new Map<string, Placed>()
  const pageIds = new Map<string, PageId>()
  for (const { resource } of planned) {
    pageIds.set(resource, into?.id ?? earlierPages.get(resource)?.id ?? PageId.make(yield* ids.next))
  }
  const pages = new Map(fetched.pages.map((page) => [page.resource, page]))
  const files = yield* planFiles(tree, fetched.files, from, ids)

  /** Replaces the placeholders of link targets by links to imported pages and files, or by the original destinations. */
  const resolveTargets = ({ page }: FetchedPage): string =>
    replaceMarks(page.markdown, mark, (index) => {
      const { url, otherwise } = page.targets[index]!
      const resource = fetched.resourceOf(url)
      const file = resource === undefined ? undefined : files.ids.get(resource)
      if (file !== undefined) return `/files/${file}`
      if (resource === undefined) return escapeDestination(otherwise)
      const target = pages.get(resource)
      if (target !== undefined) {
        return `/pages/${pageIds.get(resource)!}${escapeDestination(anchorIn(target, url))}`
      }
      const earlier = earlierPages.get(resource)
      return earlier === undefined ? escapeDestination(otherwise) : `/pages/${earlier.id}`
    })

  const texts = new Map<BlobHash, Uint8Array>()
  const changes: Array<ImportChange> = [...files.changes]
  for (const one of planned) {
    // Hundreds of pages take long enough to block the event loop.
    yield* Effect.yieldNow
    const text = one.page === undefined ? "" : resolveTargets(one.page)
    const bytes = text === "" ? undefined : encoder.encode(text)
    const body = bytes === undefined ? undefined : hashOf(bytes)
    const earlier = earlierPages.get(one.resource)
    if (earlier !== undefined && isUnchanged(earlier.page, one, body)) continue
    if (bytes !== undefined && body !== undefined) texts.set(body, bytes)
    const description = one.page?.page.description
    changes.push({
      operation: "import_page",
      page: pageIds.get(one.resource)!,
      type: one.isGroup ? "group" : "document",
      into: one.parent === undefined ? "" : (pageIds.get(one.parent) ?? ""),
      title: into?.title ?? one.title,
      slug: one.name === undefined ? undefined : slugOf(one.name, "page"),
      description:
        description === undefined || one.isGroup || into !== undefined
          ? undefined
          : truncateDescription(description),
      body,
      imported: { from, resource: one.resource },
      git: one.page?.git
    })
  }
  return { changes, files: fetched.files.map(({ bytes }) => bytes), texts }
})
