/** The port of stores that persist the rows of a store in memory. */
import type { PlainRow, StorageUnavailable, Table } from "@lectern/core"
import { type Effect, HashMap } from "effect"
import * as Rows from "./MemoryRows.ts"
import type { State } from "./MemoryState.ts"

/** The rows of a table that a commit changes, by their serialized keys. */
export interface RowChanges {
  /** The name of the table. */
  readonly table: string
  /** The rows that were inserted or changed. */
  readonly put: ReadonlyArray<readonly [key: string, row: PlainRow]>
  /** The keys of the rows that were removed. */
  readonly removed: ReadonlyArray<string>
  /** The greatest number of a generated key. It never decreases, so that no number is used again; 0 without one. */
  readonly lastGenerated: number
}

/** A store of rows without queries. */
export interface PersistentRows {
  /** Reads all changes that were committed, in their order, or their result. Called once. */
  readonly load: Effect.Effect<Iterable<RowChanges>, StorageUnavailable>
  /**
   * Stores all changes of a commit durably, or none. It is called for one commit at a time, and is not interrupted. If it fails, the
   * transaction fails, and is not visible.
   */
  readonly commit: (changes: ReadonlyArray<RowChanges>) => Effect.Effect<void, StorageUnavailable>
}

/** Returns the changes that lead from one state to another. */
export const changesBetween = (before: State, after: State): ReadonlyArray<RowChanges> =>
  [...after].flatMap(([table, rows]) => {
    const former = before.get(table)
    if (former === rows) return []
    const put = HashMap.toEntries(rows.byKey).filter(
      ([key, row]) => former === undefined || Rows.getRow(former, key) !== row
    )
    const removed =
      former === undefined
        ? []
        : [...HashMap.keys(former.byKey)].filter((key) => !HashMap.has(rows.byKey, key))
    return [{ table, put, removed, lastGenerated: rows.lastGenerated }]
  })

/** The rows of a table that were loaded before the declaration of the table is known. */
interface LoadedRows {
  readonly byKey: Map<string, PlainRow>
  lastGenerated: number
}

/** The loaded rows by table, until the table is declared. */
export type Loaded = Map<string, LoadedRows>

/** Applies changes in their order. */
export const applyChanges = (changes: Iterable<RowChanges>): Loaded => {
  const loaded: Loaded = new Map()
  for (const { table, put, removed, lastGenerated } of changes) {
    const rows = loaded.get(table) ?? { byKey: new Map<string, PlainRow>(), lastGenerated: 0 }
    loaded.set(table, rows)
    for (const [key, row] of put) rows.byKey.set(key, row)
    for (const key of removed) rows.byKey.delete(key)
    rows.lastGenerated = Math.max(rows.lastGenerated, lastGenerated)
  }
  return loaded
}

/** Adds the loaded rows of declared tables to a state. Dies with a `TypeError` if they violate the declaration. */
export const declareLoaded = (state: State, loaded: Loaded, tables: ReadonlyArray<Table.AnyTable>): State => {
  const next = new Map(state)
  for (const table of tables) {
    const found = loaded.get(table.name)
    if (found === undefined) continue
    const rows = Rows.addRows(
      table,
      Rows.emptyRows(table),
      [...found.byKey.values()].map((row) => Rows.toStoredRow(table, row))
    )
    if ("_tag" in rows) throw new TypeError(`The persisted rows of \`${table.name}\` are not unique.`)
    next.set(table.name, { ...rows, lastGenerated: Math.max(rows.lastGenerated, found.lastGenerated) })
    loaded.delete(table.name)
  }
  return next
}
