/** `lectern copy`, `lectern export` and `lectern import`: workspaces and organizations between databases. */
import type { OrganizationId } from "@lectern/core"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openBackupFolder } from "../backup/BackupFolder.ts"
import { targetPrefix, targetSchema, targetUrl } from "../settings/CopySettings.ts"
import { type Database, displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError, readSetting, settingFlag } from "../settings/Setting.ts"
import { publicUrl } from "../settings/Settings.ts"
import {
  acceptUnreadableFlag,
  formatWritten,
  loadFlags,
  makeProgressReporter,
  printLoaded,
  verifySource,
  writtenJson
} from "./backupOutput.ts"
import { loadBackupFlags, loadFromFolder } from "./loadBackup.ts"
import { jsonFlag, printResult } from "./output.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"
import { exportSite } from "./siteExport.ts"
import { configuredSecrets, loadIntoDatabase, readDatabase } from "./stores.ts"
import { version } from "./version.ts"

const readTarget = Effect.fnUntraced(function* (flags: {
  readonly to: Option.Option<string>
  readonly toPrefix: Option.Option<string>
  readonly toSchema: Option.Option<string>
}) {
  const url = yield* readSetting(targetUrl, flags.to)
  if (url === undefined) return yield* new ConfigurationError({ message: "--to must be set." })
  const prefix = yield* readSetting(targetPrefix, flags.toPrefix)
  const schema = yield* readSetting(targetSchema, flags.toSchema)
  const wrong = url._tag === "Sqlite" ? schema && "--to-schema" : prefix && "--to-prefix"
  if (wrong !== undefined) {
    return yield* new ConfigurationError({ message: `${wrong} does not apply to the database of --to.` })
  }
  const database: Database =
    url._tag === "Sqlite" ? { ...url, prefix, integrityCheck: undefined } : { ...url, schema, options: {} }
  return database
})

const organizationFlag = Flag.String("organization").pipe(Flag.withDescription("The id of the organization"))

export const copy = Command.make(
  "copy",
  {
    to: settingFlag(targetUrl),
    toPrefix: settingFlag(targetPrefix),
    toSchema: settingFlag(targetSchema),
    organization: organizationFlag.pipe(Flag.optional),
    ...loadFlags,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (all) {
    const { to, toPrefix, toSchema, organization, dryRun, acceptSecret, json, ...flags } = all
    const { database, logging } = yield* readEnvironment(flags)
    const target = yield* readTarget({ to, toPrefix, toSchema })
    const secrets = yield* configuredSecrets
    const id = Option.getOrUndefined(organization) as OrganizationId | undefined
    const record = dryRun ? undefined : "Backups.copy"
    const loaded = yield* readDatabase(
      database,
      { secrets, acceptSecret, organization: id, record },
      (source) =>
        loadIntoDatabase(source, {
          database: target,
          secrets,
          acceptSecret,
          isDryRun: dryRun,
          onProgress: makeProgressReporter()
        })
    ).pipe(Effect.provide(logging))
    const what = id === undefined ? "the workspace" : `the organization ${id}`
    yield* printLoaded(json, what, displayDatabase(target), loaded, dryRun)
  })
).pipe(
  Command.withShortDescription("Copy the workspace, or one organization, to another database."),
  Command.withDescription(
    "Copy the workspace of --database-url to the database of --to, which must have no rows: from SQLite to PostgreSQL, for example. The server can run: one committed state is copied. Stop it before, so that no later write is missed, if the copy replaces it. With --organization, one organization is added to the workspace of --to. After an interruption, repeat it: it continues with the content that is missing."
  ),
  Command.withExamples([
    {
      command: "lectern copy --to postgres://user:password@localhost/lectern",
      description: "Copy ./data/lectern.db to PostgreSQL"
    }
  ])
)

export const exportOrganization = Command.make(
  "export",
  {
    organization: organizationFlag.pipe(Flag.optional),
    html: Flag.Boolean("html").pipe(
      Flag.withDescription(
        "Export a published site as static files with a search, instead of an organization"
      ),
      Flag.withDefault(false)
    ),
    epub: Flag.Boolean("epub").pipe(
      Flag.withDescription("Export the pages of a published site as a book in EPUB"),
      Flag.withDefault(false)
    ),
    site: Flag.String("site").pipe(
      Flag.withDescription("The URL of the published site, with --html and --epub"),
      Flag.optional
    ),
    publicUrl: settingFlag(publicUrl),
    to: Flag.String("to").pipe(
      Flag.withDescription("The folder that the export is added to, created if it does not exist")
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Read everything and verify it, and write nothing"),
      Flag.withDefault(false)
    ),
    json: jsonFlag,
    acceptSecret: acceptUnreadableFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ organization, html, epub, site, to, dryRun, acceptSecret, json, ...flags }) {
    if (html || epub) {
      if (Option.isNone(site)) return yield* new ConfigurationError({ message: "--site must be set." })
      if (dryRun)
        return yield* new ConfigurationError({ message: "--dry-run does not apply to the export of a site." })
      return yield* exportSite({ site: site.value, to, json, format: epub ? "epub" : "html", ...flags })
    }
    if (Option.isNone(organization)) {
      return yield* new ConfigurationError({
        message: "--organization must be set, or --site with --html or --epub."
      })
    }
    const { database, logging } = yield* readEnvironment(flags)
    const secrets = yield* configuredSecrets
    const options = {
      secrets,
      acceptSecret,
      organization: organization.value as OrganizationId,
      record: dryRun ? undefined : ("Backups.export" as const)
    }
    yield* readDatabase(database, options, (source) =>
      dryRun
        ? Effect.flatMap(verifySource(source, makeProgressReporter()), ({ rows, blobs }) =>
            printResult(
              json,
              { isDryRun: true, rows, blobs },
              `The export would have ${rows} rows and ${blobs} blobs.`
            )
          )
        : Effect.flatMap(openBackupFolder(to).write(source, version, makeProgressReporter()), (written) =>
            printResult(json, writtenJson(to, written), formatWritten(to, written))
          )
    ).pipe(Effect.provide(logging))
  })
).pipe(
  Command.withShortDescription("Export one organization, or a published site as static files, to a folder."),
  Command.withDescription(
    "Export one organization to a folder, which `lectern import` reads: its content with its history, its settings, its members and their accounts, but no API tokens, no events and no deliveries of webhooks. With --html, export a published site as HTML files with a search, as a visitor without credentials sees it; with --epub, its pages as a book. The export of a site with visitor authentication fails."
  ),
  Command.withExamples([
    {
      command: "lectern export --organization <organization> --to ./acme",
      description: "Export an organization"
    },
    {
      command: "lectern export --html --site <url> --to ./public",
      description: "Export a published site as static files"
    },
    {
      command: "lectern export --epub --site <url> --to ./docs.epub",
      description: "Export the pages of a published site as a book"
    }
  ])
)

export const importOrganization = Command.make(
  "import",
  loadBackupFlags,
  loadFromFolder("organization")
).pipe(
  Command.withShortDescription("Import an exported organization into the workspace."),
  Command.withDescription(
    "Import an export of one organization into the workspace of --database-url, while its server runs. Nothing is imported if an id, a host name, the name of an integration or an e-mail address is used already; accounts with the same id are retained."
  ),
  Command.withExamples([
    { command: "lectern import --from ./acme", description: "Import the organization of an export" }
  ])
)
