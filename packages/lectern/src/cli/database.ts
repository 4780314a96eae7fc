/** `lectern migrate` and `lectern init`: prepare a database without serving it. */
import type { MigrationStatus } from "@lectern/storage-sql"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { readMigrationStatus } from "./environment.ts"
import { bootstrapFlags, createFirst, formatFirst } from "./firstOrganization.ts"
import { migrateGitBook } from "./migrateGitBook.ts"
import { jsonFlag, printResult } from "./output.ts"
import { readPublicUrl } from "./publicUrl.ts"
import { readEnvironment, type WorkspaceFlags, workspaceFlags } from "./settings.ts"

/** The exit code of `lectern migrate status` if migrations are pending. */
const pendingExitCode = 2

/** Formats the status as text, with the statements of pending migrations if `hasStatements`. */
const formatStatus = (
  { version, supported, pending, rebuilding }: MigrationStatus,
  hasStatements: boolean
): string =>
  [
    `Schema version ${version}; this version of Lectern supports ${supported}.`,
    ...pending.flatMap(({ number, name, makesStale, statements }) => [
      `pending  ${number}  ${name}${makesStale.length === 0 ? "" : `  (then rebuilds ${makesStale.join(", ")})`}`,
      ...(hasStatements ? statements.map((statement) => `  ${statement};`) : [])
    ]),
    ...rebuilding.map((data) => `rebuilding  ${data}`)
  ].join("\n")

const status = Command.make(
  "status",
  { json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* ({ json, ...flags }) {
    const { database } = yield* readEnvironment(flags)
    const current = yield* readMigrationStatus(database)
    yield* printResult(json, current, formatStatus(current, false))
    if (current.version !== current.supported) process.exitCode = pendingExitCode
  })
).pipe(
  Command.withDescription(
    "Print the version of the schema, the pending migrations, and the derived data that is being rebuilt. Changes nothing. Exit codes: 0 up to date; 2 migrations are pending, or the database is newer."
  ),
  Command.withExamples([
    {
      command: "lectern migrate status",
      description: "Print whether migrations are pending, before an upgrade"
    }
  ])
)

const applyMigrations = Effect.fnUntraced(function* ({
  json,
  ...flags
}: WorkspaceFlags & { readonly json: boolean }) {
  const { database, workspace, logging } = yield* readEnvironment(flags)
  // Building the workspace layer migrates the database.
  yield* Effect.void.pipe(Effect.provide(workspace), Effect.provide(logging))
  const result = json ? yield* readMigrationStatus(database) : undefined
  yield* printResult(json, result, `The schema of ${displayDatabase(database)} is up to date.`)
})

const up = Command.make(
  "up",
  {
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Print the pending migrations with their statements, and change nothing"),
      Flag.withDefault(false)
    ),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ dryRun, ...flags }) {
    if (!dryRun) return yield* applyMigrations(flags)
    const { database } = yield* readEnvironment(flags)
    const current = yield* readMigrationStatus(database)
    yield* printResult(flags.json, current, formatStatus(current, true))
  })
).pipe(
  Command.withDescription("Apply the pending migrations, as `lectern migrate` does."),
  Command.withExamples([
    { command: "lectern migrate up --dry-run", description: "Print the statements of the pending migrations" }
  ])
)

export const migrate = Command.make("migrate", { json: jsonFlag, ...workspaceFlags }, applyMigrations).pipe(
  Command.withDescription(
    "Create or update the tables of the database. The other commands do this too when they start."
  ),
  Command.withExamples([{ command: "lectern migrate", description: "Migrate ./data/lectern.db" }]),
  Command.withSubcommands([status, up, migrateGitBook])
)

export const init = Command.make(
  "init",
  { json: jsonFlag, ...workspaceFlags, ...bootstrapFlags },
  Effect.fnUntraced(function* (flags) {
    const { database, workspace, logging } = yield* readEnvironment(flags)
    yield* Effect.gen(function* () {
      const created = yield* createFirst(flags)
      if (created !== undefined) {
        const text = formatFirst(created, yield* readPublicUrl())
        return yield* printResult(flags.json, { isCreated: true, ...created }, text)
      }
      yield* printResult(
        flags.json,
        { isCreated: false },
        `The database ${displayDatabase(database)} is not empty. Nothing was created. Use \`lectern org create\` and \`lectern user create\`.`
      )
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withDescription("Create the first organization and its administrator in an empty database."),
  Command.withExamples([
    {
      command: "lectern init --organization Acme --admin-email ada@example.com",
      description: "Prepare ./data/lectern.db without serving it"
    }
  ])
)
