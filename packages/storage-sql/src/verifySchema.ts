/** Whether a database is what declarations say it is. */
import type { Table } from "@lectern/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { indexColumns } from "./Definition.ts"
import type { Dialect } from "./Dialect.ts"

/** A table as a set of sentences, the same from a declaration and from a database. */
type Facts = ReadonlySet<string>

const columnFact = (name: string, type: string, nullable: boolean): string =>
  `column ${name}: ${type}${nullable ? ", or null" : ""}`

const setFact = (kind: "key" | "unique" | "index", columns: ReadonlyArray<string>): string =>
  `${kind} (${columns.join(", ")})`

const referenceFact = (column: string, target: string, onRemove: string): string =>
  `${column} refers to ${target}, ${onRemove}`

const declared = (dialect: Dialect, table: Table.AnyTable): Facts =>
  new Set([
    ...Object.entries(table.columns).map(([name, { kind, nullable }]) =>
      columnFact(name, dialect.columnType(kind), nullable)
    ),
    setFact("key", table.key),
    ...table.unique.map((columns) => setFact("unique", columns)),
    ...table.indexes.map((columns) => setFact("index", indexColumns(table, columns))),
    ...Object.entries(table.references).flatMap(([column, reference]) =>
      reference === undefined ? [] : [referenceFact(column, reference.table().name, reference.onRemove)]
    )
  ])

/**
 * How the database differs from the declarations, a sentence each; none where it does not. A test asks it of a
 * database that the migrations made, so that the two cannot drift apart. Tables that are not declared are not looked
 * at, and neither are the defaults of columns.
 */
export const verifySchema = Effect.fnUntraced(function* (
  dialect: Dialect,
  tables: ReadonlyArray<Table.AnyTable>
): Effect.fn.Return<ReadonlyArray<string>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const { columns, sets, references } = dialect.introspection
  const found = new Map<string, Set<string>>()
  const note = (table: string, fact: string) => {
    const facts = found.get(table)
    if (facts === undefined) found.set(table, new Set([fact]))
    else facts.add(fact)
  }
  for (const row of yield* sql.unsafe<ColumnRow>(columns).unprepared) {
    note(row.table, columnFact(row.name, row.type, row.nullable === 1))
  }
  for (const row of yield* sql.unsafe<SetRow>(sets).unprepared) {
    note(row.table, setFact(row.kind, row.columns.split(",")))
  }
  for (const row of yield* sql.unsafe<ReferenceRow>(references).unprepared) {
    note(row.table, referenceFact(row.column, row.target, row.onRemove))
  }
  return tables.flatMap((table) => {
    const facts = found.get(table.name)
    if (facts === undefined) return [`${table.name} is not in the database.`]
    const expected = declared(dialect, table)
    return [
      ...[...expected].filter((fact) => !facts.has(fact)).map((fact) => `${table.name} lacks ${fact}.`),
      ...[...facts]
        .filter((fact) => !expected.has(fact))
        .map((fact) => `${table.name} has ${fact}, undeclared.`)
    ]
  })
})

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: number
}

interface SetRow {
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
