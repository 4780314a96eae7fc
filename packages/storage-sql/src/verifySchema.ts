/** Compares the schema of a database with table declarations. */
import type { Table } from "@lectern/kernel"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { orderedIndexColumns } from "./Definition.ts"
import type { Dialect } from "./Dialect.ts"

/** The properties of a table as strings, which are equal if its declaration and the database agree. */
type Facts = ReadonlySet<string>

const columnFact = (name: string, type: string, nullable: boolean): string =>
  `column ${name} ${type}${nullable ? "" : " NOT NULL"}`

const indexFact = (kind: "key" | "unique" | "index", columns: ReadonlyArray<string>): string =>
  `${kind} (${columns.join(", ")})`

const referenceFact = (column: string, target: string, onRemove: string): string =>
  `reference from ${column} to ${target} (${onRemove})`

const declaredFacts = (dialect: Dialect, table: Table.AnyTable): Facts =>
  new Set([
    ...Object.entries(table.columns).map(([name, { kind, nullable }]) =>
      columnFact(name, dialect.columnType(kind), nullable)
    ),
    indexFact("key", table.key),
    ...table.unique.map((columns) => indexFact("unique", columns)),
    ...table.indexes.map((columns) => indexFact("index", orderedIndexColumns(table, columns))),
    ...Object.entries(table.references).flatMap(([column, reference]) =>
      reference === undefined ? [] : [referenceFact(column, reference.table().name, reference.onRemove)]
    )
  ])

/**
 * Compares a database with table declarations and returns a sentence for each difference. Ignores tables that are not
 * declared, and the defaults of columns. The tests of the migrations use it to compare their result with the
 * declarations.
 */
export const verifySchema = Effect.fnUntraced(function* (
  dialect: Dialect,
  tables: ReadonlyArray<Table.AnyTable>
): Effect.fn.Return<ReadonlyArray<string>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { columns, indexes, references } = dialect.introspection
  const found = new Map<string, Set<string>>()
  const addFact = (table: string, fact: string) => {
    const facts = found.get(table)
    if (facts === undefined) found.set(table, new Set([fact]))
    else facts.add(fact)
  }
  for (const row of yield* sql.unsafe<ColumnRow>(columns).unprepared) {
    addFact(row.table, columnFact(row.name, row.type, row.nullable === 1))
  }
  for (const row of yield* sql.unsafe<IndexRow>(indexes).unprepared) {
    addFact(row.table, indexFact(row.kind, row.columns.split(",")))
  }
  for (const row of yield* sql.unsafe<ReferenceRow>(references).unprepared) {
    addFact(row.table, referenceFact(row.column, row.target, row.onRemove))
  }
  return tables.flatMap((table) => {
    const facts = found.get(table.name)
    if (facts === undefined) return [`Table \`${table.name}\` does not exist.`]
    const expected = declaredFacts(dialect, table)
    return [
      ...[...expected]
        .filter((fact) => !facts.has(fact))
        .map((fact) => `Table \`${table.name}\`: missing ${fact}.`),
      ...[...facts]
        .filter((fact) => !expected.has(fact))
        .map((fact) => `Table \`${table.name}\`: unexpected ${fact}.`)
    ]
  })
})

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: number
}

interface IndexRow {
  readonly table: string
  readonly kind: "key" | "unique" | "index"
  readonly columns: string
}

interface ReferenceRow {
  readonly table: string
  readonly column: string
  readonly target: string
  readonly onRemove: "restrict" | "cascade"
}
