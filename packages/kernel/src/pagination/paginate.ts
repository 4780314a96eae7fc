/**
 * Keyset pagination.
 *
 * A cursor holds the position of a page's last item. Every page therefore costs the same, and rows that are inserted or
 * deleted between two requests neither shift nor repeat others. A fingerprint binds a cursor to its list, filter and
 * order.
 */

import { InvalidInput } from "@lectern/model/errors"
import { defaultLimit, type Page, type PageQuery } from "@lectern/model/schema"
import { Effect, Hash, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import {
  positionOf,
  type ReadableRecords,
  type StorageUnavailable,
  type Table,
  totalOrder,
  type Where
} from "../storage/index.ts"

/** A list of the rows of a table. */
export interface ListOptions<T extends Table.AnyTable, A> {
  readonly table: T
  /** Identifies the list and the caller's filter, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  readonly where: Where.Where<Table.Row<T>>
  readonly orderBy: ReadonlyArray<keyof Table.Row<T> & string>
  readonly direction: "asc" | "desc"
  /** The columns to read, which include the columns of the order and of the key. All by default. */
  readonly select?: ReadonlyArray<keyof Table.Row<T>>
  /** Converts the rows of a page to items, in the same order. */
  readonly present: (rows: ReadonlyArray<Table.Row<T>>) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
}

/** Reads a page with two concurrent queries: the count and the rows. Fails with `InvalidInput` for a bad cursor. */
export const readPage = Effect.fnUntraced(function* <T extends Table.AnyTable, A>(
  records: ReadableRecords<T>,
  query: PageQuery,
  options: ListOptions<T, A>
): Effect.fn.Return<Page<A>, InvalidInput | StorageUnavailable> {
  const limit = query.limit ?? defaultLimit
  const columns = totalOrder(options.table, options.orderBy).map((column) => options.table.columns[column]!)
  const listFingerprint = fingerprint([options.list, options.orderBy, options.direction])
  const after =
    query.page === undefined ? undefined : yield* decodeCursor(query.page, listFingerprint, columns)
  const [count, rows] = yield* records.zipConcurrent(
    records.count(options.table, options.where),
    limit === 0
      ? Effect.succeed([])
      : records.find(options.table, {
          where: options.where,
          orderBy: options.orderBy,
          direction: options.direction,
          limit: limit + 1,
          ...(after === undefined ? {} : { after }),
          ...(options.select === undefined ? {} : { select: options.select })
        })
  )
  // `present` reads only selected columns.
  const items = rows.slice(0, limit) as ReadonlyArray<Table.Row<T>>
  const last = items[items.length - 1]
  return {
    items: yield* options.present(items),
    count,
    ...(rows.length > limit && last !== undefined
      ? { next: { page: encodeCursor(listFingerprint, positionOf(options.table, options.orderBy, last)) } }
      : {})
  }
})

/** A list outside of any table, whose rows have ids and are stored newest first. */
export interface NewestFirstOptions<Row, A, E> {
  /** Identifies the list and its filter, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  readonly count: Effect.Effect<number, E>
  /** Reads at most `limit` rows that are older than the row with the id `before`. */
  readonly rows: (before: string | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, E>
  readonly idOf: (row: Row) => string
  readonly present: (row: Row) => A
}

/** Reads a page of a list outside of any table, newest first. Fails with `InvalidInput` for a bad cursor. */
export const paginateNewestFirst = Effect.fnUntraced(function* <Row, A, E>(
  query: PageQuery,
  options: NewestFirstOptions<Row, A, E>
): Effect.fn.Return<Page<A>, InvalidInput | E> {
  const limit = query.limit ?? defaultLimit
  const listFingerprint = fingerprint([options.list, "listed"])
  const before =
    query.page === undefined ? undefined : yield* decodeCursor(query.page, listFingerprint, [idColumn])
  const count = yield* options.count
  const rows = limit === 0 ? [] : yield* options.rows(before?.[0] as string | undefined, limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(options.present),
    count,
    ...(rows.length > limit && last !== undefined
      ? { next: { page: encodeCursor(listFingerprint, [options.idOf(last)]) } }
      : {})
  }
})

/** The maximum number of ids in the cursor of a ranked list. */
const maximumListed = 100

/** The position in a ranked list. */
export interface RankedPosition {
  readonly score: number
  readonly id: string
  /** The stage of the list, as `read` returned it for the first page. */
  readonly stage: string
  /** The ids of the latest entries on earlier pages whose scores were positive, which depend on all content. */
  readonly listed: ReadonlyArray<string>
}

/** A list that the store ranks. An entry has one hit or several. */
export interface RankedListOptions<Hit extends { readonly best: number }, A, E> {
  /** Identifies the list and its filter, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  /**
   * Reads the length of the list, and the hits of at most `limit` entries that rank after `after`. `stage` identifies how
   * the list was selected, so that further pages continue the same list.
   */
  readonly read: (
    after: RankedPosition | undefined,
    limit: number
  ) => Effect.Effect<{ readonly count: number; readonly hits: ReadonlyArray<Hit>; readonly stage: string }, E>
  /** Returns the id of the entry that a hit belongs to. */
  readonly idOf: (hit: Hit) => string
  /** Converts hits to entries, in the same order. `offset` is the number of hits on earlier pages. */
  readonly present: (hits: ReadonlyArray<Hit>, offset: number) => Effect.Effect<ReadonlyArray<A>, E>
}

/**
 * Reads a page of a ranked list. Fails with `InvalidInput` for a bad cursor. Scores can depend on all content, so that the
 * cursor contains the ids of the entries on earlier pages.
 */
export const paginateRanked = Effect.fnUntraced(function* <Hit extends { readonly best: number }, A, E>(
  query: PageQuery,
  options: RankedListOptions<Hit, A, E>
): Effect.fn.Return<Page<A>, InvalidInput | E> {
  const limit = query.limit ?? defaultLimit
  const listFingerprint = fingerprint([options.list, "ranked by stage"])
  const position = query.page === undefined ? undefined : yield* decodePosition(query.page, listFingerprint)
  if (position !== undefined && !position.every((value) => isValueOf(idColumn, value)))
    return yield* invalidCursor
  const [stageWithOffset = "", score, id, ...listed] = (position ?? []) as ReadonlyArray<string | undefined>
  const [stage = "", offsetText = "0"] = stageWithOffset.split("+")
  const offset = Number(offsetText)
  if (position !== undefined && !Number.isFinite(Number(score))) return yield* invalidCursor
  if (!Number.isSafeInteger(offset) || offset < 0) return yield* invalidCursor
  const after =
    id === undefined
      ? undefined
      : { stage, score: Number(score), id, listed: listed as ReadonlyArray<string> }
  const { count, hits, stage: nextStage } = yield* options.read(after, limit + 1)
  const entries = [...Map.groupBy(hits, options.idOf)]
  const pageEntries = entries.slice(0, limit)
  const last = pageEntries.at(-1)
  const ranked = pageEntries.flatMap(([id, entryHits]) => (entryHits[0]!.best > 0 ? [id] : []))
  const nowListed = [...(after?.listed ?? []), ...ranked].slice(-maximumListed)
  const presented = pageEntries.flatMap(([, entryHits]) => entryHits)
  const nextOffset = offset + presented.length
  return {
    items: yield* options.present(presented, offset),
    count,
    ...(entries.length > limit && last !== undefined
      ? {
          next: {
            page: encodeCursor(listFingerprint, [
              `${nextStage}+${nextOffset}`,
              String(last[1][0]!.best),
              last[0],
              ...nowListed
            ])
          }
        }
      : {})
  }
})

/** A short list that is in memory as a whole. */
export interface InMemoryListOptions<A> {
  /** Identifies the list and its filter, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  /** All items by ascending `place`; `id` breaks ties. */
  readonly items: ReadonlyArray<{ readonly place: string; readonly id: string; readonly item: A }>
}

/** Returns a page of a list in memory. Fails with `InvalidInput` for a bad cursor. */
export const paginateInMemory = <A>(
  query: PageQuery,
  { list, items }: InMemoryListOptions<A>
): Effect.Effect<Page<A>, InvalidInput> => {
  const limit = query.limit ?? defaultLimit
  const listFingerprint = fingerprint([list, "short"])
  const position =
    query.page === undefined
      ? Effect.succeed(undefined)
      : decodeCursor(query.page, listFingerprint, [idColumn, idColumn])
  return Effect.map(position, (after) => {
    const [place, id] = (after ?? ["", ""]) as readonly [string, string]
    const rest = items.filter((item) => item.place > place || (item.place === place && item.id > id))
    const pageItems = rest.slice(0, limit)
    const last = pageItems.at(-1)
    return {
      items: pageItems.map(({ item }) => item),
      count: items.length,
      ...(rest.length > limit && last !== undefined
        ? { next: { page: encodeCursor(listFingerprint, [last.place, last.id]) } }
        : {})
    }
  })
}

const idColumn: Table.Column<unknown> = { kind: "text", nullable: false }

const Cursor = Schema.fromJsonString(
  Schema.Tuple([Schema.String, Schema.Array(Schema.Union([Schema.String, Schema.Int, Schema.Boolean]))])
)
const decodeJson = Schema.decodeUnknownResult(Cursor)

const encodeCursor = (expected: string, position: ReadonlyArray<Where.Scalar>): string =>
  Base64Url.encode(JSON.stringify([expected, position]))

/** Decodes the position of a cursor of a list, whose values are untrusted. */
const decodePosition = (
  cursor: string,
  expected: string
): Effect.Effect<ReadonlyArray<Where.Scalar>, InvalidInput> => {
  const decoded = Result.flatMap(Base64Url.decodeString(cursor), decodeJson)
  if (Result.isFailure(decoded)) return Effect.fail(invalidCursor)
  const [actual, position] = decoded.success
  if (actual !== expected) {
    return Effect.fail(
      InvalidInput.at(
        "page",
        "is a cursor of another list, filter or order; omit it to start from the first page"
      )
    )
  }
  return Effect.succeed(position)
}

const decodeCursor = (
  cursor: string,
  expected: string,
  columns: ReadonlyArray<Table.Column<unknown>>
): Effect.Effect<ReadonlyArray<Where.Scalar>, InvalidInput> =>
  Effect.filterOrFail(
    decodePosition(cursor, expected),
    (position) =>
      position.length === columns.length && columns.every((column, i) => isValueOf(column, position[i])),
    () => invalidCursor
  )

const invalidCursor = InvalidInput.at(
  "page",
  "is not a valid cursor; use the value of next.page from the previous response"
)

/** Whether a value of a decoded cursor is valid for its column. Cursors are untrusted input. */
const isValueOf = (column: Table.Column<unknown>, value: unknown): boolean => {
  switch (column.kind) {
    case "text":
      return typeof value === "string" && value.isWellFormed() && !value.includes("\0")
    case "integer":
      return Number.isSafeInteger(value)
    case "boolean":
      return typeof value === "boolean"
    case "json":
    case "bytes":
      return false
  }
}

/** Identifies a list in its cursors. It guards against mistakes, not against forgery. */
const fingerprint = (list: unknown): string => (Hash.string(JSON.stringify(list)) >>> 0).toString(36)
