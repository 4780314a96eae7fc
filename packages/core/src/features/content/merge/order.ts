/**
 * Merges the order of siblings when both sides put pages between the same neighbors. Pages that one side inserts next
 * to each other stay together as a run. Runs are ordered by the id, and so by the creation time, of their first page:
 * the result does not depend on which side is merged first.
 */

import type { Draft, Tree } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import { keys, type PageRecord, type Placed } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { generateNKeysBetween } from "fractional-indexing"
import type { Move } from "./merge.ts"

/** Whether the change request has created or moved the page. */
const isMoved = ({ before, after }: Move): boolean =>
  before === undefined || before.parent !== after?.parent || before.position !== after.position

/**
 * Computes the positions of the pages of a change request in the draft, which has the primary content without them.
 * `movedByPrimary` are the pages that the primary side has created or moved.
 */
export const mergeSiblingOrder = Effect.fnUntraced(function* (
  draft: Draft,
  change: Tree,
  pages: ReadonlyMap<PageId, Move>,
  movedByPrimary: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<readonly [PageId, PageRecord]>, StorageUnavailable> {
  const staying: Array<readonly [PageId, PageRecord]> = []
  const moving = new Map<string, Array<Placed>>()
  for (const [id, move] of pages) {
    const page = move.after
    if (page === undefined) continue
    if (!isMoved(move)) {
      staying.push([id, page])
      // Pages that stay are in the draft before moved pages are placed between them.
      draft.set(keys.place(page.parent, page.position, id), null)
    } else moving.set(page.parent, [...(moving.get(page.parent) ?? []), { id, page }])
  }
  const placed = [...staying]
  for (const siblings of moving.values()) {
    for (const run of yield* runsOf(draft, change, siblings))
      placed.push(...(yield* placeRun(draft, run, movedByPrimary)))
  }
  return placed
})

/** Splits the moved pages of one parent into runs: a page that stays in place separates two runs. */
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
    while (next !== undefined && next.id !== one.id && !(yield* isPlacedAt(draft, one.page.parent, next))) {
      next = yield* change.next(one.page.parent, next.position, next.id)
    }
    if (next?.id === one.id) runs.at(-1)!.push(one)
    else runs.push([one])
  }
  return runs
})

type Sibling = Pick<Placed, "id"> & Pick<PageRecord, "position">

/** Whether a page is at this position in the draft. */
const isPlacedAt = (draft: Draft, parent: PageRecord["parent"], { id, position }: Sibling) =>
  Effect.map(draft.between(parent, position, position), (there) => there.some((one) => one.id === id))

/**
 * Places a run at its own positions if they interleave with no page of the primary side, otherwise before or after the
 * whole run of the primary side that it interleaves with.
 */
const placeRun = Effect.fnUntraced(function* (
  draft: Draft,
  run: ReadonlyArray<Placed>,
  movedByPrimary: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<readonly [PageId, PageRecord]>, StorageUnavailable> {
  const first = run[0]!
  const { parent } = first.page
  const interleaved = yield* interleavedPages(draft, run, movedByPrimary)
  const put = (positions: ReadonlyArray<string>) =>
    run.map(({ id, page }, index) => {
      const position = positions[index]!
      draft.set(keys.place(parent, position, id), null)
      return [id, { ...page, position }] as const
    })
  if (interleaved.length === 0) return put(run.map(({ page }) => page.position))
  const [start, before] = yield* runEnd(draft.previous, parent, interleaved[0]!, movedByPrimary)
  const [end, after] = yield* runEnd(draft.next, parent, interleaved.at(-1)!, movedByPrimary)
  return first.id < start.id
    ? put(generateNKeysBetween(before?.position ?? null, start.position, run.length))
    : put(generateNKeysBetween(end.position, after?.position ?? null, run.length))
})

/**
 * Returns the pages that a run interleaves with: those within it, or both neighbors if the primary side inserted them.
 */
const interleavedPages = Effect.fnUntraced(function* (
  draft: Draft,
  run: ReadonlyArray<Placed>,
  movedByPrimary: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<Sibling>, StorageUnavailable> {
  const [first, last] = [run[0]!, run.at(-1)!]
  const { parent } = first.page
  const within = yield* draft.between(parent, first.page.position, last.page.position)
  if (within.length > 0) return within
  const before = yield* draft.previous(parent, first.page.position, first.id)
  const after = yield* draft.next(parent, last.page.position, last.id)
  const isBetween =
    before !== undefined &&
    after !== undefined &&
    movedByPrimary.has(before.id) &&
    movedByPrimary.has(after.id)
  return isBetween ? [before, after] : []
})

/** Returns the end of a run of the primary side in one direction, and the page beyond it. */
const runEnd = Effect.fnUntraced(function* (
  step: Tree["next"],
  parent: PageRecord["parent"],
  from: Sibling,
  movedByPrimary: ReadonlySet<string>
): Effect.fn.Return<readonly [Sibling, Sibling | undefined], StorageUnavailable> {
  let end = from
  let beyond = yield* step(parent, end.position, end.id)
  while (beyond !== undefined && movedByPrimary.has(beyond.id)) {
    end = beyond
    beyond = yield* step(parent, end.position, end.id)
  }
  return [end, beyond]
})
