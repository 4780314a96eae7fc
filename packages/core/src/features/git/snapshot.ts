/**
 * Converts a commit of a repository to content. Files that the base or the content of the space has at the same path, and
 * renamed files, keep their ids, so that a merge compares them.
 */

import { hasSlug, type Json, putPage, Trees as Tree } from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { keys, type PageRecord } from "@lectern/kernel/tables"
import type { Outline } from "@lectern/markdown/outline"
import { freeAmong, slugOf } from "@lectern/markdown/text"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { generateNKeysBetween } from "fractional-indexing"
import type { ImportPage } from "../content/edit/importChanges.ts"
import { datesOf, withImported } from "../content/edit/importChanges.ts"
import type { FetchError } from "../imports/ImportContext.ts"
import { gitOf, isEqualRecord } from "../imports/repository/fileContent.ts"
import {
  type PlanServices,
  planRepository,
  type RepositoryPlan
} from "../imports/repository/planRepository.ts"
import type { RepositoryContent } from "../imports/repository/RepositoryContent.ts"
import { findPlaced, type PlacedContent } from "./findPlaced.ts"

/** The content of a commit. */
export interface Snapshot {
  readonly outlines: ReadonlyMap<BlobHash, Outline>
  /** Writes the content, and returns its root hash. */
  readonly write: Effect.Effect<BlobHash, StorageUnavailable>
}

/** Returns the entries of a map, followed by the entries of another map for further keys and ids. */
const withOthers = <V extends { readonly id: string }>(
  first: ReadonlyMap<string, V>,
  second: ReadonlyMap<string, V>
): Map<string, V> => {
  const ids = new Set([...first.values()].map(({ id }) => id))
  return new Map([...[...second].filter(([, { id }]) => !ids.has(id)), ...first])
}

/** Adds the pages whose files have been renamed without a change, under their new paths. */
const addRenamed = Effect.fnUntraced(function* (
  base: PlacedContent,
  pages: Map<string, { readonly id: PageId; readonly page: PageRecord }>,
  { files, load }: RepositoryContent
): Effect.fn.Return<void, FetchError> {
  const missing = new Map(
    [...base.pages].flatMap(([path, placed]) => {
      const oid = placed.page.git?.oid
      return oid === undefined || files.has(path) ? [] : [[oid, placed] as const]
    })
  )
  for (const { path, kind } of missing.size === 0 ? [] : files.values()) {
    if (kind !== "page" || base.pages.has(path)) continue
    const { oid } = gitOf(path, yield* load(path))
    const placed = missing.get(oid)
    if (placed === undefined) continue
    pages.set(path, placed)
    missing.delete(oid)
  }
})

/**
 * Returns the positions of siblings in their order. As many pages as possible keep their positions. New positions are after `others`, the
 * ascending positions of the space there. So a merge, which separates pages at equal positions, does not move the pages of a commit:
 * they would count as edited in the space.
 */
const positionsOf = (
  before: ReadonlyArray<string | undefined>,
  others: ReadonlyArray<string>
): ReadonlyArray<string> => {
  // The longest increasing subsequence of the positions: `ends` has the index of the smallest end for each length.
  const ends: Array<number> = []
  const previous: Array<number | undefined> = []
  for (const [index, position] of before.entries()) {
    if (position === undefined) continue
    let [length, high] = [0, ends.length]
    while (length < high) {
      const middle = (length + high) >> 1
      if (before[ends[middle]!]! < position) length = middle + 1
      else high = middle
    }
    previous[index] = length === 0 ? undefined : ends[length - 1]
    ends[length] = index
  }
  const kept = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) kept.add(at)
  const positions: Array<string> = []
  let other = 0
  for (let at = 0; at < before.length; ) {
    if (kept.has(at)) {
      positions.push(before[at]!)
      at++
      continue
    }
    let end = at
    while (end < before.length && !kept.has(end)) end++
    const upper = before[end] ?? null
    let lower = positions.at(-1) ?? null
    for (; other < others.length && (upper === null || others[other]! < upper); other++) {
      if (lower === null || others[other]! > lower) lower = others[other]!
    }
    positions.push(...generateNKeysBetween(lower, upper, end - at))
    at = end
  }
  return positions
}

type PlacedPage = { readonly id: PageId; readonly page: PageRecord }

/** Returns the ascending positions of the pages below each parent, except for the pages of a plan. */
const positionsByParent = (
  pages: ReadonlyArray<PlacedPage>,
  { nodes }: RepositoryPlan
): ReadonlyMap<PageId | "", ReadonlyArray<string>> => {
  const planned = new Set(nodes.map(({ id }) => id))
  const positions = new Map<PageId | "", Array<string>>()
  for (const { id, page } of pages) {
    if (planned.has(id)) continue
    const siblings = positions.get(page.parent)
    if (siblings === undefined) positions.set(page.parent, [page.position])
    else siblings.push(page.position)
  }
  for (const siblings of positions.values()) siblings.sort()
  return positions
}

/** Returns the pages of a plan with their places. `others` has the positions of the other pages of the space. */
const placePages = (
  { nodes, changes }: RepositoryPlan,
  known: ReadonlyMap<PageId, PageRecord>,
  others: ReadonlyMap<PageId | "", ReadonlyArray<string>>,
  time: string
): ReadonlyMap<PageId, PageRecord> => {
  const changed = new Map(
    changes.flatMap((change) => (change.operation === "import_page" ? [[change.page, change] as const] : []))
  )
  const siblings = new Map<PageId | "", Array<PlacedPage>>()
  for (const { node, id } of nodes) {
    const before = known.get(id)
    const change = changed.get(id)
    const parentNode = node.parent === undefined ? undefined : nodes[node.parent]
    const parent =
      parentNode === undefined || node.type === "group" || !hasSlug(parentNode.node) ? "" : parentNode.id
    const current: PageRecord = before ?? {
      type: node.type,
      title: node.title,
      slug: "",
      parent,
      position: "",
      ...datesOf(change ?? {}, time)
    }
    const page = change === undefined ? current : withImported(current, change)
    const group = siblings.get(parent)
    if (group === undefined) siblings.set(parent, [{ id, page: { ...page, parent } }])
    else group.push({ id, page: { ...page, parent } })
  }
  const placed = new Map<PageId, PageRecord>()
  for (const [parent, group] of siblings) {
    const positions = positionsOf(
      group.map(({ id, page }) => {
        const before = known.get(id)
        return before?.parent === page.parent ? before.position : undefined
      }),
      others.get(parent) ?? []
    )
    const slugs = slugsOf(group, changed, known)
    for (const [index, { id, page }] of group.entries()) {
      const before = known.get(id)
      const record: PageRecord = { ...page, position: positions[index]!, slug: slugs[index]! }
      placed.set(
        id,
        isEqualRecord(before, record)
          ? record
          : { ...record, updatedAt: datesOf(changed.get(id) ?? {}, time).updatedAt }
      )
    }
  }
  return placed
}

/** Returns the slugs of siblings. Pages whose files did not change keep their slugs. */
const slugsOf = (
  group: ReadonlyArray<{ readonly id: PageId; readonly page: PageRecord }>,
  changed: ReadonlyMap<PageId, ImportPage>,
  known: ReadonlyMap<PageId, PageRecord>
): ReadonlyArray<string> => {
  const requested = group.map(({ id, page }) => {
    if (!hasSlug(page)) return ""
    const before = known.get(id)?.slug
    return (
      changed.get(id)?.slug ?? (before === undefined || before === "" ? slugOf(page.title, "page") : before)
    )
  })
  const isKept = group.map(({ id, page }, index) => {
    const before = known.get(id)
    return before?.parent === page.parent && before.slug === requested[index]
  })
  const taken = new Set(requested.filter((_, index) => isKept[index]))
  return requested.map((slug, index) => {
    if (slug === "" || isKept[index] === true) return slug
    const free = freeAmong(taken, slug)
    taken.add(free)
    return free
  })
}

/** Plans the content of a commit. `base` is the content of the commit before, and `head` the content of the space. */
export const planSnapshot = Effect.fnUntraced(function* (
  services: PlanServices,
  repository: RepositoryContent,
  { from, base, head, time }: { from: string; base: BlobHash; head: BlobHash; time: string }
): Effect.fn.Return<Snapshot, FetchError | StorageUnavailable> {
  const { store } = services
  const baseTree = Tree.readTree(store.maps, base)
  const earlier = yield* findPlaced(store, baseTree)
  const current = base === head ? earlier : yield* findPlaced(store, Tree.readTree(store.maps, head))
  const pages = withOthers(earlier.pages, current.pages)
  yield* addRenamed(earlier, pages, repository)
  const files = withOthers(earlier.files, current.files)
  const includes = withOthers(earlier.includes, current.includes)
  const plan = yield* planRepository(services, repository, from, {
    pages,
    files,
    includes,
    sources: earlier.sources
  })

  const known = new Map([...pages.values()].map(({ id, page }) => [id, page]))
  const headPages = yield* Tree.readTree(store.maps, head).pages
  const placed = placePages(plan, known, positionsByParent(headPages, plan), time)
  const basePages = new Map((yield* baseTree.pages).map(({ id, page }) => [id, page]))
  const records = new Map<string, Json | undefined>()
  for (const [id] of yield* baseTree.files()) if (!plan.files.has(id)) records.set(keys.file(id), undefined)
  for (const [id] of yield* baseTree.reusableContents) {
    if (!plan.includes.has(id)) records.set(keys.reusableContent(id), undefined)
  }
  for (const [path] of yield* baseTree.sources) records.set(keys.source(path), undefined)
  for (const { id, record } of files.values())
    if (plan.files.has(id)) records.set(keys.file(id), toJson(record))
  for (const { id, record } of includes.values()) {
    if (plan.includes.has(id)) records.set(keys.reusableContent(id), toJson(record))
  }
  for (const change of plan.changes) {
    if (change.operation === "import_file") records.set(keys.file(change.file), toJson(change.record))
    if (change.operation === "import_reusable_content") {
      records.set(keys.reusableContent(change.reusableContent), toJson(change.record))
    }
    if (change.operation === "import_source" && change.record !== undefined) {
      records.set(keys.source(change.path), toJson(change.record))
    }
  }

  return {
    outlines: plan.outlines,
    write: Effect.suspend(() => {
      const draft = Tree.makeDraft(store.maps, base)
      for (const [key, record] of records) draft.set(key, record)
      // The index entries of all pages are removed first, because pages can exchange their slugs.
      for (const [id, page] of basePages) {
        if (!isEqualRecord(page, placed.get(id))) putPage(draft, id, page, undefined)
      }
      for (const [id, page] of placed) {
        if (!isEqualRecord(basePages.get(id), page)) putPage(draft, id, undefined, page)
      }
      return draft.write
    })
  }
})

/** Returns a record as a value of a map. */
const toJson = (record: object): Json => record as unknown as Json
