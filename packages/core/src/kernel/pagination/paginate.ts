/**
 * Lists by pages: what a caller asks for, what they get, and the cursor between.
 *
 * A cursor holds the position of the last item, so a page costs the same wherever it is, and rows that come and
 * go around it neither shift nor repeat the others. It is bound to its list, filter and order by a fingerprint.
 */
import { Effect, Hash, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { InvalidInput } from "../errors.ts"
import { defaultLimit, type Page, type PageQuery } from "../schema/Pagination.ts"
import {
  positionOf,
  type ReadableRecords,
  type StorageUnavailable,
  type Table,
  totalOrder,
  type Where
} from "../storage/index.ts"

/** The list that a page is read from. */
export interface ListOptions<T extends Table.AnyTable, A> {
  readonly table: T
  /** Names the list and its filter as the caller gave it, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  readonly where: Where.Where<Table.Row<T>>
  readonly orderBy: ReadonlyArray<keyof Table.Row<T> & string>
  readonly direction: "asc" | "desc"
  /** The columns that are needed, where others are large; those of the order and the key are among them. */
  readonly select?: ReadonlyArray<keyof Table.Row<T>>
  /** The items of a page's rows, in their order. */
  readonly present: (rows: ReadonlyArray<Table.Row<T>>) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
}

/** Reads a page: two look-ups at once, for the count and for the rows. */
export const readPage = Effect.fnUntraced(function* <T extends Table.AnyTable, A>(
  records: ReadableRecords<T>,
  query: PageQuery,
  options: ListOptions<T, A>
): Effect.fn.Return<Page<A>, InvalidInput | StorageUnavailable> {
  const limit = query.limit ?? defaultLimit
  const columns = totalOrder(options.table, options.orderBy).map((column) => options.table.columns[column]!)
  const mark = fingerprint([options.list, options.orderBy, options.direction])
  const after = query.page === undefined ? undefined : yield* decodeCursor(query.page, mark, columns)
  const [count, rows] = yield* records.both(
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
  const items = rows.slice(0, limit)
  const last = items[items.length - 1]
  return {
    items: yield* options.present(items),
    count,
    ...(rows.length > limit && last !== undefined
      ? { next: { page: encodeCursor(mark, positionOf(options.table, options.orderBy, last)) } }
      : {})
  }
})

/** A list whose items have ids and are kept in their order, the one that came last first, outside of any table. */
export interface ListedOptions<Row, A, E> {
  /** Names the list and its filter, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  readonly count: Effect.Effect<number, E>
  /** At most so many rows, before the one with this id. */
  readonly rows: (before: string | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, E>
  readonly idOf: (row: Row) => string
  readonly present: (row: Row) => A
}

/** Reads a page of such a list. */
export const readListed = Effect.fnUntraced(function* <Row, A, E>(
  query: PageQuery,
  options: ListedOptions<Row, A, E>
): Effect.fn.Return<Page<A>, InvalidInput | E> {
  const limit = query.limit ?? defaultLimit
  const mark = fingerprint([options.list, "listed"])
  const before = query.page === undefined ? undefined : yield* decodeCursor(query.page, mark, [idColumn])
  const count = yield* options.count
  const rows = limit === 0 ? [] : yield* options.rows(before?.[0] as string | undefined, limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(options.present),
    count,
    ...(rows.length > limit && last !== undefined
      ? { next: { page: encodeCursor(mark, [options.idOf(last)]) } }
      : {})
  }
})

/** A list that a store ranks: entries with several hits each, or one. */
export interface RankedOptions<Hit extends { readonly best: number }, A, E> {
  /** Names the list and its filter, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  /** How long the list is, and the hits of at most so many of its entries, behind one. */
  readonly read: (
    after: { readonly score: number; readonly id: string } | undefined,
    limit: number
  ) => Effect.Effect<{ readonly count: number; readonly hits: ReadonlyArray<Hit> }, E>
  /** What entry a hit belongs to. */
  readonly idOf: (hit: Hit) => string
  /** The entries of hits, in their order. */
  readonly present: (hits: ReadonlyArray<Hit>) => Effect.Effect<ReadonlyArray<A>, E>
}

/**
 * Reads a page of such a list. How well something fits depends on all else that is there, so an entry may be left out or
 * come twice where content changes between two pages.
 */
export const readRanked = Effect.fnUntraced(function* <Hit extends { readonly best: number }, A, E>(
  query: PageQuery,
  options: RankedOptions<Hit, A, E>
): Effect.fn.Return<Page<A>, InvalidInput | E> {
  const limit = query.limit ?? defaultLimit
  const mark = fingerprint([options.list, "ranked"])
  const position =
    query.page === undefined ? undefined : yield* decodeCursor(query.page, mark, [idColumn, idColumn])
  const [score, id] = (position ?? []) as ReadonlyArray<string | undefined>
  if (position !== undefined && !Number.isFinite(Number(score))) return yield* notACursor
  const after = id === undefined ? undefined : { score: Number(score), id }
  const { count, hits } = yield* options.read(after, limit + 1)
  const entries = [...Map.groupBy(hits, options.idOf)]
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: yield* options.present(shown.flatMap(([, inside]) => inside)),
    count,
    ...(entries.length > limit && last !== undefined
      ? { next: { page: encodeCursor(mark, [String(last[1][0]!.best), last[0]]) } }
      : {})
  }
})

/** A list that is in memory as a whole, because it is short. */
export interface ShortListOptions<A> {
  /** Names the list and its filter, for the cursor's fingerprint. */
  readonly list: ReadonlyArray<unknown>
  /** All items, in the order of their places, and what each of them is kept apart by. */
  readonly items: ReadonlyArray<{ readonly place: string; readonly id: string; readonly item: A }>
}

/** A page of such a list. */
export const pageOfShort = <A>(
  query: PageQuery,
  { list, items }: ShortListOptions<A>
): Effect.Effect<Page<A>, InvalidInput> => {
  const limit = query.limit ?? defaultLimit
  const mark = fingerprint([list, "short"])
  const position =
    query.page === undefined
      ? Effect.succeed(undefined)
      : decodeCursor(query.page, mark, [idColumn, idColumn])
  return Effect.map(position, (after) => {
    const [place, id] = (after ?? ["", ""]) as readonly [string, string]
    const rest = items.filter((item) => item.place > place || (item.place === place && item.id > id))
    const shown = rest.slice(0, limit)
    const last = shown.at(-1)
    return {
      items: shown.map(({ item }) => item),
      count: items.length,
      ...(rest.length > limit && last !== undefined
        ? { next: { page: encodeCursor(mark, [last.place, last.id]) } }
        : {})
    }
  })
}

const idColumn: Table.Column<unknown> = { kind: "text", nullable: false }

const Cursor = Schema.fromJsonString(
  Schema.Tuple([Schema.String, Schema.Array(Schema.Union([Schema.String, Schema.Int, Schema.Boolean]))])
)
const decodeJson = Schema.decodeUnknownResult(Cursor)

const encodeCursor = (mark: string, position: ReadonlyArray<Where.Scalar>): string =>
  Base64Url.encode(JSON.stringify([mark, position]))

const decodeCursor = (
  cursor: string,
  mark: string,
  columns: ReadonlyArray<Table.Column<unknown>>
): Effect.Effect<ReadonlyArray<Where.Scalar>, InvalidInput> => {
  const decoded = Result.flatMap(Base64Url.decodeString(cursor), decodeJson)
  if (Result.isFailure(decoded)) return Effect.fail(notACursor)
  const [itsMark, position] = decoded.success
  if (itsMark !== mark) {
    return Effect.fail(InvalidInput.at("page", "is of another list, filter or order; start again without it"))
  }
  const fits = position.length === columns.length && columns.every((column, i) => holds(column, position[i]))
  return fits ? Effect.succeed(position) : Effect.fail(notACursor)
}

const notACursor = InvalidInput.at("page", "is not a page of a list; take it from next.page")

/** A cursor is only text from outside: what a store could choke on is no position. */
const holds = (column: Table.Column<unknown>, value: unknown): boolean => {
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

/** Tells lists apart that a cursor could be mixed up between: a guard against mistakes, not against forgery. */
const fingerprint = (list: unknown): string => (Hash.string(JSON.stringify(list)) >>> 0).toString(36)
