/** What differs between the databases that speak SQL: everything else of a store is written once. */
import type { Table } from "@lectern/core"
import type { SqlError } from "effect/sql/SqlError"

/** A database's own way of saying things. */
export interface Dialect {
  readonly name: "sqlite" | "postgres"
  /** The placeholder of the parameter with this number, from 1 on. */
  readonly parameter: (number: number) => string
  /** A condition that a column is one of the values of one parameter, which {@link Dialect.list} made. */
  readonly isIn: (column: string, kind: Table.ColumnKind, parameter: string) => string
  /** Values as one parameter. */
  readonly list: (values: ReadonlyArray<unknown>) => unknown
  /** The position of one text in another, 1 for the first; 0 where it is not in it. */
  readonly position: (text: string, part: string) => string
  /** The type of a column in a definition. */
  readonly columnType: (kind: Table.ColumnKind) => string
  /** What follows the brackets of a table's definition. */
  readonly tableOptions: string
  /** A boolean as the database takes it. */
  readonly boolean: (value: boolean) => unknown
  /** The most parameters of one statement. */
  readonly maximumParameters: number
  /** How a transaction begins that can write. */
  readonly begin: string
  /** Waits until no other process migrates the database; undefined where a transaction that writes is enough. */
  readonly lockMigrations: string | undefined
  /** Whether an error is about rows that refer to others. Other errors are told by their reason. */
  readonly isReferenceViolation: (error: SqlError) => boolean
}
