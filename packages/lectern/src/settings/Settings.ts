/** Declares every setting of the server and of the command line. */
import { CreateOrganization, Email, type WorkspaceSecret } from "@lectern/core"
import { createDestinationFilter, type TrustedProxies } from "@lectern/http"
import { parseProxyNetworks, parsePublicHosts } from "@lectern/http/server"
import { Effect, Redacted, Schema, SchemaGetter, SchemaIssue } from "effect"
import { DatabaseUrl } from "./DatabaseUrl.ts"
import { PositiveInteger } from "./postgresSettings.ts"
import { defineSetting } from "./Setting.ts"

/** Returns the entries of a setting that is a comma-separated list. */
export const parseList = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")

const Port = Schema.FiniteFromString.check(
  Schema.makeFilter((port: number) =>
    Number.isInteger(port) && port >= 0 && port <= 65535 ? undefined : "must be a port, 0 to 65535"
  )
)

const SecretKey = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) => (text.length >= 32 ? undefined : "must have at least 32 characters"))
  )
)

/** An `http:` or `https:` URL. */
export const HttpUrl = Schema.String.check(
  Schema.makeFilter((text: string) =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
      ? undefined
      : "must be an http or https URL"
  )
)

const TablePrefix = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^(?!sqlite_)[a-z_][a-z0-9_]{0,62}$/i.test(text)
      ? undefined
      : "must be 1 to 63 ASCII letters, digits and _, and must not begin with a digit or with sqlite_"
  )
)

const SchemaName = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^(?!pg_|information_schema$)[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(text)
      ? undefined
      : "must be 1 to 63 ASCII letters, digits, _ and -, must not begin with a digit, - or pg_, and must not be information_schema"
  )
)

const Destinations = Schema.String.check(
  Schema.makeFilter((text: string) => {
    try {
      createDestinationFilter(parseList(text))
      return undefined
    } catch (error) {
      if (error instanceof RangeError) return `must be comma-separated networks or hosts: ${error.message}`
      throw error
    }
  })
)

/** The address of the database. */
export const databaseUrl = defineSetting({
  flag: "database-url",
  description:
    "The database: sqlite:<file>, sqlite::memory: or postgres://<user>:<password>@<host>/<database>.",
  schema: DatabaseUrl,
  fallback: "sqlite:./data/lectern.db",
  isSecret: true
})

/** The prefix of Lectern's tables in a SQLite database that other programs use too. */
export const databasePrefix = defineSetting({
  flag: "database-prefix",
  description:
    "SQLite only: the prefix of the names of Lectern's tables, such as lectern_, in a file that has other tables too.",
  schema: TablePrefix
})

/** What to do with a corrupt SQLite file. */
export const databaseCheck = defineSetting({
  flag: "database-check",
  description:
    "SQLite only: require (default) does not open a corrupt file of up to 1 GiB, and rejects writes when corruption is found later. report logs the corruption and continues. skip does not check the file at start.",
  schema: Schema.Literals(["require", "report", "skip"])
})

/** The schema of Lectern's tables in a PostgreSQL database that other programs use too. */
export const databaseSchema = defineSetting({
  flag: "database-schema",
  description:
    "PostgreSQL only: the schema of Lectern's tables, created if it does not exist. By default, the first of the search_path.",
  schema: SchemaName
})

/** The address that the server listens on. */
export const host = defineSetting({
  flag: "host",
  description: "The address to listen on; 0.0.0.0 for all interfaces.",
  schema: Schema.NonEmptyString,
  fallback: "127.0.0.1"
})

/** The port that the server listens on. */
export const port = defineSetting({
  flag: "port",
  description: "The port to listen on; 0 for a free port that the system chooses.",
  schema: Port,
  fallback: "4400",
  platformVariable: "PORT"
})

/** The public URL of the server, the base of all URLs in responses. */
export const publicUrl = defineSetting({
  flag: "public-url",
  description:
    "The public URL of the server, if it is behind a proxy: the base of all URLs in responses. By default, host and port.",
  schema: HttpUrl
})

const Proxies: Schema.Codec<TrustedProxies, string> = Schema.String.pipe(
  Schema.decodeTo(
    Schema.declare((_: unknown): _ is TrustedProxies => true),
    {
      decode: SchemaGetter.transformEffect(
        (text: string): Effect.Effect<TrustedProxies, SchemaIssue.Issue> => {
          if (/^\d{1,2}$/.test(text)) return Effect.succeed(Number(text))
          const entries = parseList(text)
          return Effect.mapError(
            Effect.try({ try: () => parseProxyNetworks(entries), catch: String }),
            () =>
              new SchemaIssue.InvalidValue({
                message: "must be comma-separated IP addresses and networks, or a number"
              })
          ).pipe(Effect.as(entries))
        }
      ),
      encode: SchemaGetter.transform((proxies: TrustedProxies) =>
        typeof proxies === "number" ? String(proxies) : proxies.join(",")
      )
    }
  )
)

/** The proxies whose reports about clients the server accepts. */
export const trustedProxies = defineSetting({
  flag: "trusted-proxies",
  description:
    "The proxies whose Forwarded and X-Forwarded-For headers apply: comma-separated addresses and networks (10.0.0.0/8), or the number of proxies that every request passes. None by default.",
  schema: Proxies,
  fallback: ""
})

const PublicHosts = Schema.String.check(
  Schema.makeFilter((text: string) => {
    try {
      parsePublicHosts(parseList(text))
      return undefined
    } catch (error) {
      if (error instanceof RangeError) return `must be comma-separated host names: ${error.message}`
      throw error
    }
  })
)

/** The hosts that links in responses can have, besides that of the public URL. */
export const publicHosts = defineSetting({
  flag: "public-hosts",
  description:
    "The hosts that trusted proxies receive requests for, if there are several: comma-separated names such as docs.example.com, *.example.com or * for all. Links in responses then have the host, the scheme and the prefix of Forwarded or X-Forwarded-*. None by default: links begin with the public URL.",
  schema: PublicHosts,
  fallback: ""
})

/** The origins of web pages that can call the API from a browser. */
export const corsOrigins = defineSetting({
  flag: "cors-origins",
  description: "Comma-separated origins of web pages that can call the API; * for all. None by default.",
  schema: Schema.String,
  fallback: ""
})

/** The e-mail address of the administrator who is created in an empty database. */
export const adminEmail = defineSetting({
  flag: "admin-email",
  description: "Empty database only: the e-mail address of the first administrator.",
  schema: Email,
  fallback: "admin@lectern.local"
})

/** The API token of the administrator who is created in an empty database. */
export const adminToken = defineSetting({
  flag: "admin-token",
  description:
    "Empty database only: the API token of the first administrator, at least 32 characters. By default, one is generated and printed once.",
  schema: SecretKey,
  isSecret: true
})

/** The title of the organization that is created in an empty database. */
export const organization = defineSetting({
  flag: "organization",
  description: "Empty database only: the title of the first organization.",
  schema: CreateOrganization.fields.title,
  fallback: "My organization"
})

/** The key that signs download URLs and encrypts stored secrets. */
export const secret = defineSetting({
  flag: "secret",
  description:
    "The key that signs download URLs and encrypts stored secrets: at least 32 characters, the same in every process. By default, one is generated and stored in the database.",
  schema: SecretKey,
  isSecret: true
})

const parseSecrets = (text: string): ReadonlyArray<WorkspaceSecret> =>
  parseList(text).map((entry) => {
    const end = entry.indexOf(":")
    return { id: entry.slice(0, end), secret: Redacted.make(entry.slice(end + 1)) }
  })

const Secrets: Schema.Codec<ReadonlyArray<WorkspaceSecret>, string> = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const entries = parseList(text)
    if (entries.length === 0 || entries.some((entry) => !/^[\w-]{1,32}:.{32,}$/.test(entry))) {
      return "must be comma-separated secrets of at least 32 characters, each after its id, as in 2:<new>,1:<old>"
    }
    const ids = parseSecrets(text).map(({ id }) => id)
    return new Set(ids).size === ids.length ? undefined : "must have different ids"
  })
).pipe(
  Schema.decodeTo(
    Schema.declare((_: unknown): _ is ReadonlyArray<WorkspaceSecret> => true),
    {
      decode: SchemaGetter.transform(parseSecrets),
      encode: SchemaGetter.transform((secrets: ReadonlyArray<WorkspaceSecret>) =>
        secrets.map(({ id, secret }) => `${id}:${Redacted.value(secret)}`).join(",")
      )
    }
  )
)

/** The secrets of the workspace, for rotation. */
export const secrets = defineSetting({
  flag: "secrets",
  description:
    "Secrets with ids, to replace the secret without losing data: the first signs and encrypts, the others and LECTERN_SECRET verify and decrypt, as in 2:<new>,1:<old>. `lectern secrets rotate` re-encrypts stored values.",
  schema: Secrets,
  isSecret: true
})

/** The token of `/metrics`. */
export const metricsToken = defineSetting({
  flag: "metrics-token",
  description:
    "The token with which /metrics can be read on the port of the API, and on the metrics port if it is set: at least 32 characters. Without it, /metrics is not on the port of the API.",
  schema: SecretKey,
  isSecret: true
})

/** The port of `/metrics`. */
export const metricsPort = defineSetting({
  flag: "metrics-port",
  description: "A separate port for /metrics, for monitoring within a private network. None by default.",
  schema: Port
})

/** The address of the port of `/metrics`. */
export const metricsHost = defineSetting({
  flag: "metrics-host",
  description: "The address of the metrics port; 0.0.0.0 for all interfaces.",
  schema: Schema.NonEmptyString,
  fallback: "127.0.0.1"
})

/** The duration from which operations are logged with their statements. */
export const slowOperationMs = defineSetting({
  flag: "slow-operation-ms",
  description:
    "The duration in milliseconds from which an operation is logged with its statements, at level warn. 0 logs none.",
  schema: Schema.FiniteFromString.check(
    Schema.isBetween(
      { minimum: 0, maximum: 3_600_000 },
      { message: "must be a number of milliseconds, 0 to 3600000" }
    )
  ),
  fallback: "1000"
})

/** Private destinations that the server can fetch from, in addition to public addresses. */
export const fetchAllow = defineSetting({
  flag: "fetch-allow",
  description:
    "Comma-separated private networks (10.0.0.0/8) and hosts that the server can fetch from. Only public addresses by default.",
  schema: Destinations,
  fallback: ""
})

/** The number of background jobs that run concurrently. */
export const jobConcurrency = defineSetting({
  flag: "job-concurrency",
  description: "The maximum number of background jobs that this process runs concurrently.",
  schema: PositiveInteger,
  fallback: "4"
})

/** The folder that the server adds backups to. */
export const backupTo = defineSetting({
  flag: "backup-to",
  description: "The folder that the server adds backups of the workspace to, at intervals. None by default.",
  schema: Schema.NonEmptyString
})

const BackupHours = Schema.FiniteFromString.check(
  Schema.isBetween({ minimum: 0.1, maximum: 8_760 }, { message: "must be a number of hours, 0.1 to 8760" })
)

/** The time between two backups of the server. */
export const backupIntervalHours = defineSetting({
  flag: "backup-interval-hours",
  description: "The time from one backup of the server to the next, in hours, 0.1 to 8760.",
  schema: BackupHours,
  fallback: "24"
})

/** How many backups remain in the folder of the server. */
export const backupKeep = defineSetting({
  flag: "backup-keep",
  description: "How many backups remain in the folder of --backup-to. Older ones are deleted.",
  schema: PositiveInteger,
  fallback: "7"
})

/** The minimum level of messages that are logged. */
export const logLevel = defineSetting({
  flag: "log-level",
  description: "The minimum level of messages that are logged.",
  schema: Schema.Literals(["all", "trace", "debug", "info", "warn", "error", "fatal", "none"]),
  fallback: "info"
})

/** The format of the log. */
export const logFormat = defineSetting({
  flag: "log-format",
  description:
    "The format of the log: pretty, for terminals, json, one object per line, or auto: pretty if the output is a terminal, else json.",
  schema: Schema.Literals(["auto", "pretty", "json"]),
  fallback: "auto"
})
