/** Records the changes of rows within a transaction, and writes their events to the outbox before it commits. */
import { Clock, Effect } from "effect"
import { toTimestamp } from "../time.ts"
import { outboxEvents } from "./eventTables.ts"
import type { PlainRow, ReadError, RecordsAdapter, WriteError } from "./RecordsAdapter.ts"
import { type AnyResourceEvents, type EventCause, encodeEventData } from "./ResourceEvents.ts"
import { keyNamedBy, keyOf, whereKeys } from "./rowKeys.ts"
import { type AnyTable, generatedValue } from "./Table.ts"
import type { AnyWhere } from "./Where.ts"

type Adapter = RecordsAdapter["Service"]

/** A change of one row. */
export interface RowChange {
  readonly source: AnyResourceEvents
  readonly kind: "insert" | "update" | "remove"
  /** The values of the key. */
  readonly key: PlainRow
  /** The whole row: after an insertion, or before a removal. */
  readonly row?: PlainRow
  /** The new values of an update. Undefined values are not known. */
  readonly set?: PlainRow
  /** The organization that the row was in before the update; undefined if it has not moved. */
  readonly leaves?: string
  readonly cause: EventCause | undefined
}

const tenantOf = (table: AnyTable): string | null => table.protection?.tenant ?? null

const findByKeys = (
  adapter: Adapter,
  table: AnyTable,
  keys: ReadonlyArray<PlainRow>,
  select?: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<PlainRow>, ReadError> =>
  adapter.find(table, {
    where: whereKeys(table, keys),
    orderBy: table.key,
    direction: "asc",
    ...(select === undefined ? {} : { select })
  })

/**
 * Finds the rows that an insertion of some of these rows has inserted, by comparing them with the stored rows. A row that
 * existed before with the same values is among them, and its event repeats its state.
 */
const findInserted = Effect.fnUntraced(function* (
  adapter: Adapter,
  table: AnyTable,
  rows: ReadonlyArray<PlainRow>
): Effect.fn.Return<ReadonlyArray<PlainRow>, ReadError> {
  const serialize = (row: PlainRow) => JSON.stringify(Object.keys(table.columns).map((column) => row[column]))
  const keys = rows.map((row) => keyOf(table, row))
  const stored = new Set((yield* findByKeys(adapter, table, keys)).map(serialize))
  return rows.filter((row) => stored.has(serialize(row)))
})

/** Runs a write, which adds its changes, and records them in the transaction. */
type Recorded = <A>(
  write: (add: (change: Omit<RowChange, "cause">) => void) => Effect.Effect<A, WriteError>
) => Effect.Effect<A, WriteError>

/** The tables whose changes are recorded, by name. */
type Sources = ReadonlyMap<string, AnyResourceEvents>

/** Returns the keys of the rows that a condition matches. */
const keysOf = (
  adapter: Adapter,
  table: AnyTable,
  where: AnyWhere
): Effect.Effect<ReadonlyArray<PlainRow>, WriteError> => {
  const named = keyNamedBy(table, where)
  return named === undefined
    ? adapter.find(table, { where, orderBy: table.key, direction: "asc", select: table.key })
    : Effect.succeed([named])
}

const recordingInserts = (
  adapter: Adapter,
  sources: Sources,
  recorded: Recorded
): Pick<Adapter, "insert" | "insertMissing"> => ({
  insert: (table, rows, options) => {
    const source = sources.get(table.name)
    if (source === undefined) return adapter.insert(table, rows, options)
    return recorded((add) =>
      Effect.tap(adapter.insert(table, rows, options), () =>
        Effect.sync(() => {
          for (const row of rows) add({ source, kind: "insert", key: keyOf(table, row), row })
        })
      )
    )
  },

  insertMissing: (table, rows, options) => {
    const source = sources.get(table.name)
    if (source === undefined || rows.length === 0) return adapter.insertMissing(table, rows, options)
    return recorded(
      Effect.fnUntraced(function* (add) {
        const keys = rows.map((row) => keyOf(table, row))
        // One row needs no reading: the count states whether it was inserted.
        const existing = rows.length === 1 ? [] : yield* findByKeys(adapter, table, keys)
        const count = yield* adapter.insertMissing(table, rows)
        if (count === 0) return count
        const names = new Set(existing.map((row) => JSON.stringify(keyOf(table, row))))
        const missing = rows.filter((row) => !names.has(JSON.stringify(keyOf(table, row))))
        // Another transaction has inserted some of them since.
        const inserted = count === missing.length ? missing : yield* findInserted(adapter, table, missing)
        for (const row of inserted) add({ source, kind: "insert", key: keyOf(table, row), row })
        return count
      })
    )
  }
})

const recordingChanges = (
  adapter: Adapter,
  sources: Sources,
  recorded: Recorded
): Pick<Adapter, "update" | "next" | "remove"> => ({
  update: (table, where, change, options) => {
    const source = sources.get(table.name)
    if (source === undefined) return adapter.update(table, where, change, options)
    const changed = [...Object.keys(change.set), ...Object.keys(change.add)]
    if (!changed.some((column) => Object.hasOwn(source.data.fields, column))) {
      return adapter.update(table, where, change, options)
    }
    const set = {
      ...change.set,
      ...Object.fromEntries(Object.keys(change.add).map((column) => [column, undefined]))
    }
    return recorded(
      Effect.fnUntraced(function* (add) {
        const tenant = tenantOf(table)
        const isMove = tenant !== null && Object.hasOwn(set, tenant)
        const keys = isMove
          ? yield* adapter.find(table, {
              where,
              orderBy: table.key,
              direction: "asc",
              select: [...table.key, tenant]
            })
          : yield* keysOf(adapter, table, where)
        if (keys.length === 0) return 0
        const count = yield* adapter.update(table, where, change)
        if (count === 0) return count
        for (const key of keys) {
          const moved = isMove ? { leaves: key[tenant] as string } : {}
          add({ source, kind: "update", key: keyOf(table, key), set, ...moved })
        }
        return count
      })
    )
  },

  next: (table, where, column) => {
    const source = sources.get(table.name)
    if (source === undefined || !Object.hasOwn(source.data.fields, column)) {
      return adapter.next(table, where, column)
    }
    return recorded(
      Effect.fnUntraced(function* (add) {
        const keys = yield* keysOf(adapter, table, where)
        const value = yield* adapter.next(table, where, column)
        if (value !== undefined) {
          for (const key of keys) add({ source, kind: "update", key, set: { [column]: value } })
        }
        return value
      })
    )
  },

  remove: (table, where, options) => {
    const source = sources.get(table.name)
    if (source === undefined) return adapter.remove(table, where, options)
    return recorded(
      Effect.fnUntraced(function* (add) {
        const rows = yield* adapter.find(table, { where, orderBy: table.key, direction: "asc" })
        if (rows.length === 0) return 0
        const count = yield* adapter.remove(table, where)
        for (const row of rows) add({ source, kind: "remove", key: keyOf(table, row), row })
        return count
      })
    )
  }
})

/**
 * Returns an adapter that records the changes of rows of these resources. `recorded` runs a write in a transaction, and
 * receives its changes.
 */
export const recordingAdapter = (adapter: Adapter, sources: Sources, recorded: Recorded): Adapter => ({
  ...adapter,
  ...recordingInserts(adapter, sources, recorded),
  ...recordingChanges(adapter, sources, recorded)
})

/** The changes of one row in a transaction, joined. */
interface RowHistory {
  source: AnyResourceEvents
  kind: RowChange["kind"]
  key: PlainRow
  /** The whole row, if it is known. */
  row: PlainRow | undefined
  set: PlainRow
  leaves: string | undefined
  cause: EventCause | undefined
}

const isKnown = (values: PlainRow): boolean => !Object.values(values).includes(undefined)

/** Joins the changes of each row, in the order of the first changes. */
const joinChanges = (changes: ReadonlyArray<RowChange>): ReadonlyArray<RowHistory> => {
  const histories = new Map<string, RowHistory>()
  for (const { source, kind, key, row, set = {}, leaves, cause } of changes) {
    const id = `${source.table.name} ${JSON.stringify(Object.values(key))}`
    const before = histories.get(id)
    if (before === undefined) {
      histories.set(id, { source, kind, key, row, set, leaves, cause })
    } else if (kind === "update") {
      before.row = before.row === undefined || !isKnown(set) ? undefined : { ...before.row, ...set }
      before.set = { ...before.set, ...set }
      before.leaves ??= leaves
    } else if (kind === "insert") {
      // The row was removed before, so that the resource has changed.
      before.kind = "update"
      before.row = row
    } else if (before.kind === "insert") {
      histories.delete(id)
    } else {
      before.kind = "remove"
      before.row = row
    }
  }
  return [...histories.values()]
}

/** Returns the columns that an event needs: its data, the key, the organization, and the references to find it by. */
const columnsOfEvent = ({ table, data }: AnyResourceEvents): ReadonlyArray<string> => {
  const tenant = tenantOf(table)
  return [
    ...new Set([
      ...table.key,
      ...Object.keys(data.fields),
      ...(tenant === null ? Object.keys(table.references) : [tenant])
    ])
  ]
}

/** Reads the rows of the histories that do not know theirs. A row that a cascade has removed since stays unknown. */
const readRows = Effect.fnUntraced(function* (
  adapter: Adapter,
  histories: ReadonlyArray<RowHistory>
): Effect.fn.Return<void, ReadError> {
  const unknown = histories.filter(({ row }) => row === undefined)
  for (const [source, ofTable] of Map.groupBy(unknown, (history) => history.source)) {
    const { table } = source
    const identify = (row: PlainRow) => JSON.stringify(table.key.map((column) => row[column]))
    const rows = yield* findByKeys(
      adapter,
      table,
      ofTable.map(({ key }) => key),
      columnsOfEvent(source)
    )
    const byKey = new Map(rows.map((row) => [identify(row), row]))
    for (const history of ofTable) history.row = byKey.get(identify(history.key))
  }
})

/** Finds the organization of a row by its references, if neither the row nor the operation names it. */
const findOrganization = Effect.fnUntraced(function* (
  adapter: Adapter,
  table: AnyTable,
  row: PlainRow
): Effect.fn.Return<string | null, ReadError> {
  const tenant = tenantOf(table)
  if (tenant !== null) return row[tenant] as string | null
  for (const [column, reference] of Object.entries(table.references)) {
    const target = reference?.table()
    const value = row[column]
    if (target?.protection === undefined || typeof value !== "string") continue
    const [found] = yield* findByKeys(adapter, target, [{ [target.key[0]!]: value }])
    if (found !== undefined) return yield* findOrganization(adapter, target, found)
  }
  return null
})

const organizationOf = (
  adapter: Adapter,
  { source, cause }: RowHistory,
  row: PlainRow
): Effect.Effect<string | null, ReadError> => {
  const tenant = tenantOf(source.table)
  if (tenant !== null) return Effect.succeed(row[tenant] as string | null)
  if (source.table.protection === undefined) return Effect.succeed(null)
  return cause?.organization === undefined
    ? findOrganization(adapter, source.table, row)
    : Effect.succeed(cause.organization)
}

const actionOf = ({ source, kind, set }: RowHistory): string => {
  if (kind === "insert") return "created"
  return kind === "remove" ? "deleted" : (source.actionOf(set) ?? "updated")
}

/** Writes the events of changes to the outbox, in the transaction of the changes. Returns whether there were any. */
export const writeOutbox = Effect.fnUntraced(function* (
  adapter: Adapter,
  changes: ReadonlyArray<RowChange>
): Effect.fn.Return<boolean, WriteError> {
  const histories = joinChanges(changes)
  yield* readRows(adapter, histories)
  const createdAt = toTimestamp(yield* Clock.currentTimeMillis)
  const rows: Array<PlainRow> = []
  for (const history of histories) {
    const { source, row, cause } = history
    if (row === undefined || (history.kind === "remove" && source.isReplaced(row))) continue
    const organization = yield* organizationOf(adapter, history, row)
    const event = {
      position: generatedValue,
      type: `${source.resource}.${actionOf(history)}`,
      version: source.version,
      organization,
      operation: cause?.operation ?? null,
      actor: cause?.actor ?? null,
      createdAt,
      data: encodeEventData(source, row, cause?.actor ?? null)
    }
    rows.push(event)
    // The former organization receives the event as well, because it has lost the resource.
    const { leaves } = history
    if (leaves !== undefined && leaves !== organization) rows.push({ ...event, organization: leaves })
  }
  if (rows.length > 0) yield* adapter.insert(outboxEvents, rows, { isResultUnused: true })
  return rows.length > 0
})
