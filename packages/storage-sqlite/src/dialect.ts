/** The dialect of SQLite. */
import { type Dialect, maximumRaisedVersions } from "@lectern/storage-sql"
import { classifyError } from "./classify.ts"
import { createFullText, fullTextNames, search } from "./fullText.ts"

const types = { text: "TEXT", integer: "INTEGER", boolean: "INTEGER", json: "TEXT", bytes: "BLOB" } as const

/** Prefixes that need no escaping. */
const prefixPattern = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

/** Returns the prefix, or throws a `TypeError` if it is not valid. */
const validatePrefix = (prefix: string): string => {
  if (prefix === "") return prefix
  if (!prefixPattern.test(prefix)) {
    throw new TypeError(
      `\`prefix\` must be up to 63 of the characters A-Z, a-z, 0-9 and "_", and must not begin with a digit; it is ${JSON.stringify(prefix)}.`
    )
  }
  if (prefix.toLowerCase().startsWith("sqlite_")) {
    throw new TypeError(`\`prefix\` must not begin with "sqlite_": SQLite reserves these names.`)
  }
  return prefix
}

/** Options of {@link createDialect}. */
export interface SqliteDialectOptions {
  /**
   * The prefix of the name of every table, index and trigger of Lectern, such as `lectern_`: up to 63 ASCII letters,
   * digits and `_`, not beginning with a digit or with `sqlite_`. Empty by default. SQLite ignores the case of names,
   * so `A_` and `a_` are the same prefix.
   */
  readonly prefix?: string | undefined
}

/**
 * Returns the dialect of SQLite for tables with a prefix.
 *
 * Throws a `TypeError` if `prefix` is not valid.
 */
export const createDialect = (options: SqliteDialectOptions = {}): Dialect => {
  const prefix = validatePrefix(options.prefix ?? "")
  const prefixed = (name: string) => `"${prefix}${name}"`
  const unprefixed = (name: string) => (prefix === "" ? name : `substr(${name}, ${prefix.length + 1})`)
  const hasPrefix = (name: string) =>
    prefix === "" ? "TRUE" : `lower(substr(${name}, 1, ${prefix.length})) = '${prefix.toLowerCase()}'`
  return {
    name: "sqlite",
    family: "sqlite",
    hasCaseInsensitiveNames: true,
    table: prefixed,
    index: prefixed,
    schema: undefined,
    nameConflictRemedy:
      'Set the option `prefix` to a prefix for the names of Lectern\'s tables, such as `sqlite({ filename, prefix: "lectern_" })`.',
    concurrency: 1,
    placeholder: () => "?",
    inList: (column, _kind, parameter) => `${column} IN (SELECT "value" FROM json_each(${parameter}))`,
    encodeList: (values) => JSON.stringify(values),
    position: (text, part) => `instr(${text}, ${part})`,
    columnType: (kind) => types[kind],
    tableOptions: " STRICT, WITHOUT ROWID",
    // A table without row ids stores at most a quarter of a page per row in place, and the rest in overflow pages of its own.
    fullTextTableOptions: " STRICT",
    // SQLite generates the values of an integer key in a table with row ids.
    generatedKey: { columnOptions: "", tableOptions: " STRICT" },
    encodeBoolean: (value) => (value ? 1 : 0),
    // RESTRICT checks references immediately, before a cascade has removed other rows that refer to the target.
    onDeleteRestrict: "ON DELETE NO ACTION",
    deferConstraints: undefined,
    literal: (value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)),
    selectRows: (columns, parameter) => {
      const values = Object.entries(columns).map(([name, { kind }]) =>
        kind === "bytes" ? `unhex("value" ->> '${name}')` : `"value" ->> '${name}'`
      )
      // Without `WHERE`, the parser reads the `ON` of a following `ON CONFLICT` as a join condition.
      return `SELECT ${values.join(", ")} FROM json_each(${parameter}) WHERE TRUE`
    },
    // `data_version` changes with commits of other connections, `total_changes` with writes of this one (in memory).
    snapshot: `SELECT "data_version" || ' ' || total_changes() AS "snapshot" FROM pragma_data_version`,
    raisedVersions: (versions) =>
      // The file of an earlier state has lower positions.
      `SELECT CASE WHEN "last"."position" < CAST(?1 AS INTEGER) THEN 'former' ELSE 'same' END AS "server", CAST("last"."position" AS TEXT) AS "position", v."scope", v."version" ` +
      `FROM (SELECT coalesce(max("position"), 0) AS "position" FROM ${versions}) "last" ` +
      `LEFT JOIN ${versions} v ON v."position" > CAST(?1 AS INTEGER) LIMIT ${maximumRaisedVersions + 1}`,
    firstPosition: "0",
    createFullText: createFullText(prefixed),
    fullTextNames,
    search: search(prefixed),
    beginSerializable: undefined,
    // A second connection reads the snapshot: see `SqliteClient.openSnapshot`.
    beginReadOnly: undefined,
    locking: undefined,
    lockMigrations: undefined,
    skipLocked: undefined,
    // The page is written at the commit, although its content is unchanged.
    probe: (history, hasFailed) => [
      `INSERT INTO ${history} VALUES (0, 'probe', ${hasFailed ? "hex(randomblob(524288))" : "''"})`,
      `DELETE FROM ${history} WHERE "number" = 0`
    ],
    classify: classifyError,
    introspection: {
      columns:
        `SELECT ${unprefixed('t."name"')} AS "table", c."name", c."type", NOT c."notnull" AS "nullable" ` +
        `FROM sqlite_schema t, pragma_table_info(t."name") c WHERE t."type" = 'table' AND ${hasPrefix('t."name"')}`,
      indexes:
        `SELECT ${unprefixed('t."name"')} AS "table", ` +
        "CASE WHEN i.\"origin\" = 'pk' THEN 'key' WHEN i.\"unique\" THEN 'unique' ELSE 'index' END AS \"kind\", " +
        '(SELECT group_concat(x."name", \',\' ORDER BY x."seqno") FROM pragma_index_info(i."name") x) AS "columns" ' +
        `FROM sqlite_schema t, pragma_index_list(t."name") i WHERE t."type" = 'table' AND ${hasPrefix('t."name"')} ` +
        // The key of a table with row ids has no index.
        `UNION ALL SELECT ${unprefixed('t."name"')}, 'key', c."name" ` +
        `FROM sqlite_schema t, pragma_table_info(t."name") c WHERE t."type" = 'table' AND ${hasPrefix('t."name"')} ` +
        `AND c."pk" = 1 AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t."name") i WHERE i."origin" = 'pk')`,
      references:
        `SELECT ${unprefixed('t."name"')} AS "table", f."from" AS "column", ${unprefixed('f."table"')} AS "target", ` +
        "CASE f.\"on_delete\" WHEN 'CASCADE' THEN 'cascade' ELSE 'restrict' END AS \"onRemove\" " +
        `FROM sqlite_schema t, pragma_foreign_key_list(t."name") f WHERE t."type" = 'table' AND ${hasPrefix('t."name"')}`,
      names:
        `SELECT ${unprefixed('"name"')} AS "name", "type" AS "kind" FROM sqlite_schema ` +
        `WHERE "type" IN ('table', 'view', 'index') AND ${hasPrefix('"name"')}`
    }
  }
}

/** The dialect of SQLite for tables without a prefix. */
export const dialect: Dialect = createDialect()
