/** How PostgreSQL says things. Text is in the order of its bytes, which for UTF-8 is that of its code points. */
import type { Dialect } from "@lectern/storage-sql"
import { meaning } from "./classify.ts"
import { fullText, search } from "./fullText.ts"

const types = {
  text: `TEXT COLLATE "C"`,
  integer: "BIGINT",
  boolean: "BOOLEAN",
  json: "TEXT",
  bytes: "BYTEA"
} as const

/** The types of values, where no collation can be said. */
const plain = { ...types, text: "TEXT" } as const

/** Taken while one process migrates; the number only has to be ours. */
const migrationLock = 5_320_846

const columnNames = (numbers: string, relation: string): string =>
  `(SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(${numbers}) WITH ORDINALITY k("number", place) ` +
  `JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k."number")`

const inSchema = (relation: string): string => `${relation}.relnamespace = current_schema()::regnamespace`

export const dialect: Dialect = {
  name: "postgres",
  concurrency: "unbounded",
  parameter: (number) => `$${number}`,
  isIn: (column, kind, parameter) => `${column} = ANY(${parameter}::${plain[kind]}[])`,
  // The driver takes the type of an array from its values, and small and large integers are two types to it.
  list: (values) => values.map((value) => (typeof value === "number" ? BigInt(value) : value)),
  position: (text, part) => `strpos(${text}, ${part})`,
  columnType: (kind) => types[kind],
  tableOptions: "",
  boolean: (value) => value,
  // Where a row refers twice, to be kept and to go along, PostgreSQL would look before the one that goes has gone.
  restrict: "ON DELETE NO ACTION DEFERRABLE",
  aroundRemoval: ["SET CONSTRAINTS ALL DEFERRED", "SET CONSTRAINTS ALL IMMEDIATE"],
  literal: (value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)),
  rows: (columns, parameter) => {
    const all = Object.entries(columns)
    const fields = all.map(([name, { kind }]) => `"${name}" ${kind === "bytes" ? plain.text : plain[kind]}`)
    const values = all.map(([name, { kind }]) =>
      kind === "bytes" ? `decode("${name}", 'hex')` : `"${name}"`
    )
    return `SELECT ${values.join(", ")} FROM json_to_recordset(${parameter}::json) AS "rows" (${fields.join(", ")})`
  },
  snapshot: `SELECT pg_current_snapshot()::text AS "snapshot"`,
  fullText,
  search,
  begin: "BEGIN ISOLATION LEVEL SERIALIZABLE",
  lockMigrations: `SELECT pg_advisory_xact_lock(${migrationLock})`,
  classify: meaning,
  introspection: {
    columns:
      'SELECT t.relname AS "table", a.attname AS "name", (NOT a.attnotnull)::int AS "nullable", ' +
      "upper(format_type(a.atttypid, a.atttypmod)) || " +
      `coalesce((SELECT ' COLLATE "' || c.collname || '"' FROM pg_collation c ` +
      `WHERE c.oid = a.attcollation AND c.collname <> 'default'), '') AS "type" ` +
      "FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped " +
      // What the database computes by itself is no column of a declaration.
      `WHERE t.relkind IN ('r', 'p') AND a.attgenerated = '' AND ${inSchema("t")}`,
    sets:
      'SELECT t.relname AS "table", ' +
      `CASE WHEN i.indisprimary THEN 'key' WHEN i.indisunique THEN 'unique' ELSE 'index' END AS "kind", ` +
      `${columnNames("i.indkey", "t.oid")} AS "columns" ` +
      `FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_class c ON c.oid = i.indexrelid ` +
      `JOIN pg_am m ON m.oid = c.relam WHERE m.amname = 'btree' AND ${inSchema("t")}`,
    references:
      `SELECT t.relname AS "table", ${columnNames("r.conkey", "t.oid")} AS "column", o.relname AS "target", ` +
      `CASE WHEN r.confdeltype = 'c' THEN 'cascade' WHEN r.condeferrable THEN 'restrict' ELSE 'restrict at once' END AS "onRemove" ` +
      "FROM pg_constraint r JOIN pg_class t ON t.oid = r.conrelid JOIN pg_class o ON o.oid = r.confrelid " +
      `WHERE r.contype = 'f' AND ${inSchema("t")}`
  }
}
