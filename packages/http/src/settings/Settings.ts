/** Every setting of the server and of the command line, declared once. */
import { CreateOrganization, Email } from "@lectern/core"
import { Schema } from "effect"
import { destinations } from "../fetcher/Destinations.ts"
import { DatabaseUrl } from "./DatabaseUrl.ts"
import { defineSetting } from "./Setting.ts"

const Port = Schema.FiniteFromString.check(
  Schema.makeFilter((port: number) =>
    Number.isInteger(port) && port >= 0 && port <= 65535 ? undefined : "must be a port, 0 to 65535"
  )
)

/** The entries of a setting that is a list, divided by commas. */
export const listOf = (setting: string): ReadonlyArray<string> =>
  setting
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

const atLeast = (characters: number) =>
  Schema.RedactedFromValue(
    Schema.String.check(
      Schema.makeFilter((text: string) =>
        text.length >= characters ? undefined : `must have at least ${characters} characters`
      )
    )
  )

const PublicUrl = Schema.String.check(
  Schema.makeFilter((text: string) =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
      ? undefined
      : "must be an http or https address"
  )
)

/** Where the workspace is kept. */
export const databaseUrl = defineSetting({
  flag: "database-url",
  description: "The database: sqlite:<file>, sqlite::memory: or postgres://….",
  schema: DatabaseUrl,
  fallback: "sqlite:./data/lectern.db",
  also: "DATABASE_URL",
  secret: true
})

/** The address that the server listens on. */
export const host = defineSetting({
  flag: "host",
  description: "The address to listen on; 0.0.0.0 for all.",
  schema: Schema.NonEmptyString,
  fallback: "127.0.0.1"
})

/** The port that the server listens on. */
export const port = defineSetting({
  flag: "port",
  description: "The port to listen on; 0 for any that is free.",
  schema: Port,
  fallback: "4400",
  also: "PORT"
})

/** The base of every address in answers. */
export const publicUrl = defineSetting({
  flag: "public-url",
  description:
    "The base of every address in answers, where a proxy stands in front. Follows host and port by itself.",
  schema: PublicUrl
})

/** The origins of web pages that may call the API. */
export const corsOrigins = defineSetting({
  flag: "cors-origins",
  description: "Origins of web pages that may call the API, divided by commas; * for any, none by default.",
  schema: Schema.String,
  fallback: ""
})

/** Who administrates an organization that is made on an empty database. */
export const adminEmail = defineSetting({
  flag: "admin-email",
  description: "The e-mail address of the first administrator, on an empty database.",
  schema: Email,
  fallback: "admin@lectern.local"
})

/** The first administrator's token. */
export const adminToken = defineSetting({
  flag: "admin-token",
  description:
    "The API token of the first administrator, on an empty database: 32 characters or more. One is made where it is left out.",
  schema: atLeast(32),
  secret: true
})

/** The title of an organization that is made on an empty database. */
export const organization = defineSetting({
  flag: "organization",
  description: "The title of the first organization, on an empty database.",
  schema: CreateOrganization.fields.title,
  fallback: "My organization"
})

/** What addresses that need no token are signed with. */
export const secret = defineSetting({
  flag: "secret",
  description:
    "Signs addresses that need no token: 32 characters or more, the same in every process. One is made and kept in the database where it is left out.",
  schema: atLeast(32),
  secret: true
})

/** Where the server may fetch from, besides public addresses. */
export const fetchAllow = defineSetting({
  flag: "fetch-allow",
  description:
    "Private addresses that the server may fetch from: networks (10.0.0.0/8) and hosts, divided by commas.",
  schema: Schema.String.check(
    Schema.makeFilter((text: string) => {
      try {
        destinations(listOf(text))
        return undefined
      } catch (error) {
        if (error instanceof RangeError)
          return `must be networks or hosts, divided by commas: ${error.message}`
        throw error
      }
    })
  ),
  fallback: ""
})

/** The least important messages that are logged. */
export const logLevel = defineSetting({
  flag: "log-level",
  description: "The least important messages that are logged.",
  schema: Schema.Literals(["all", "trace", "debug", "info", "warn", "error", "fatal", "none"]),
  fallback: "info"
})

/** How messages are logged. */
export const logFormat = defineSetting({
  flag: "log-format",
  description: "How it is logged: pretty, for people, or json, a line for each message.",
  schema: Schema.Literals(["pretty", "json"]),
  fallback: "pretty"
})
