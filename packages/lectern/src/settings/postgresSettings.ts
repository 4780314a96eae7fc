/** Declares the settings of the connections to PostgreSQL. */
import { type Redacted, Schema } from "effect"
import { defineSetting, type Setting } from "./Setting.ts"

/** A positive integer, as PostgreSQL's settings in milliseconds. */
export const PositiveInteger = Schema.FiniteFromString.check(
  Schema.makeFilter((value: number) =>
    Number.isInteger(value) && value >= 1 && value <= 2_147_483_647
      ? undefined
      : "must be an integer from 1 to 2147483647"
  )
)

const ServerUrl = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
        ? undefined
        : "must be postgres://<user>:<password>@<host>:<port>/<database>"
    )
  )
)

/** The options of connections, which `PgStorage.layer` accepts. */
export interface PostgresConnectionOptions {
  readonly maxConnections?: number | undefined
  readonly maxWaiting?: number | undefined
  readonly acquireTimeoutMs?: number | undefined
  readonly statementTimeoutMs?: number | undefined
  readonly lockTimeoutMs?: number | undefined
  readonly preparedStatements?: boolean | undefined
  readonly listenUrl?: Redacted.Redacted<string> | undefined
}

/** The settings of connections, by the names of the options of `PgStorage.layer`. */
export const postgresSettings = {
  maxConnections: defineSetting({
    flag: "database-max-connections",
    description: "PostgreSQL only: the maximum number of connections of this process. By default, 10.",
    schema: PositiveInteger
  }),
  maxWaiting: defineSetting({
    flag: "database-max-waiting",
    description:
      "PostgreSQL only: the maximum number of requests that wait for a connection. By default, 1000. More fail with 503.",
    schema: PositiveInteger
  }),
  acquireTimeoutMs: defineSetting({
    flag: "database-acquire-timeout-ms",
    description: "PostgreSQL only: the maximum wait for a connection, in milliseconds. By default, 10000.",
    schema: PositiveInteger
  }),
  statementTimeoutMs: defineSetting({
    flag: "database-statement-timeout-ms",
    description: "PostgreSQL only: the maximum duration of a statement, in milliseconds. By default, 30000.",
    schema: PositiveInteger
  }),
  lockTimeoutMs: defineSetting({
    flag: "database-lock-timeout-ms",
    description:
      "PostgreSQL only: the maximum wait for a lock in a transaction, in milliseconds. By default, 20000.",
    schema: PositiveInteger
  }),
  preparedStatements: defineSetting({
    flag: "database-prepared-statements",
    description:
      "PostgreSQL only: true or false. Poolers in transaction mode that do not support prepared statements require false. By default, true.",
    schema: Schema.Literals(["true", "false"])
  }),
  listenUrl: defineSetting({
    flag: "database-listen-url",
    description:
      "PostgreSQL with a pooler only: the URL of the server itself, on which workers listen for jobs. Without it, they poll.",
    schema: ServerUrl,
    isSecret: true
  })
} as const satisfies { readonly [K in keyof Required<PostgresConnectionOptions>]: Setting<unknown> }
