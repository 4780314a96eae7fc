/**
 * Adds the versions that caches of rows depend on, and the triggers that raise them in the transaction of a change. On PostgreSQL, the
 * index of the words of pages collects new entries, and adds them together.
 */
import type { DialectFamily } from "../Dialect.ts"
import { raw, type SchemaChange } from "../SchemaChange.ts"

/** The table of versions. It has no declaration, and backups do not have it: its rows describe the state of one database. */
export const cacheVersionsTable = "lecternVersions"

/** Returns the expression for the name of a scope of a row; null for a row without it. */
type Scope = (family: DialectFamily, row: "old" | "new") => string

const named =
  (kind: string, column: string): Scope =>
  (_, row) =>
    `'${kind}:' || ${row}."${column}"`

/** One of 1,024 groups of rows, by the end of their id, which is random: the table does not grow with each session. */
const group =
  (kind: string): Scope =>
  (family, row) =>
    `'${kind}:' || ${family === "sqlite" ? `substr(${row}."id", -2)` : `right(${row}."id", 2)`}`

/** The host name that a site is served at by a proxy. */
const host: Scope = (family, row) =>
  family === "sqlite"
    ? `'host:' || substr(${row}."proxy", 1, instr(${row}."proxy" || '/', '/') - 1)`
    : `'host:' || split_part(${row}."proxy", '/', 1)`

const organization = named("organization", "organization")
const site = named("site", "site")

type Event = "INSERT" | "UPDATE" | "DELETE"

/** The scopes whose version changes with a table. */
interface Rule {
  readonly table: string
  readonly scopes: ReadonlyArray<Scope>
  readonly events: ReadonlyArray<Event>
  /** The columns whose new values change the version; all by default. */
  readonly columns?: ReadonlyArray<string>
}

const all: ReadonlyArray<Event> = ["INSERT", "UPDATE", "DELETE"]

const ofSite = (table: string): Rule => ({ table, scopes: [site], events: all })

const rules: ReadonlyArray<Rule> = [
  { table: "apiTokens", scopes: [group("token")], events: ["UPDATE", "DELETE"] },
  { table: "sessions", scopes: [group("session")], events: ["UPDATE", "DELETE"] },
  { table: "spaces", scopes: [named("space", "id")], events: all },
  {
    table: "spaces",
    scopes: [organization],
    events: all,
    columns: [
      "organization",
      "title",
      "emoji",
      "icon",
      "parent",
      "position",
      "path",
      "defaultLevel",
      "level",
      "editMode",
      "mergeRules",
      "deletedAt",
      "published"
    ]
  },
  { table: "members", scopes: [organization], events: all, columns: ["role", "disabled", "ssoMissing"] },
  { table: "teamMembers", scopes: [organization], events: all, columns: ["organization"] },
  { table: "grants", scopes: [organization], events: all },
  {
    table: "installations",
    scopes: [organization],
    events: all,
    columns: ["organization", "spaceSelection", "siteSelection"]
  },
  { table: "contentInstallations", scopes: [organization], events: all, columns: ["organization"] },
  {
    table: "openApiSpecs",
    scopes: [organization],
    events: all,
    columns: ["organization", "slug", "lastVersion"]
  },
  { table: "sites", scopes: [named("site", "id"), organization, host], events: all },
  ofSite("siteSpaces"),
  ofSite("siteSections"),
  ofSite("siteSectionGroups"),
  ofSite("siteSettings"),
  ofSite("shareLinks"),
  ofSite("siteSpaceCustomizations")
]

const rowsOf = (event: Event): ReadonlyArray<"old" | "new"> =>
  event === "INSERT" ? ["new"] : event === "DELETE" ? ["old"] : ["old", "new"]

/** Returns the condition of a trigger, which the rule's columns restrict. */
const whenClause = ({ columns }: Rule, event: Event, differs: string): string =>
  event === "UPDATE" && columns !== undefined
    ? ` WHEN (${columns.map((name) => `old."${name}" ${differs} new."${name}"`).join(" OR ")})`
    : ""

type QualifyName = (name: string) => string

const sqliteTrigger = (table: QualifyName, rule: Rule, number: number, event: Event): string => {
  const versions = table(cacheVersionsTable)
  const raise = (scope: string) =>
    `INSERT INTO ${versions} ("scope", "version", "position") ` +
    `SELECT ${scope}, abs(random() % 9007199254740991), (SELECT coalesce(max("position"), 0) + 1 FROM ${versions}) ` +
    `WHERE ${scope} IS NOT NULL ` +
    `ON CONFLICT ("scope") DO UPDATE SET "version" = excluded."version", "position" = excluded."position";`
  const scopes = rule.scopes.flatMap((scope) => rowsOf(event).map((row) => scope("sqlite", row)))
  return (
    `CREATE TRIGGER ${table(`lecternRaise_${number}_${event.toLowerCase()}`)} AFTER ${event} ON ${table(rule.table)}` +
    `${whenClause(rule, event, "IS NOT")} BEGIN ${scopes.map(raise).join(" ")} END`
  )
}

/** The function of a rule. A row that the event does not have is null, and so are the names of its scopes. */
const postgresFunction = (table: QualifyName, rule: Rule, number: number): string => {
  const versions = table(cacheVersionsTable)
  const scopes = rule.scopes.flatMap((scope) => [scope("postgres", "old"), scope("postgres", "new")])
  return (
    `CREATE FUNCTION ${table(`lecternRaise_${number}`)}() RETURNS trigger LANGUAGE plpgsql AS $raise$ BEGIN ` +
    `INSERT INTO ${versions} AS v ("scope", "version", "position") ` +
    `SELECT s, floor(random() * 9007199254740991)::bigint, pg_current_xact_id()::text::bigint ` +
    // In one order, so that transactions that raise the same versions do not wait for each other in a circle.
    `FROM (SELECT DISTINCT unnest(ARRAY[${scopes.join(", ")}]) COLLATE "C" AS s) "scopes" WHERE s IS NOT NULL ORDER BY s ` +
    `ON CONFLICT ("scope") DO UPDATE SET "version" = excluded."version", "position" = excluded."position" ` +
    // The first change of a transaction has raised it for the others.
    `WHERE v."position" <> excluded."position"; ` +
    `RETURN NULL; END $raise$`
  )
}

const postgresTrigger = (table: QualifyName, rule: Rule, number: number, event: Event): string =>
  `CREATE TRIGGER "lecternRaise_${number}_${event.toLowerCase()}" AFTER ${event} ON ${table(rule.table)} FOR EACH ROW` +
  `${whenClause(rule, event, "IS DISTINCT FROM")} EXECUTE FUNCTION ${table(`lecternRaise_${number}`)}()`

/** The changes of the schema. */
export const cacheVersionChanges: ReadonlyArray<SchemaChange> = [
  raw({
    sqlite: (table) => [
      `CREATE TABLE ${table(cacheVersionsTable)} ("scope" TEXT PRIMARY KEY, "version" INTEGER NOT NULL, "position" INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
      `CREATE INDEX ${table(`${cacheVersionsTable}_position`)} ON ${table(cacheVersionsTable)} ("position")`,
      ...rules.flatMap((rule, number) =>
        rule.events.map((event) => sqliteTrigger(table, rule, number, event))
      )
    ],
    postgres: (table) => [
      `CREATE TABLE ${table(cacheVersionsTable)} ("scope" TEXT COLLATE "C" PRIMARY KEY, "version" BIGINT NOT NULL, "position" BIGINT NOT NULL)`,
      `CREATE INDEX "${cacheVersionsTable}_position" ON ${table(cacheVersionsTable)} ("position")`,
      ...rules.flatMap((rule, number) => [
        postgresFunction(table, rule, number),
        ...rule.events.map((event) => postgresTrigger(table, rule, number, event))
      ]),
      // An edit writes all words of its page again. A search reads the collected entries: at most 256 kB.
      `ALTER INDEX ${table("searchParts_words")} SET (fastupdate = on, gin_pending_list_limit = 256)`
    ]
  })
]

/** A change of the versions of organizations with a table, for later migrations. */
export interface RaisedVersions {
  readonly table: string
  /** The scopes, by the column with their id. */
  readonly scopes: ReadonlyArray<"organization" | "site">
  readonly events: ReadonlyArray<Event>
  /** The columns whose new values change the version. */
  readonly columns: ReadonlyArray<string>
}

/** Raises versions also by a rule of a later migration, with a number of its own. */
export const raiseVersions = (number: number, { scopes, ...rule }: RaisedVersions): SchemaChange => {
  const complete: Rule = { ...rule, scopes: scopes.map((column) => named(column, column)) }
  return raw({
    sqlite: (table) => complete.events.map((event) => sqliteTrigger(table, complete, number, event)),
    postgres: (table) => [
      postgresFunction(table, complete, number),
      ...complete.events.map((event) => postgresTrigger(table, complete, number, event))
    ]
  })
}
