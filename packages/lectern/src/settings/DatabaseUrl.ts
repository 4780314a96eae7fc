/** The database of a workspace: its URL, and the prefix or schema of Lectern's tables. */
import { Effect, Redacted, Schema, SchemaGetter, SchemaIssue } from "effect"
import type { PostgresConnectionOptions } from "./postgresSettings.ts"

/** The URL of a database: a SQLite file, SQLite in memory (`:memory:`), or a PostgreSQL server. */
export type DatabaseUrl =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }

/** A database, with the prefix (SQLite) or the schema (PostgreSQL) of Lectern's tables in it. */
export type Database =
  | {
      readonly _tag: "Sqlite"
      readonly filename: string
      readonly prefix: string | undefined
      readonly integrityCheck: "require" | "report" | "skip" | undefined
    }
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted<string>
      readonly schema: string | undefined
      readonly options: PostgresConnectionOptions
    }

const expectedForm =
  "must be sqlite:<file>, sqlite::memory: or postgres://<user>:<password>@<host>:<port>/<database>"

/**
 * Returns the path in the URL of a SQLite file: `sqlite:data.db`, `sqlite:/data.db`, `sqlite:///data.db`, and on Windows also
 * `sqlite:C:\data.db` and `sqlite:///C:/data.db`, where the slash before the drive is not part of the path.
 */
export const sqliteFilename = (url: string, platform: NodeJS.Platform = process.platform): string => {
  const path = url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "")
  return platform === "win32" ? path.replace(/^\/(?=[A-Za-z]:[\\/])/, "") : path
}

const parseDatabaseUrl = (text: string): DatabaseUrl | undefined => {
  if (text.startsWith("sqlite:")) {
    const filename = sqliteFilename(text)
    return filename === "" ? undefined : { _tag: "Sqlite", filename }
  }
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname } = new URL(text)
  return (protocol === "postgres:" || protocol === "postgresql:") && hostname !== ""
    ? { _tag: "Postgres", url: Redacted.make(text) }
    : undefined
}

/** Decodes the URL of a database. The path of a SQLite file is relative to the working directory. */
export const DatabaseUrl: Schema.Codec<DatabaseUrl, string> = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare((_: unknown): _ is DatabaseUrl => true),
    {
      decode: SchemaGetter.transformEffect((text: string) => {
        const url = parseDatabaseUrl(text)
        return url === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: expectedForm }))
          : Effect.succeed(url)
      }),
      encode: SchemaGetter.transform((url: DatabaseUrl) =>
        url._tag === "Sqlite" ? `sqlite:${url.filename}` : Redacted.value(url.url)
      )
    }
  )
)

/** Formats a database for messages: its URL without the password, and its prefix or schema. */
export const displayDatabase = (database: Database): string => {
  if (database._tag === "Sqlite") {
    const prefix = database.prefix === undefined ? "" : ` (prefix ${database.prefix})`
    return `sqlite:${database.filename}${prefix}`
  }
  const url = new URL(Redacted.value(database.url))
  url.password = ""
  return `${url}${database.schema === undefined ? "" : ` (schema ${database.schema})`}`
}
