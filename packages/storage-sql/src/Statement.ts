/** Builds the text of SQL statements and collects their parameters. */
import type { Table, Where } from "@lectern/kernel"
import { Hex } from "effect/encoding"
import type { Dialect } from "./Dialect.ts"

/** Quotes a name. Names come from table declarations, never from input, so they are not escaped. */
export const quoteName = (name: string): string => `"${name}"`

/** Quotes names and joins them with commas. */
export const quoteNames = (columns: ReadonlyArray<string>): string => columns.map(quoteName).join(", ")

/**
 * Encodes a value of a column as a parameter. JSON is stored as text; null is the JSON text `null` unless the column is
 * nullable.
 */
export const encodeValue = (column: Table.Column<unknown>, value: unknown): unknown =>
  column.kind === "json" && !(value === null && column.nullable) ? JSON.stringify(value) : value

/**
 * Encodes a value of a column for a JSON parameter. Bytes are hexadecimal, which {@link Dialect.selectRows} decodes.
 */
export const encodeForJson = (column: Table.Column<unknown>, value: unknown): unknown =>
  value instanceof Uint8Array ? Hex.encode(value) : encodeValue(column, value)

/** The maximum number of conditions to join without parentheses. SQLite limits the depth of an expression to 1000. */
const maxConditionsPerLevel = 100

/** Collects the parameters of one statement while its text is generated. */
export class Statement {
  readonly parameters: Array<unknown> = []
  readonly dialect: Dialect

  constructor(dialect: Dialect) {
    this.dialect = dialect
  }

  /** Adds a parameter and returns its placeholder. */
  value(value: unknown): string {
    this.parameters.push(typeof value === "boolean" ? this.dialect.encodeBoolean(value) : value)
    return this.dialect.placeholder(this.parameters.length)
  }

  /**
   * Adds the maximum number of rows as a parameter, and returns an expression for `LIMIT`. SQLite compiles a statement again
   * for each value of a parameter that is the whole operand of `LIMIT`, which takes longer than most reads.
   */
  limit(limit: number): string {
    return `${this.value(limit)} + 0`
  }

  /** Adds a column's value as a parameter and returns its placeholder. */
  columnValue(column: Table.Column<unknown>, value: unknown): string {
    return this.value(encodeValue(column, value))
  }

  /**
   * Returns a condition on the rows of a table. A comparison with null yields null, so negation is `IS NOT TRUE`, which
   * is true for null.
   */
  where(table: Table.AnyTable, where: Where.AnyWhere): string {
    switch (where.op) {
      case "all":
        return "TRUE"
      case "eq":
        return `${quoteName(where.column)} = ${this.value(where.value)}`
      case "lt":
        return `${quoteName(where.column)} < ${this.value(where.value)}`
      case "lte":
        return `${quoteName(where.column)} <= ${this.value(where.value)}`
      case "gt":
        return `${quoteName(where.column)} > ${this.value(where.value)}`
      case "gte":
        return `${quoteName(where.column)} >= ${this.value(where.value)}`
      case "in": {
        const { kind } = table.columns[where.column]!
        const values =
          kind === "boolean"
            ? where.values.map((value) => this.dialect.encodeBoolean(value as boolean))
            : where.values
        if (values.length === 1) return `${quoteName(where.column)} = ${this.value(values[0])}`
        return this.dialect.inList(
          quoteName(where.column),
          kind,
          this.value(this.dialect.encodeList(this.#padded(values)))
        )
      }
      case "contains":
        return `${this.dialect.position(quoteName(where.column), this.value(where.value))} > 0`
      case "isNull":
        return `${quoteName(where.column)} IS NULL`
      case "and":
        return this.join(table, where.conditions, " AND ", "TRUE")
      case "or":
        return this.join(table, where.conditions, " OR ", "FALSE")
      case "not":
        return `(${this.where(table, where.condition)}) IS NOT TRUE`
      case "inSelect": {
        const { table: other, select } = where
        return `${quoteName(where.column)} IN (SELECT ${quoteName(select)} FROM ${this.dialect.table(other.name)} WHERE ${this.where(other, where.where)})`
      }
    }
  }

  /** Repeats the last value of a short list. */
  #padded(values: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
    const missing = (this.dialect.assumedListLength ?? 1) - values.length
    return values.length === 0 || missing <= 0
      ? values
      : [...values, ...Array.from({ length: missing }, () => values.at(-1))]
  }

  private join(
    table: Table.AnyTable,
    conditions: ReadonlyArray<Where.AnyWhere>,
    operator: string,
    emptyCondition: string
  ): string {
    if (conditions.length === 0) return emptyCondition
    if (conditions.length <= maxConditionsPerLevel) {
      return `(${conditions.map((condition) => this.where(table, condition)).join(operator)})`
    }
    const middle = conditions.length >> 1
    const first = this.join(table, conditions.slice(0, middle), operator, emptyCondition)
    return `(${first}${operator}${this.join(table, conditions.slice(middle), operator, emptyCondition)})`
  }
}
