/** `lectern serve`: runs the server. On an empty database, it creates the first organization. */
import { Administration, BackgroundWork } from "@lectern/core"
import { Console, Effect, type Option, Redacted } from "effect"
import { Command } from "effect/cli"
import { nodeFetcher } from "../fetcher/nodeFetcher.ts"
import { serve as listen } from "../server/serve.ts"
import { displayDatabaseUrl } from "../settings/DatabaseUrl.ts"
import * as Setting from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { reportMissingConverters } from "./converters.ts"
import { common, inWorkspace, required } from "./settings.ts"

/** The flags of what is created on an empty database. */
export const bootstrapFlags = {
  organization: Setting.flagOf(Settings.organization),
  adminEmail: Setting.flagOf(Settings.adminEmail),
  adminToken: Setting.flagOf(Settings.adminToken)
}

/** Creates the first organization in an empty database and prints how to continue. A new token is printed once. */
export const bootstrap = Effect.fnUntraced(function* (
  flags: { readonly [K in keyof typeof bootstrapFlags]: Option.Option<string> },
  baseUrl: string
) {
  const organization = yield* required(Settings.organization, flags.organization)
  const email = yield* required(Settings.adminEmail, flags.adminEmail)
  const secret = yield* Setting.readSetting(Settings.adminToken, flags.adminToken)
  const administration = yield* Administration
  const made = yield* administration.bootstrap({
    input: { organization, email, ...(secret === undefined ? {} : { secret }) }
  })
  if (made === undefined) return false
  yield* Console.log(`Created the organization "${organization}". Its administrator is ${email}.`)
  const token = secret === undefined ? Redacted.value(made.secret) : "$LECTERN_ADMIN_TOKEN"
  if (secret === undefined) yield* Console.log(`API token (it is not shown again):\n\n  ${token}\n`)
  yield* Console.log(`Try it:\n\n  curl -H "Authorization: Bearer ${token}" ${baseUrl}/v1/orgs\n`)
  return true
})

/** The address of the server when no public URL is configured: the one that it listens on. */
const reachable = (host: string, port: number): string => {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
  return `http://${name}:${port}`
}

export const serve = Command.make(
  "serve",
  {
    ...common,
    host: Setting.flagOf(Settings.host),
    port: Setting.flagOf(Settings.port),
    publicUrl: Setting.flagOf(Settings.publicUrl),
    corsOrigins: Setting.flagOf(Settings.corsOrigins),
    secret: Setting.flagOf(Settings.secret),
    fetchAllow: Setting.flagOf(Settings.fetchAllow),
    ...bootstrapFlags
  },
  Effect.fnUntraced(function* (flags) {
    const host = yield* required(Settings.host, flags.host)
    const port = yield* required(Settings.port, flags.port)
    const given = yield* Setting.readSetting(Settings.publicUrl, flags.publicUrl)
    const secret = yield* Setting.readSetting(Settings.secret, flags.secret)
    const allow = Settings.listOf(yield* required(Settings.fetchAllow, flags.fetchAllow))
    const cors = Settings.listOf(yield* required(Settings.corsOrigins, flags.corsOrigins))
    const publicUrl = (given ?? reachable(host, port)).replace(/\/+$/, "")
    const { database, workspace, logging } = yield* inWorkspace(
      flags,
      publicUrl,
      secret,
      nodeFetcher({ allow })
    )

    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* bootstrap(flags, publicUrl)
        yield* Effect.forkScoped(Effect.flatMap(BackgroundWork, ({ forever }) => forever))
        const address = yield* listen({ host, port, cors, logRequests: true })
        const url = port === 0 ? reachable(host, address.port) : publicUrl
        yield* Console.log(
          `Lectern serves ${displayDatabaseUrl(database)} at ${url} (reference: ${url}/docs). Ctrl+C stops it.`
        )
        yield* reportMissingConverters
        return yield* Effect.never
      })
    ).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withDescription(
    "Run the server. On an empty database, it first creates an organization, and an administrator with an API token."
  ),
  Command.withExamples([
    { command: "lectern serve", description: "Serve ./data/lectern.db at http://127.0.0.1:4400" },
    {
      command: "lectern serve --database-url postgres://user:password@localhost/lectern --port 8080",
      description: "Serve a PostgreSQL database"
    }
  ])
)
