/**
 * Three-way merge of content: what a change request made of a revision, put onto what the space made of it since.
 *
 * Records are merged by their ids and fields. The tree that comes of it is checked as a whole: every page stands
 * below one that is there, and none below itself. Its cost is that of what both sides changed.
 */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import { type PageRecord, recordOf } from "../../../model/content/ContentRecord.ts"
import type { MergeConflict } from "../../../model/content/MergeConflict.ts"
import type { PageId } from "../../../model/content/Page.ts"
import type { ContentStore } from "../ContentStore.ts"
import { deepestEdited, freeSlug, hasSlug, putPage } from "../edit/placing.ts"
import type { Difference } from "../MerkleMap.ts"
import type { Json } from "../MerkleNode.ts"
import * as Tree from "../Tree.ts"
import { equal, mergeRecord, type Sides } from "./mergeRecords.ts"
import { placeTogether } from "./order.ts"

/** The content of both sides, and the content that both were made from. */
export interface MergeInput {
  readonly base: BlobHash
  readonly primary: BlobHash
  readonly change: BlobHash
}

/** The merged content, or everything that is in its way. */
export type Merged =
  | { readonly _tag: "Merged"; readonly root: BlobHash }
  | { readonly _tag: "Conflicts"; readonly conflicts: ReadonlyArray<MergeConflict> }

const recordsOf = (differences: ReadonlyArray<Difference>): ReadonlyMap<string, Difference> =>
  new Map(differences.filter(({ key }) => recordOf(key) !== undefined).map((one) => [one.key, one]))

type Fields = Sides["base"]

/**
 * How deep a page may be that a side touched. Each side may have nested as deep as edits do, and put its own below what
 * the other nested; with what neither touched below it, a page is never deeper than readers go.
 */
const deepestMerged = Tree.deepest - deepestEdited

/** Merges. Where there are conflicts nothing of the result is meant to be kept. */
export const merge = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  { base, primary, change }: MergeInput
): Effect.fn.Return<Merged, StorageUnavailable> {
  if (change === base || change === primary) return { _tag: "Merged", root: primary }
  if (primary === base) return { _tag: "Merged", root: change }
  const mine = recordsOf(yield* content.maps.diff(base, primary))
  const its = recordsOf(yield* content.maps.diff(base, change))

  const conflicts: Array<MergeConflict> = []
  const draft = Tree.draft(content.maps, primary)
  const pages = new Map<PageId, Move>()
  for (const [key, { before, after }] of its) {
    const other = mine.get(key)
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
    else pages.set(id as PageId, { before: sides.primary as never, after: merged.value as never })
  }

  // All that moves is taken out first: what it leaves is free for others.
  for (const [id, { before }] of pages) putPage(draft, id, before, undefined)
  for (const [id, { after }] of pages) if (after !== undefined) draft.set(`p/${id}`, after as never)
  const inTheWay = new Set(conflicts.flatMap((conflict) => conflict.page?.id ?? []))
  const changed = [...new Set([...mine.keys(), ...its.keys()])].flatMap((key) => {
    const record = recordOf(key)!
    return record.kind === "page" ? [record.id as PageId] : []
  })
  conflicts.push(...(yield* checkTree(draft, changed, inTheWay, { mine, its })))
  if (conflicts.length > 0) return { _tag: "Conflicts", conflicts }

  const placed = yield* placeTogether(draft, Tree.readTree(content.maps, change), pages, movedBy(mine))
  for (const [id, page] of placed) {
    const slug = hasSlug(page) ? yield* freeSlug(draft, page.parent, page.slug, id) : page.slug
    putPage(draft, id, undefined, { ...page, slug })
  }
  return { _tag: "Merged", root: yield* draft.write }
})

/** What a merge makes of a page of the primary content. */
export interface Move {
  readonly before: PageRecord | undefined
  readonly after: PageRecord | undefined
}

/** The pages that a side put to where they are. */
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
  readonly mine: ReadonlyMap<string, Difference>
  readonly its: ReadonlyMap<string, Difference>
}

/**
 * What is wrong with where the changed pages stand once both sides are put together. Of pages that are in the way
 * already nobody knows yet where they will stand.
 */
const checkTree = Effect.fnUntraced(function* (
  tree: Tree.Tree,
  changed: ReadonlyArray<PageId>,
  inTheWay: ReadonlySet<string>,
  { mine, its }: BothSides
): Effect.fn.Return<ReadonlyArray<MergeConflict>, StorageUnavailable> {
  const conflicts: Array<MergeConflict> = []
  const inCycle = new Set<string>()
  /** The highest page that is too deep: those below it are too. */
  let tooDeep: { readonly depth: number; readonly page: { id: string; title: string } } | undefined
  for (const id of changed) {
    const page = yield* tree.page(id)
    if (page === undefined || page.parent === "" || inCycle.has(id) || inTheWay.has(id)) continue
    const parent = yield* tree.page(page.parent)
    if (parent === undefined) {
      const isDeletedHere = mine.get(`p/${page.parent}`) !== undefined
      const [primary, change] = isDeletedHere ? ["deleted", "moved"] : ["moved", "deleted"]
      const gone = (isDeletedHere ? mine : its).get(`p/${page.parent}`)?.before as PageRecord | undefined
      conflicts.push({
        kind: "parent",
        page: { id, title: page.title },
        base: { parent: { id: page.parent, title: gone?.title ?? "" } },
        primary,
        change
      })
      continue
    }
    const way = [id, ...(yield* wayUp(tree, page))]
    const again = way.indexOf(way.at(-1)!)
    if (again === way.length - 1) {
      if (way.length > deepestMerged && way.length < (tooDeep?.depth ?? Number.POSITIVE_INFINITY)) {
        tooDeep = { depth: way.length, page: { id, title: page.title } }
      }
      continue
    }
    const circle = way.slice(again, -1)
    if (circle.some((one) => inCycle.has(one) || inTheWay.has(one))) continue
    const pages: Array<{ id: string; title: string }> = []
    for (const one of circle.toSorted()) {
      inCycle.add(one)
      pages.push({ id: one, title: (yield* tree.page(one))?.title ?? "" })
    }
    conflicts.push({ kind: "cycle", page: pages[0]!, pages })
  }
  if (tooDeep !== undefined) conflicts.push({ kind: "depth", page: tooDeep.page })
  return conflicts
})

/** The ids above a page, nearest first, up to the root or to one that was met before. */
const wayUp = Effect.fnUntraced(function* (
  tree: Tree.Tree,
  page: PageRecord
): Effect.fn.Return<ReadonlyArray<PageId>, StorageUnavailable> {
  const way: Array<PageId> = []
  for (let { parent } = page; parent !== ""; ) {
    const isKnown = way.includes(parent)
    way.push(parent)
    if (isKnown) break
    parent = (yield* tree.page(parent))?.parent ?? ""
  }
  return way
})
