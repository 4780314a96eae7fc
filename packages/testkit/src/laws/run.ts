/** What comes of operations on a store, in words that two stores can be compared by. */
import { RecordsAdapter } from "@lectern/core"
import { Cause, Effect, Exit } from "effect"
import type { Operation } from "./operations.ts"
import { files, folders } from "./tables.ts"

type Adapter = RecordsAdapter["Service"]

/** A failed verb ends the transaction that it is in, as the port asks for; another transaction in it can fail. */
const runOne = (store: Adapter, operation: Operation): Effect.Effect<unknown, unknown> => {
  switch (operation.op) {
    case "find":
      return store.find(operation.table, operation.find)
    case "count":
      return store.count(operation.table, operation.where)
    case "countBy":
      return Effect.map(store.countBy(operation.table, operation.column, operation.where), (counts) =>
        counts.map(([value, count]) => `${typeof value} ${value}: ${count}`).sort()
      )
    case "insert":
      return store.insert(operation.table, operation.rows)
    case "update":
      return store.update(operation.table, operation.where, operation.change)
    case "remove":
      return store.remove(operation.table, operation.where)
    case "next":
      return store.next(files, operation.key, "size")
    case "transaction": {
      const ends = {
        succeed: Effect.void,
        fail: Effect.fail("failed"),
        die: Effect.die("died"),
        interrupt: Effect.interrupt
      }
      const body = Effect.gen(function* () {
        const results: Array<unknown> = []
        for (const inner of operation.operations) {
          results.push(
            inner.op === "transaction" ? yield* outcomeOf(store, inner) : yield* runOne(store, inner)
          )
        }
        yield* ends[operation.end]
        return results
      })
      return store.transaction(body)
    }
  }
}

const outcomeOf = (store: Adapter, operation: Operation): Effect.Effect<unknown> =>
  Effect.map(Effect.exit(runOne(store, operation)), (exit) =>
    Exit.isSuccess(exit)
      ? { succeeded: exit.value }
      : Cause.hasInterrupts(exit.cause)
        ? "interrupted"
        : { failed: Cause.squash(exit.cause) }
  )

const rowsOfFolders = [
  { id: "1", parent: null, name: "a" },
  { id: "2", parent: "3", name: "b" },
  { id: "3", parent: "1", name: "b" },
  { id: "\uFFFD", parent: null, name: "" }
]

const file = { starred: false, kind: "a", checked: null, rank: 2 ** 31, content: { a: [null] }, extra: null }
const rowsOfFiles = [
  { ...file, folder: "2", name: "a", size: 1 },
  { ...file, folder: "2", name: "b", size: 1, checked: false },
  { ...file, folder: "\uFFFD", name: "\u{1F600}", size: 2, starred: true, rank: null, extra: [] },
  { ...file, folder: "\uFFFD", name: "\uFFFD", size: 0, kind: null }
]

/** What comes of the operations on a store with a few rows: an outcome of each, and all that is stored at the end. */
export const run = Effect.fnUntraced(function* (list: ReadonlyArray<Operation>) {
  const store = yield* RecordsAdapter
  for (const table of [files, folders]) yield* store.remove(table, { op: "all" })
  yield* store.insert(folders, rowsOfFolders)
  yield* store.insert(files, rowsOfFiles)
  const outcomes: Array<unknown> = []
  for (const operation of list) outcomes.push(yield* outcomeOf(store, operation))
  for (const table of [folders, files]) {
    outcomes.push(yield* store.find(table, { where: { op: "all" }, orderBy: [], direction: "asc" }))
  }
  return outcomes
})
