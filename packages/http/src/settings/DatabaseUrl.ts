/** Where the workspace is kept, as an address. */
import { Effect, Redacted, Schema, SchemaGetter, SchemaIssue } from "effect"

/** A database: a SQLite file, SQLite in memory, or a PostgreSQL server. */
export type DatabaseUrl =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted<string> }

const expected =
  "must be sqlite:<file>, sqlite::memory: or postgres://<user>:<password>@<host>:<port>/<database>"

/** Reads a database from its address. A SQLite file is relative to the working directory. */
const parseDatabaseUrl = (text: string): DatabaseUrl | undefined => {
  if (text.startsWith("sqlite:")) {
    const filename = text.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "")
    return filename === "" ? undefined : { _tag: "Sqlite", filename }
  }
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname } = new URL(text)
  return (protocol === "postgres:" || protocol === "postgresql:") && hostname !== ""
    ? { _tag: "Postgres", url: Redacted.make(text) }
    : undefined
}

/** The schema of such an address. */
export const DatabaseUrl: Schema.Codec<DatabaseUrl, string> = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare((_: unknown): _ is DatabaseUrl => true),
    {
      decode: SchemaGetter.transformEffect((text: string) => {
        const url = parseDatabaseUrl(text)
        return url === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ message: expected }))
          : Effect.succeed(url)
      }),
      encode: SchemaGetter.transform((url: DatabaseUrl) =>
        url._tag === "Sqlite" ? `sqlite:${url.filename}` : Redacted.value(url.url)
      )
    }
  )
)

/** The address with its password left out, for messages. */
export const displayDatabaseUrl = (url: DatabaseUrl): string => {
  if (url._tag === "Sqlite") return `sqlite:${url.filename}`
  const shown = new URL(Redacted.value(url.url))
  shown.password = ""
  return shown.toString()
}
