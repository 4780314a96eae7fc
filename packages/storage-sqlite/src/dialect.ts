/** How SQLite says things. */
import type { Dialect } from "@lectern/storage-sql"
import { meaning } from "./classify.ts"
import { fullText, search } from "./fullText.ts"

const types = { text: "TEXT", integer: "INTEGER", boolean: "INTEGER", json: "TEXT", bytes: "BLOB" } as const

export const dialect: Dialect = {
  name: "sqlite",
  concurrency: 1,
  parameter: () => "?",
  isIn: (column, _kind, parameter) => `${column} IN (SELECT "value" FROM json_each(${parameter}))`,
  list: (values) => JSON.stringify(values),
  position: (text, part) => `instr(${text}, ${part})`,
  columnType: (kind) => types[kind],
  tableOptions: " STRICT, WITHOUT ROWID",
  boolean: (value) => (value ? 1 : 0),
  // RESTRICT would look at once, before others that refer to a row have gone with it.
  restrict: "ON DELETE NO ACTION",
  aroundRemoval: undefined,
  literal: (value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)),
  rows: (columns, parameter) => {
    const values = Object.entries(columns).map(([name, { kind }]) =>
      kind === "bytes" ? `unhex("value" ->> '${name}')` : `"value" ->> '${name}'`
    )
    // Without a condition, an upsert behind it would be read as a part of a join.
    return `SELECT ${values.join(", ")} FROM json_each(${parameter}) WHERE TRUE`
  },
  // What others commit is told by the version; in memory, where there are no others, what this connection changes.
  snapshot: `SELECT "data_version" || ' ' || total_changes() AS "snapshot" FROM pragma_data_version`,
  fullText,
  search,
  begin: undefined,
  lockMigrations: undefined,
  classify: meaning,
  introspection: {
    columns:
      'SELECT t."name" AS "table", c."name", c."type", NOT c."notnull" AS "nullable" ' +
      'FROM sqlite_schema t, pragma_table_info(t."name") c WHERE t."type" = \'table\'',
    sets:
      'SELECT t."name" AS "table", ' +
      "CASE WHEN i.\"origin\" = 'pk' THEN 'key' WHEN i.\"unique\" THEN 'unique' ELSE 'index' END AS \"kind\", " +
      '(SELECT group_concat(x."name", \',\' ORDER BY x."seqno") FROM pragma_index_info(i."name") x) AS "columns" ' +
      'FROM sqlite_schema t, pragma_index_list(t."name") i WHERE t."type" = \'table\'',
    references:
      'SELECT t."name" AS "table", f."from" AS "column", f."table" AS "target", ' +
      "CASE f.\"on_delete\" WHEN 'CASCADE' THEN 'cascade' ELSE 'restrict' END AS \"onRemove\" " +
      'FROM sqlite_schema t, pragma_foreign_key_list(t."name") f WHERE t."type" = \'table\''
  }
}
