/** Replays the events of a workspace into an empty projection, and compares it with the tables. */
import { isDeepStrictEqual } from "node:util"
import { EventLog, type EventRow, eventTypesOf, type Table, workspaceEvents } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { Effect } from "effect"

type Data = { readonly [field: string]: unknown }

/** The resources of a workspace, by the name of their table and by their key. */
export type Projection = ReadonlyMap<string, ReadonlyMap<string, Data>>

const sources = new Map(
  workspaceEvents.flatMap((source) => eventTypesOf(source).map((type) => [type, source] as const))
)

const keyOf = (table: Table.AnyTable, row: Data): string =>
  JSON.stringify(table.key.map((column) => row[column]))

/** Removes a resource and what belongs to it: an event of its own is not written for each of them. */
const remove = (
  projection: Map<string, Map<string, Data>>,
  table: Table.AnyTable,
  key: string,
  data: Data
): void => {
  projection.get(table.name)?.delete(key)
  const id = data[table.key[0]!]
  for (const { table: other } of workspaceEvents) {
    for (const [column, reference] of Object.entries(other.references)) {
      if (reference?.onRemove !== "cascade" || reference.table().name !== table.name) continue
      for (const [otherKey, row] of projection.get(other.name) ?? []) {
        if (row[column] === id) remove(projection, other, otherKey, row)
      }
    }
  }
}

/** Replays events, in their order. Each is applied once or several times, as consumers may receive it. */
export const replay = (events: Iterable<Pick<EventRow, "type" | "data">>): Projection => {
  const projection = new Map<string, Map<string, Data>>()
  for (const { type, data } of events) {
    const source = sources.get(type)
    if (source === undefined) throw new Error(`The event ${type} has no declaration.`)
    const { table } = source
    const key = keyOf(table, data)
    if (type.endsWith(".deleted")) remove(projection, table, key, data)
    else projection.set(table.name, (projection.get(table.name) ?? new Map()).set(key, data))
  }
  return projection
}

/** Reads all events, in batches, as a consumer with a cursor does. */
export const readAllEvents = Effect.gen(function* () {
  const log = yield* EventLog
  const all: Array<EventRow> = []
  for (;;) {
    const batch = yield* log.read(all.at(-1)?.sequence ?? 0, {}, 100)
    if (batch.length === 0) return all
    all.push(...batch)
  }
})

/** The differences between the replayed events and the tables, one line each. */
export const projectionDifferences = Effect.gen(function* () {
  const all = yield* readAllEvents
  const projection = replay(all)
  const records = yield* allRecords
  const differences: Array<string> = []
  const sequences = all.map(({ sequence }) => sequence)
  if (sequences.some((sequence, index) => sequence !== sequences[0]! + index)) {
    differences.push("The numbers of events have a gap.")
  }
  for (const { table, data } of workspaceEvents) {
    const columns = Object.keys(data.fields)
    const projected = new Map(projection.get(table.name))
    for (const row of yield* records.find(table, {})) {
      const stored = Object.fromEntries(columns.map((column) => [column, (row as Data)[column]]))
      const key = keyOf(table, row as Data)
      const replayed = projected.get(key)
      projected.delete(key)
      if (!isDeepStrictEqual(stored, replayed)) {
        differences.push(
          `${table.name} ${key} is ${JSON.stringify(stored)}, and ${JSON.stringify(replayed)} by its events.`
        )
      }
    }
    for (const key of projected.keys()) differences.push(`${table.name} ${key} exists by its events only.`)
  }
  return differences
})
