/**
 * The order of siblings where both sides put pages between the same neighbours. Pages that one side put side by side
 * stay side by side: those of which the first was made earlier come first, whichever side merges first.
 */
import { Effect } from "effect"
import { generateNKeysBetween } from "fractional-indexing"
import type { StorageUnavailable } from "../../storage/index.ts"
import type { PageId } from "../Page.ts"
import type { PageRecord, Placed } from "../records.ts"
import { keys } from "../records.ts"
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
    for (const run of yield* runsOf(change, siblings)) placed.push(...(yield* placeRun(draft, run, theirs)))
  }
  return placed
})

/** The moved pages of one parent, divided where the change has another page between them. */
const runsOf = Effect.fnUntraced(function* (
  change: Tree,
  siblings: ReadonlyArray<Placed>
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<Placed>>, StorageUnavailable> {
  const order = siblings.toSorted((a, b) =>
    keys.place("", a.page.position, a.id) < keys.place("", b.page.position, b.id) ? -1 : 1
  )
  const runs: Array<Array<Placed>> = []
  for (const [index, one] of order.entries()) {
    const last = order[index - 1]
    const next =
      last === undefined ? undefined : yield* change.next(last.page.parent, last.page.position, last.id)
    if (next?.id === one.id) runs.at(-1)!.push(one)
    else runs.push([one])
  }
  return runs
})

/** Places a run: where it was, if nothing of the other side stands in it; else before or behind that. */
const placeRun = Effect.fnUntraced(function* (
  draft: Draft,
  run: ReadonlyArray<Placed>,
  theirs: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<readonly [PageId, PageRecord]>, StorageUnavailable> {
  const [first, last] = [run[0]!, run.at(-1)!]
  const { parent } = first.page
  const between = yield* draft.between(parent, first.page.position, last.page.position)
  const put = (positions: ReadonlyArray<string>) =>
    run.map(({ id, page }, index) => {
      const position = positions[index]!
      draft.set(keys.place(parent, position, id), null)
      return [id, { ...page, position }] as const
    })
  const head = between[0]
  if (head === undefined) return put(run.map(({ page }) => page.position))
  if (first.id < head.id) {
    const before = yield* draft.previous(parent, head.position, head.id)
    return put(generateNKeysBetween(before?.position ?? null, head.position, run.length))
  }
  let end = between.at(-1)!
  let next = yield* draft.next(parent, end.position, end.id)
  while (next !== undefined && theirs.has(next.id)) {
    end = next
    next = yield* draft.next(parent, end.position, end.id)
  }
  return put(generateNKeysBetween(end.position, next?.position ?? null, run.length))
})
