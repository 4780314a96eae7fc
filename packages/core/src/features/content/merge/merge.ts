/**
 * Three-way merge of content: `base` is the revision that a change request started from, `primary` the current content
 * of the space, `change` the content of the change request.
 *
 * Records are merged by id and field. The resulting tree is then validated as a whole: every parent exists, and there
 * are no cycles. The cost is proportional to what both sides have changed.
 */

import {
  type Difference,
  freeSlug,
  hasSlug,
  type Json,
  maximumEditDepth,
  putPage,
  Trees as Tree
} from "@lectern/content"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { keys, type PageRecord, recordOf } from "@lectern/kernel/tables"
import type { MergeConflict, PageId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ContentStore } from "../ContentStore.ts"
import { equal, mergeRecord, type Sides } from "./mergeRecords.ts"
import { mergeSiblingOrder } from "./order.ts"

/** The roots of both sides and of their common ancestor. */
export interface MergeInput {
  readonly base: BlobHash
  readonly primary: BlobHash
  readonly change: BlobHash
}

/** The root of the merged content, or all conflicts. */
export type Merged =
  | { readonly _tag: "Merged"; readonly root: BlobHash }
  | { readonly _tag: "Conflicts"; readonly conflicts: ReadonlyArray<MergeConflict> }

const recordsOf = (differences: ReadonlyArray<Difference>): ReadonlyMap<string, Difference> =>
  new Map(differences.filter(({ key }) => recordOf(key) !== undefined).map((one) => [one.key, one]))

type Fields = Sides["base"]

/** Returns the record of a page, whose fields were merged. */
const pageOf = (fields: Fields): PageRecord | undefined => fields as unknown as PageRecord | undefined

/**
 * The maximum depth of a page that either side changed. One side can nest pages below pages that the other side has
 * nested; this limit leaves room for the unchanged pages below them, so that no page exceeds the depth that readers
 * support.
 */
const maximumMergeDepth = Tree.maximumDepth - maximumEditDepth

/** Merges the content, or returns the conflicts. */
export const merge = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  { base, primary, change }: MergeInput
): Effect.fn.Return<Merged, StorageUnavailable> {
  if (change === base || change === primary) return { _tag: "Merged", root: primary }
  if (primary === base) return { _tag: "Merged", root: change }
  const byPrimary = recordsOf(yield* content.maps.diff(base, primary))
  const byChange = recordsOf(yield* content.maps.diff(base, change))

  const conflicts: Array<MergeConflict> = []
  const draft = Tree.makeDraft(content.maps, primary)
  const pages = new Map<PageId, Move>()
  for (const [key, { before, after }] of byChange) {
    const other = byPrimary.get(key)
    const { kind, id } = recordOf(key)!
    const sides: Sides = {
      kind,
      id,
      base: before as Fields,
      primary: (other === undefined ? before : other.after) as Fields,
      change: after as Fields
    }
    const merged =
      other === undefined ? { value: sides.change, conflicts: [] } : yield* mergeRecord(content, sides)
    conflicts.push(...merged.conflicts)
    if (equal(merged.value, sides.primary)) continue
    if (kind !== "page") draft.set(key, merged.value as Json)
    else pages.set(id as PageId, { before: pageOf(sides.primary), after: pageOf(merged.value) })
  }

  // Every changed page is removed from the indexes first, which frees its slug for others.
  for (const [id, { before }] of pages) putPage(draft, id, before, undefined)
  for (const [id, { after }] of pages) if (after !== undefined) draft.set(keys.page(id), after)
  const conflicting = new Set(conflicts.flatMap((conflict) => conflict.page?.id ?? []))
  const changed = [...new Set([...byPrimary.keys(), ...byChange.keys()])].flatMap((key) => {
    const record = recordOf(key)!
    return record.kind === "page" ? [record.id as PageId] : []
  })
  conflicts.push(...(yield* checkTree(draft, changed, conflicting, { byPrimary, byChange })))
  if (conflicts.length > 0) return { _tag: "Conflicts", conflicts }

  const placed = yield* mergeSiblingOrder(
    draft,
    Tree.readTree(content.maps, change),
    pages,
    movedBy(byPrimary)
  )
  for (const [id, page] of placed) {
    const slug = hasSlug(page) ? yield* freeSlug(draft, page.parent, page.slug, id) : page.slug
    putPage(draft, id, undefined, { ...page, slug })
  }
  return { _tag: "Merged", root: yield* draft.write }
})

/** The change that a merge makes to a page of the primary content. */
export interface Move {
  readonly before: PageRecord | undefined
  readonly after: PageRecord | undefined
}

/** Returns the ids of the pages that a side has created or moved. */
const movedBy = (differences: ReadonlyMap<string, Difference>): ReadonlySet<string> =>
  new Set(
    [...differences.values()].flatMap(({ key, before, after }) => {
      const { kind, id } = recordOf(key)!
      if (kind !== "page") return []
      const [was, is] = [before, after] as unknown as ReadonlyArray<PageRecord | undefined>
      const stays = was?.parent === is?.parent && was?.position === is?.position
      return stays ? [] : [id]
    })
  )

interface BothSides {
  /** The changes of the primary side, by key. */
  readonly byPrimary: ReadonlyMap<string, Difference>
  /** The changes of the change request, by key. */
  readonly byChange: ReadonlyMap<string, Difference>
}

/**
 * Validates the merged tree around the changed pages: missing parents, cycles and depth. Pages with conflicts are
 * skipped, because they have no final position yet.
 */
const checkTree = Effect.fnUntraced(function* (
  tree: Tree.Tree,
  changed: ReadonlyArray<PageId>,
  conflicting: ReadonlySet<string>,
  { byPrimary, byChange }: BothSides
): Effect.fn.Return<ReadonlyArray<MergeConflict>, StorageUnavailable> {
  const conflicts: Array<MergeConflict> = []
  const inCycle = new Set<string>()
  /** The topmost page that is too deep. Pages below it are not reported. */
  let tooDeep: { readonly depth: number; readonly page: { id: string; title: string } } | undefined
  for (const id of changed) {
    const page = yield* tree.page(id)
    if (page === undefined || page.parent === "" || inCycle.has(id) || conflicting.has(id)) continue
    const parent = yield* tree.page(page.parent)
    if (parent === undefined) {
      const isDeletedByPrimary = byPrimary.get(`p/${page.parent}`) !== undefined
      const [primary, change] = isDeletedByPrimary ? ["deleted", "moved"] : ["moved", "deleted"]
      const deleted = (isDeletedByPrimary ? byPrimary : byChange).get(`p/${page.parent}`)?.before as
        | PageRecord
        | undefined
      conflicts.push({
        kind: "parent",
        page: { id, title: page.title },
        base: { parent: { id: page.parent, title: deleted?.title ?? "" } },
        primary,
        change
      })
      continue
    }
    const path = [id, ...(yield* ancestorsOf(tree, page))]
    const repeated = path.indexOf(path.at(-1)!)
    if (repeated === path.length - 1) {
      if (path.length > maximumMergeDepth && path.length < (tooDeep?.depth ?? Number.POSITIVE_INFINITY)) {
        tooDeep = { depth: path.length, page: { id, title: page.title } }
      }
      continue
    }
    const cycle = path.slice(repeated, -1)
    if (cycle.some((one) => inCycle.has(one) || conflicting.has(one))) continue
    const pages: Array<{ id: string; title: string }> = []
    for (const one of cycle.toSorted()) {
      inCycle.add(one)
      pages.push({ id: one, title: (yield* tree.page(one))?.title ?? "" })
    }
    conflicts.push({ kind: "cycle", page: pages[0]!, pages })
  }
  if (tooDeep !== undefined) conflicts.push({ kind: "depth", page: tooDeep.page })
  return conflicts
})

/** Returns the ids of the ancestors, nearest first, up to the root or to the first repeated id. */
const ancestorsOf = Effect.fnUntraced(function* (
  tree: Tree.Tree,
  page: PageRecord
): Effect.fn.Return<ReadonlyArray<PageId>, StorageUnavailable> {
  const path: Array<PageId> = []
  for (let { parent } = page; parent !== ""; ) {
    const isKnown = path.includes(parent)
    path.push(parent)
    if (isKnown) break
    parent = (yield* tree.page(parent))?.parent ?? ""
  }
  return path
})
