/**
 * The port of a store with the types that tables give to rows. A store has plain rows: the assertions in this module are all that connects
 * the two. Stores return the columns that a query selects, and the doctor compares stored values with their columns.
 */
import type { Effect } from "effect"
import type {
  Change,
  Claim,
  Find,
  PlainRow,
  ReadError,
  RecordsAdapter,
  WriteError,
  WriteOptions
} from "./RecordsAdapter.ts"
import type { Additions, Selected } from "./RecordVerbs.ts"
import type { AnyTable, Changes, Row } from "./Table.ts"
import type { AnyWhere, Where } from "./Where.ts"

type Adapter = RecordsAdapter["Service"]

/** The columns to read, and the other options of a query. */
export interface TableFind<K> extends Omit<Find, "select"> {
  readonly select?: ReadonlyArray<K>
}

/** A change of the rows of a table. */
export interface TableChange<T extends AnyTable> extends Omit<Change, "set" | "add"> {
  readonly set: Changes<T>
  readonly add: Additions<T>
}

/** The rows of a table that a worker claims. */
export interface TableClaim<R> extends Omit<Claim, "where" | "orderBy"> {
  readonly where: Where<R>
  readonly orderBy: ReadonlyArray<keyof R & string>
}

/** The methods of the port that pass rows. */
interface RowMethods {
  find<T extends AnyTable, K extends keyof Row<T>>(
    table: T,
    find: TableFind<K>
  ): Effect.Effect<ReadonlyArray<Selected<Row<T>, K>>, ReadError>
  findBeforeEnd?: <T extends AnyTable, K extends keyof Row<T>>(
    table: T,
    find: TableFind<K>,
    use: (rows: ReadonlyArray<Selected<Row<T>, K>>) => Effect.Effect<void, WriteError>
  ) => Effect.Effect<boolean, ReadError>
  insert<T extends AnyTable>(
    table: T,
    rows: ReadonlyArray<Row<T>>,
    options?: WriteOptions
  ): Effect.Effect<void, WriteError>
  insertMissing<T extends AnyTable>(
    table: T,
    rows: ReadonlyArray<Row<T>>,
    options?: WriteOptions
  ): Effect.Effect<number, WriteError>
  update<T extends AnyTable>(
    table: T,
    where: AnyWhere,
    change: TableChange<T>,
    options?: WriteOptions
  ): Effect.Effect<number, WriteError>
  claim<T extends AnyTable>(
    table: T,
    claim: TableClaim<Row<T>>,
    change: TableChange<T>
  ): Effect.Effect<ReadonlyArray<Row<T>>, WriteError>
}

/** A store whose rows have the types of their tables. */
export interface TableStore extends Omit<Adapter, keyof RowMethods>, RowMethods {}

/** Returns a row as stores receive it. */
export const plainRow = <T extends AnyTable>(row: Row<T>): PlainRow => row as PlainRow

/** Returns a store with the types of tables. */
export const tableStore = (adapter: Adapter): TableStore => adapter as unknown as TableStore
