/**
 * The order of siblings where both sides put pages between the same neighbors. Pages that one side put side by side
 * stay side by side: those of which the first was made earlier come first, whichever side merges first.
 */
import { Effect } from "effect"
import { generateNKeysBetween } from "fractional-indexing"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import type { PageRecord, Placed } from "../../../model/content/ContentRecord.ts"
import { keys } from "../../../model/content/ContentRecord.ts"
import type { PageId } from "../../../model/content/Page.ts"
import type { Draft, Tree } from "../Tree.ts"
import type { Move } from "./merge.ts"

/** Whether the change put the page to where it is. */
const isMoved = ({ before, after }: Move): boolean =>
  before === undefined || before.parent !== after?.parent || before.position !== after.position

/**
 * Places for the pages of a change in the draft, which has the primary content without them. `theirs` are the pages
 * that the primary side put to where they are.
 */
export const placeTogether = Effect.fnUntraced(function* (
  draft: Draft,
  change: Tree,
  pages: ReadonlyMap<PageId, Move>,
  theirs: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<readonly [PageId, PageRecord]>, StorageUnavailable> {
  const staying: Array<readonly [PageId, PageRecord]> = []
  const moving = new Map<string, Array<Placed>>()
  for (const [id, move] of pages) {
    const page = move.after
    if (page === undefined) continue
    if (!isMoved(move)) {
      staying.push([id, page])
      // The others are placed among those that stay.
      draft.set(keys.place(page.parent, page.position, id), null)
    } else moving.set(page.parent, [...(moving.get(page.parent) ?? []), { id, page }])
  }
  const placed = [...staying]
  for (const siblings of moving.values()) {
    for (const run of yield* runsOf(draft, change, siblings))
      placed.push(...(yield* placeRun(draft, run, theirs)))
  }
  return placed
})

/** The moved pages of one parent, divided where the change has another page between them that stays there. */
const runsOf = Effect.fnUntraced(function* (
  draft: Draft,
  change: Tree,
  siblings: ReadonlyArray<Placed>
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<Placed>>, StorageUnavailable> {
  const order = siblings.toSorted((a, b) =>
    keys.place("", a.page.position, a.id) < keys.place("", b.page.position, b.id) ? -1 : 1
  )
  const runs: Array<Array<Placed>> = []
  for (const [index, one] of order.entries()) {
    const last = order[index - 1]
    let next =
      last === undefined ? undefined : yield* change.next(last.page.parent, last.page.position, last.id)
    while (next !== undefined && next.id !== one.id && !(yield* stands(draft, one.page.parent, next))) {
      next = yield* change.next(one.page.parent, next.position, next.id)
    }
    if (next?.id === one.id) runs.at(-1)!.push(one)
    else runs.push([one])
  }
  return runs
})

type Sibling = Pick<Placed, "id"> & Pick<PageRecord, "position">

/** Whether a page stands at a place of the draft. */
const stands = (draft: Draft, parent: PageRecord["parent"], { id, position }: Sibling) =>
  Effect.map(draft.between(parent, position, position), (there) => there.some((one) => one.id === id))

/**
 * Places a run: where it was, if nothing of the other side stands in it; else before or behind all that the other
 * side put side by side there.
 */
const placeRun = Effect.fnUntraced(function* (
  draft: Draft,
  run: ReadonlyArray<Placed>,
  theirs: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<readonly [PageId, PageRecord]>, StorageUnavailable> {
  const first = run[0]!
  const { parent } = first.page
  const met = yield* meeting(draft, run, theirs)
  const put = (positions: ReadonlyArray<string>) =>
    run.map(({ id, page }, index) => {
      const position = positions[index]!
      draft.set(keys.place(parent, position, id), null)
      return [id, { ...page, position }] as const
    })
  if (met.length === 0) return put(run.map(({ page }) => page.position))
  const [start, before] = yield* runEnd(draft.previous, parent, met[0]!, theirs)
  const [end, behind] = yield* runEnd(draft.next, parent, met.at(-1)!, theirs)
  return first.id < start.id
    ? put(generateNKeysBetween(before?.position ?? null, start.position, run.length))
    : put(generateNKeysBetween(end.position, behind?.position ?? null, run.length))
})

/** What a run meets where it was: pages among it, or one before and one behind it that the other side put there. */
const meeting = Effect.fnUntraced(function* (
  draft: Draft,
  run: ReadonlyArray<Placed>,
  theirs: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<Sibling>, StorageUnavailable> {
  const [first, last] = [run[0]!, run.at(-1)!]
  const { parent } = first.page
  const among = yield* draft.between(parent, first.page.position, last.page.position)
  if (among.length > 0) return among
  const before = yield* draft.previous(parent, first.page.position, first.id)
  const behind = yield* draft.next(parent, last.page.position, last.id)
  const isAmidst =
    before !== undefined && behind !== undefined && theirs.has(before.id) && theirs.has(behind.id)
  return isAmidst ? [before, behind] : []
})

/** The last page in a direction that the other side put there, and the one beyond it. */
const runEnd = Effect.fnUntraced(function* (
  step: Tree["next"],
  parent: PageRecord["parent"],
  from: Sibling,
  theirs: ReadonlySet<string>
): Effect.fn.Return<readonly [Sibling, Sibling | undefined], StorageUnavailable> {
  let end = from
  let beyond = yield* step(parent, end.position, end.id)
  while (beyond !== undefined && theirs.has(beyond.id)) {
    end = beyond
    beyond = yield* step(parent, end.position, end.id)
  }
  return [end, beyond]
})
