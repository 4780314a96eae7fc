/** `lectern migrate gitbook`: copies an organization through the API of the hosted product. */
import { randomUUID } from "node:crypto"
import { BackgroundWork } from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { withFolderLock } from "../backup/folderLock.ts"
import { type ApiClient, makeApiClient } from "../migrate/ApiClient.ts"
import { type Part, skippableParts } from "../migrate/Context.ts"
import { openJournal } from "../migrate/Journal.ts"
import { migrateOrganization } from "../migrate/migrateOrganization.ts"
import { formatPlan, readPlan } from "../migrate/plan.ts"
import { type MigrationResult, makeReport, resultOf, writeReport } from "../migrate/Report.ts"
import { fetchTransport, type Transport } from "../migrate/Transport.ts"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import * as MigrateSettings from "../settings/MigrateSettings.ts"
import { ConfigurationError, readRequiredSetting, readSetting, settingFlag } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { openLocalTarget } from "./localTarget.ts"
import { jsonFlag, printResult } from "./output.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"

/** The exit code if something was not copied. */
const incompleteExitCode = 2

const backoffMillis = 500

const report = (message: string): Effect.Effect<void> => Console.error(message)

/** The URL of a server without a slash, and its host with the port, which the fetcher can reach. */
const serverOf = (url: string) => ({ baseUrl: url.replace(/\/+$/, ""), host: new URL(url).host })

const parseParts = Effect.fnUntraced(function* (text: string) {
  const parts = Settings.parseList(text)
  const unknown = parts.filter((part) => !skippableParts.some((known) => known === part))
  if (unknown.length > 0) {
    return yield* new ConfigurationError({
      message: `--skip must be some of ${skippableParts.join(", ")}, separated by commas, not ${unknown.join(", ")}.`
    })
  }
  return new Set(parts as ReadonlyArray<Part>)
})

/** Finds the organization that is copied: the given one, or the only one of the token. */
const findOrganization = Effect.fnUntraced(function* (
  api: ApiClient,
  given: Option.Option<string>,
  flag: string
) {
  if (Option.isSome(given)) return given.value
  const organizations = yield* Effect.mapError(
    api.list("/orgs"),
    ({ message }) =>
      new ConfigurationError({ message: `The organizations of the token cannot be read: ${message}` })
  )
  const [only] = organizations
  if (only !== undefined && organizations.length === 1) return only.id
  const choices = organizations.map(({ id, title }) => `${id} (${String(title)})`).join(", ")
  return yield* new ConfigurationError({
    message: `The token can read ${organizations.length} organizations: choose one with --${flag}. ${choices}`
  })
})

const readSource = Effect.fnUntraced(function* (
  flags: { readonly fromUrl: Option.Option<string>; readonly fromToken: Option.Option<string> },
  concurrency: number,
  allow: ReadonlyArray<string>
) {
  const { baseUrl, host } = serverOf(yield* readRequiredSetting(MigrateSettings.fromUrl, flags.fromUrl))
  const token = yield* readSetting(MigrateSettings.fromToken, flags.fromToken)
  if (token === undefined) {
    return yield* new ConfigurationError({
      message: "LECTERN_FROM_TOKEN or --from-token must be set: an API token of the source."
    })
  }
  const transport = fetchTransport(nodeFetcher({ allow: [...allow, host] }))
  const api = yield* makeApiClient({ transport, baseUrl, token, concurrency, backoffMillis, onWait: report })
  return { api, baseUrl }
})

const makeTarget = (transport: Transport, baseUrl: string, token: string | undefined, concurrency: number) =>
  makeApiClient({ transport, baseUrl, token, concurrency, backoffMillis, onWait: report })

const formatResult = ({ copied, findings }: MigrationResult, folder: string): string => {
  const counts = Object.entries(copied).filter(([, count]) => count > 0)
  const missing = findings.filter(({ kind }) => kind === "missing").length
  return [
    `Copied ${counts.map(([kind, count]) => `${count} ${kind.replace("-", " ")}${count === 1 ? "" : "s"}`).join(", ")}.`,
    missing === 0
      ? "Nothing is missing."
      : `${missing} findings name missing resources. Repeat the command to try again.`,
    `The report is ${folder}/report.md.`
  ].join("\n")
}

const flags = {
  fromUrl: settingFlag(MigrateSettings.fromUrl),
  fromToken: settingFlag(MigrateSettings.fromToken),
  organization: Flag.String("organization").pipe(
    Flag.withDescription("The id of the organization that is copied; by default the only one of the token"),
    Flag.optional
  ),
  toUrl: settingFlag(MigrateSettings.toServerUrl),
  toToken: settingFlag(MigrateSettings.toToken),
  toOrganization: Flag.String("to-organization").pipe(
    Flag.withDescription("The id of the organization that is copied to; by default the only one"),
    Flag.optional
  ),
  folder: Flag.String("folder").pipe(
    Flag.withDescription("The folder of the journal and of the report; a repeated command continues from it"),
    Flag.withDefault("lectern-migration")
  ),
  skip: Flag.String("skip").pipe(
    Flag.withDescription(`Parts that are not copied, separated by commas: ${skippableParts.join(", ")}`),
    Flag.withDefault("")
  ),
  concurrency: Flag.Int("concurrency").pipe(
    Flag.withDescription("The number of concurrent requests to the source, 1 to 16"),
    Flag.withDefault(4)
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Print what would be copied, and write nothing"),
    Flag.withDefault(false)
  ),
  fetchAllow: settingFlag(Settings.fetchAllow),
  json: jsonFlag,
  ...workspaceFlags
}

type MigrateFlags = Command.Command.Config.Infer<typeof flags>

/** The target of a migration. */
interface Target {
  readonly api: ApiClient
  readonly organization: string
  /** The server or the database, in the journal. */
  readonly name: string
}

/** Copies the organization to a target, and writes and prints the report. */
const runMigration = Effect.fnUntraced(function* (
  source: { readonly api: ApiClient; readonly baseUrl: string; readonly organization: string },
  target: Target,
  { folder, skip, concurrency, json }: MigrateFlags
) {
  const skipped = yield* parseParts(skip)
  const journal = yield* openJournal(
    folder,
    {
      from: source.baseUrl,
      fromOrganization: source.organization,
      to: target.name,
      toOrganization: target.organization
    },
    randomUUID()
  )
  const findings = makeReport(journal)
  yield* migrateOrganization({
    source: source.api,
    target: target.api,
    journal,
    report: findings,
    concurrency,
    retryMillis: backoffMillis,
    skipped,
    progress: report
  }).pipe(Effect.ensuring(Effect.suspend(() => writeReport(folder, resultOf(journal, findings)))))
  const result = resultOf(journal, findings)
  yield* printResult(json, { folder, ...result }, formatResult(result, folder))
  if (result.findings.some(({ kind }) => kind === "missing")) process.exitCode = incompleteExitCode
})

export const migrateGitBook = Command.make(
  "gitbook",
  flags,
  Effect.fnUntraced(function* (all: MigrateFlags) {
    const { concurrency, folder } = all
    if (concurrency < 1 || concurrency > 16) {
      return yield* new ConfigurationError({ message: "--concurrency must be between 1 and 16." })
    }
    const allow = Settings.parseList(yield* readRequiredSetting(Settings.fetchAllow, all.fetchAllow))
    const { api, baseUrl } = yield* readSource(all, concurrency, allow)
    const organization = yield* findOrganization(api, all.organization, "organization")
    if (all.dryRun) {
      const plan = yield* Effect.mapError(
        readPlan(api, organization),
        ({ message }) => new ConfigurationError({ message: `The organization cannot be read: ${message}` })
      )
      return yield* printResult(all.json, { isDryRun: true, ...plan }, formatPlan(plan))
    }
    const source = { api, baseUrl, organization }
    const run = (target: Target) => withFolderLock(folder, Effect.scoped(runMigration(source, target, all)))
    const toUrl = yield* readSetting(MigrateSettings.toServerUrl, all.toUrl)
    if (toUrl !== undefined) {
      const server = serverOf(toUrl)
      const token = yield* readSetting(MigrateSettings.toToken, all.toToken)
      if (token === undefined) {
        return yield* new ConfigurationError({
          message: "LECTERN_TO_TOKEN or --to-token must be set: an API token of the target."
        })
      }
      const transport = fetchTransport(nodeFetcher({ allow: [server.host] }))
      const target = yield* makeTarget(transport, server.baseUrl, token, concurrency)
      const chosen = yield* findOrganization(target, all.toOrganization, "to-organization")
      return yield* run({ api: target, organization: chosen, name: server.baseUrl })
    }
    const { database, workspace, logging } = yield* readEnvironment(all, { fetcher: nodeFetcher({ allow }) })
    yield* Effect.gen(function* () {
      const local = yield* openLocalTarget(Option.getOrUndefined(all.toOrganization))
      const target = yield* makeTarget(local.transport, "http://localhost", undefined, concurrency)
      yield* run({ api: target, organization: local.organization, name: displayDatabase(database) })
      // OpenAPI specs are processed by background jobs.
      yield* (yield* BackgroundWork).drain
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withShortDescription("Copy an organization from GitBook."),
  Command.withDescription(
    "Copy an organization from GitBook through its API: collections, spaces with their pages, files and reusable contents, open change requests, sites with their settings, members as invitations, teams, permissions, OpenAPI specs, translations and the glossary. The target is the database of --database-url, or the server of --to-url. The command can be interrupted at any time: repeated, it continues. It waits when the source limits the rate of requests. The report in --folder names what could not be copied or has another form, and the ids of the copies. Exit codes: 0 everything was copied; 2 the report names missing resources."
  ),
  Command.withExamples([
    {
      command: "lectern migrate gitbook --dry-run",
      description: "Print what would be copied, with the token in LECTERN_FROM_TOKEN"
    },
    {
      command: "lectern migrate gitbook --to-url https://docs.example.com",
      description: "Copy to a running server, with its token in LECTERN_TO_TOKEN"
    }
  ])
)
