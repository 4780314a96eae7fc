/** A statement as it is put together: its text, and the parameters in their order. */
import type { Table, Where } from "@lectern/core"
import { Hex } from "effect/encoding"
import type { Dialect } from "./Dialect.ts"

/** Puts a name into double quotes. Names come from declarations, never from outside. */
export const quote = (name: string): string => `"${name}"`

/** Names, quoted and divided by commas. */
export const names = (columns: ReadonlyArray<string>): string => columns.map(quote).join(", ")

/** A value of a column as it is stored: JSON is text, of which null is one where the column is never null. */
export const encode = (column: Table.Column<unknown>, value: unknown): unknown =>
  column.kind === "json" && !(value === null && column.nullable) ? JSON.stringify(value) : value

/** A value of a column as it goes into JSON: bytes are written in hexadecimal, for the dialect to read. */
export const encodeText = (column: Table.Column<unknown>, value: unknown): unknown =>
  value instanceof Uint8Array ? Hex.encode(value) : encode(column, value)

/** How many conditions stand in one row. SQLite takes each for a level, and goes down 1000. */
const longestChain = 100

/** Collects the parameters of one statement while its text is written. */
export class Statement {
  readonly parameters: Array<unknown> = []
  readonly dialect: Dialect

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** The placeholder of a value. */
  value(value: unknown): string {
    this.parameters.push(typeof value === "boolean" ? this.dialect.boolean(value) : value)
    return this.dialect.parameter(this.parameters.length)
  }

  /** The placeholder of a value of a column. */
  columnValue(column: Table.Column<unknown>, value: unknown): string {
    return this.value(encode(column, value))
  }

  /** A condition on rows of a table. Comparing with null is never true, and `IS NOT TRUE` is true then. */
  where(table: Table.AnyTable, where: Where.AnyWhere): string {
    switch (where.op) {
      case "all":
        return "TRUE"
      case "eq":
        return `${quote(where.column)} = ${this.value(where.value)}`
      case "lt":
        return `${quote(where.column)} < ${this.value(where.value)}`
      case "lte":
        return `${quote(where.column)} <= ${this.value(where.value)}`
      case "gt":
        return `${quote(where.column)} > ${this.value(where.value)}`
      case "gte":
        return `${quote(where.column)} >= ${this.value(where.value)}`
      case "in": {
        const { kind } = table.columns[where.column]!
        const values =
          kind === "boolean"
            ? where.values.map((value) => this.dialect.boolean(value as boolean))
            : where.values
        return this.dialect.isIn(quote(where.column), kind, this.value(this.dialect.list(values)))
      }
      case "contains":
        return `${this.dialect.position(quote(where.column), this.value(where.value))} > 0`
      case "isNull":
        return `${quote(where.column)} IS NULL`
      case "and":
        return this.join(table, where.conditions, " AND ", "TRUE")
      case "or":
        return this.join(table, where.conditions, " OR ", "FALSE")
      case "not":
        return `(${this.where(table, where.condition)}) IS NOT TRUE`
      case "inSelect": {
        const { table: other, select } = where
        return `${quote(where.column)} IN (SELECT ${quote(select)} FROM ${this.dialect.table(other.name)} WHERE ${this.where(other, where.where)})`
      }
    }
  }

  private join(
    table: Table.AnyTable,
    conditions: ReadonlyArray<Where.AnyWhere>,
    operator: string,
    ofNone: string
  ): string {
    if (conditions.length === 0) return ofNone
    if (conditions.length <= longestChain) {
      return `(${conditions.map((condition) => this.where(table, condition)).join(operator)})`
    }
    const middle = conditions.length >> 1
    const first = this.join(table, conditions.slice(0, middle), operator, ofNone)
    return `(${first}${operator}${this.join(table, conditions.slice(middle), operator, ofNone)})`
  }
}
