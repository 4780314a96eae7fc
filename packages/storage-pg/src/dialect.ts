/** The dialect of PostgreSQL. Text is ordered by bytes (`COLLATE "C"`), which in UTF-8 is the order of code points. */
import { type Dialect, maximumRaisedVersions } from "@lectern/storage-sql"
import { classifyError } from "./classify.ts"
import { createFullText, fullTextNames, search } from "./fullText.ts"
import { createLocking } from "./locking.ts"

const types = {
  text: `TEXT COLLATE "C"`,
  integer: "BIGINT",
  boolean: "BOOLEAN",
  json: "TEXT",
  bytes: "BYTEA"
} as const

/** Types for casts and record definitions, which do not accept a collation. */
const typesWithoutCollation = { ...types, text: "TEXT" } as const

/** The key of the advisory lock that a migrating process holds. An arbitrary number, specific to Lectern. */
const migrationLockKey = 5_320_846

/** Returns the expression for the comma-separated names of a relation's columns, from an array of their numbers. */
const columnNames = (numbers: string, relation: string): string =>
  `(SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(${numbers}) WITH ORDINALITY k("number", place) ` +
  `JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = k."number")`

/** Schema names that need no escaping, within PostgreSQL's limit of 63 bytes. */
const schemaPattern = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/

/** Returns the schema, or throws a `TypeError` if it is not valid. */
const validateSchema = (schema: string | undefined): string | undefined => {
  if (schema === undefined) return undefined
  if (!schemaPattern.test(schema)) {
    throw new TypeError(
      `\`schema\` must be 1 to 63 of the characters A-Z, a-z, 0-9, "_" and "-", and must not begin with a digit or "-"; it is ${JSON.stringify(schema)}.`
    )
  }
  if (schema.startsWith("pg_") || schema === "information_schema") {
    throw new TypeError(`\`schema\` must not be ${JSON.stringify(schema)}: PostgreSQL reserves this name.`)
  }
  return schema
}

/** Options of {@link createDialect}. */
export interface PgDialectOptions {
  /**
   * The schema of Lectern's tables, which is created if it does not exist: 1 to 63 ASCII letters, digits, `_` and `-`,
   * case-sensitive, not beginning with a digit, `-` or `pg_`. Every statement is qualified with it. By default, tables
   * are found and created through the connection's `search_path`, normally in `public`.
   */
  readonly schema?: string | undefined
  /**
   * The maximum time that a command waits for the lock of a space or an organization, in milliseconds; 20,000 by default.
   * Then it fails with `StorageUnavailable` and the reason `Contention`.
   */
  readonly lockTimeoutMs?: number | undefined
}

/**
 * Returns the dialect of PostgreSQL for tables in a schema.
 *
 * Throws a `TypeError` if `schema` is not a valid name.
 */
export const createDialect = (options: PgDialectOptions = {}): Dialect => {
  const schema = validateSchema(options.schema)
  const qualify = (name: string) => (schema === undefined ? `"${name}"` : `"${schema}"."${name}"`)
  const namespace = schema === undefined ? "current_schema()::regnamespace" : `'"${schema}"'::regnamespace`
  const inSchema = (relation: string) => `${relation}.relnamespace = ${namespace}`
  return {
    name: "postgres",
    family: "postgres",
    hasCaseInsensitiveNames: false,
    table: qualify,
    index: (name) => `"${name}"`,
    schema:
      schema === undefined
        ? undefined
        : {
            exists: `SELECT 1 AS "last" FROM pg_namespace WHERE nspname = '${schema}'`,
            create: `CREATE SCHEMA "${schema}"`
          },
    nameConflictRemedy:
      'Set the option `schema` to the name of a separate schema for Lectern\'s tables, such as `postgres({ url, schema: "lectern" })`.',
    concurrency: "unbounded",
    placeholder: (number) => `$${number}`,
    inList: (column, kind, parameter) => `${column} = ANY(${parameter}::${typesWithoutCollation[kind]}[])`,
    // The planner assumes an array of 10 values if it does not know them.
    assumedListLength: 10,
    // The driver infers the type of an array from its values, and uses different types for small and large integers.
    encodeList: (values) => values.map((value) => (typeof value === "number" ? BigInt(value) : value)),
    position: (text, part) => `strpos(${text}, ${part})`,
    columnType: (kind) => types[kind],
    tableOptions: "",
    fullTextTableOptions: "",
    generatedKey: { columnOptions: " GENERATED ALWAYS AS IDENTITY", tableOptions: "" },
    encodeBoolean: (value) => value,
    // RESTRICT checks references immediately: it would reject a removal if a referring row is removed by the cascade of
    // another of its references.
    onDeleteRestrict: "ON DELETE NO ACTION DEFERRABLE",
    // `ALL` would also check constraints that a host has deferred in its transaction.
    deferConstraints: (constraints) => {
      const names = constraints.map((name) => (schema === undefined ? `"${name}"` : `"${schema}"."${name}"`))
      return [`SET CONSTRAINTS ${names.join(", ")} DEFERRED`, `SET CONSTRAINTS ${names.join(", ")} IMMEDIATE`]
    },
    literal: (value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)),
    selectRows: (columns, parameter) => {
      const entries = Object.entries(columns)
      const fields = entries.map(
        ([name, { kind }]) =>
          `"${name}" ${kind === "bytes" ? typesWithoutCollation.text : typesWithoutCollation[kind]}`
      )
      const values = entries.map(([name, { kind }]) =>
        kind === "bytes" ? `decode("${name}", 'hex')` : `"${name}"`
      )
      return `SELECT ${values.join(", ")} FROM json_to_recordset(${parameter}::json) AS "rows" (${fields.join(", ")})`
    },
    // A promoted replica that lost commits uses their transaction numbers again. Its start time differs from that of the server
    // that it replaces, so a snapshot of one is never taken for one of the other.
    snapshot: `SELECT pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text AS "snapshot"`,
    // The versions whose transactions the former snapshot does not see. The index excludes the versions from before
    // the oldest transaction that was open.
    raisedVersions: (versions) =>
      `SELECT "now"."server", "now"."position", v."scope", v."version" ` +
      `FROM (SELECT extract(epoch FROM pg_postmaster_start_time())::text AS "server", pg_current_snapshot()::text AS "position") "now" ` +
      `LEFT JOIN ${versions} v ON v."position" >= pg_snapshot_xmin($1::text::pg_snapshot)::text::bigint ` +
      `AND NOT pg_visible_in_snapshot(v."position"::text::xid8, $1::text::pg_snapshot) LIMIT ${maximumRaisedVersions + 1}`,
    // It sees all transactions.
    firstPosition: "9223372036854775807:9223372036854775807:",
    createFullText: createFullText(qualify),
    fullTextNames,
    search: search(qualify),
    beginSerializable: "BEGIN ISOLATION LEVEL SERIALIZABLE",
    // A snapshot consists of committed transactions, so it satisfies every invariant that they preserve.
    beginReadOnly: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    locking: createLocking(schema, options.lockTimeoutMs),
    lockMigrations: `SELECT pg_advisory_xact_lock(${migrationLockKey})`,
    skipLocked: " FOR UPDATE SKIP LOCKED",
    // Creating a file and writing its first page fails on a full disk; an insert into a table with free space does not.
    // A role without the privilege `TEMPORARY` writes to a table instead.
    probe: (history) => [
      `DO $$ BEGIN
        CREATE TEMPORARY TABLE "lecternProbe" ON COMMIT DROP AS SELECT 1 AS "id";
      EXCEPTION WHEN insufficient_privilege THEN
        INSERT INTO ${history} VALUES (0, 'probe', '');
        DELETE FROM ${history} WHERE "number" = 0;
      END $$`
    ],
    classify: classifyError,
    introspection: {
      columns:
        'SELECT t.relname AS "table", a.attname AS "name", (NOT a.attnotnull)::int AS "nullable", ' +
        "upper(format_type(a.atttypid, a.atttypmod)) || " +
        `coalesce((SELECT ' COLLATE "' || c.collname || '"' FROM pg_collation c ` +
        `WHERE c.oid = a.attcollation AND c.collname <> 'default'), '') AS "type" ` +
        "FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped " +
        // Generated columns are not declared.
        `WHERE t.relkind IN ('r', 'p') AND a.attgenerated = '' AND ${inSchema("t")}`,
      indexes:
        'SELECT t.relname AS "table", ' +
        `CASE WHEN i.indisprimary THEN 'key' WHEN i.indisunique THEN 'unique' ELSE 'index' END AS "kind", ` +
        `${columnNames("i.indkey", "t.oid")} AS "columns" ` +
        `FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_class c ON c.oid = i.indexrelid ` +
        `JOIN pg_am m ON m.oid = c.relam WHERE m.amname = 'btree' AND ${inSchema("t")}`,
      references:
        `SELECT t.relname AS "table", ${columnNames("r.conkey", "t.oid")} AS "column", o.relname AS "target", ` +
        `CASE WHEN r.confdeltype = 'c' THEN 'cascade' WHEN r.condeferrable THEN 'restrict' ELSE 'restrict immediately' END AS "onRemove", ` +
        `CASE WHEN r.condeferrable AND NOT r.condeferred THEN r.conname END AS "deferrable" ` +
        "FROM pg_constraint r JOIN pg_class t ON t.oid = r.conrelid JOIN pg_class o ON o.oid = r.confrelid " +
        `WHERE r.contype = 'f' AND ${inSchema("t")}`,
      // Each table also defines a type, so its name conflicts with enumerations and domains of the host.
      names:
        `SELECT c.relname AS "name", CASE c.relkind WHEN 'i' THEN 'index' WHEN 'I' THEN 'index' WHEN 'v' THEN 'view' ` +
        `WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' WHEN 'c' THEN 'type' ELSE 'table' END AS "kind" ` +
        `FROM pg_class c WHERE ${inSchema("c")} ` +
        `UNION ALL SELECT y.typname, 'type' FROM pg_type y WHERE y.typrelid = 0 AND y.typnamespace = ${namespace}`
    }
  }
}

/** The dialect of PostgreSQL for tables that the connection's `search_path` finds. */
export const dialect: Dialect = createDialect()
