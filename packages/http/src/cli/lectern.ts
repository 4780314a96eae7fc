/** The `lectern` command: its subcommands, and how errors are reported. */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Runtime } from "effect"
import { Command } from "effect/cli"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { compact } from "./compact.ts"
import { copy, exportOrganization, importOrganization } from "./copy.ts"
import { init, migrate } from "./database.ts"
import { doctor } from "./doctor.ts"
import { info } from "./info.ts"
import { jobs } from "./jobs.ts"
import { organization, user } from "./people.ts"
import { reindex } from "./reindex.ts"
import { salvage } from "./salvage.ts"
import { secrets } from "./secrets.ts"
import { seed } from "./seed.ts"
import { serve } from "./serve.ts"
import { token } from "./token.ts"
import { version } from "./version.ts"

/** The command with all of its subcommands. The reference of the documentation is generated from it. */
export const lectern = Command.make("lectern").pipe(
  Command.withDescription(
    "Lectern: a documentation workspace. Run the server, and administer its database. Settings are flags or environment variables: --database-url is LECTERN_DATABASE_URL, --log-level is LECTERN_LOG_LEVEL."
  ),
  Command.withSubcommands([
    serve,
    init,
    migrate,
    organization,
    user,
    token,
    jobs,
    reindex,
    doctor,
    compact,
    salvage,
    info,
    audit,
    secrets,
    backup,
    restore,
    copy,
    exportOrganization,
    importOrganization,
    seed
  ])
)

/** Prints an expected error as one line, without its stack trace, and sets the exit code to 1. */
const reportError = (error: { readonly _tag: string; readonly message?: string }) =>
  Effect.sync(() => {
    process.stderr.write(
      `lectern: ${error.message === undefined || error.message === "" ? error._tag : error.message}\n`
    )
    process.exitCode = 1
  })

/** Runs the command with the arguments of the process. */
export const runLectern = (): void =>
  Command.run(lectern, { version }).pipe(
    Effect.catchTag(
      [
        "ConfigurationError",
        "CannotListen",
        "InvalidInput",
        "Conflict",
        "NotFound",
        "StorageUnavailable",
        "BackupError"
      ],
      reportError
    ),
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain({
      teardown: (exit, onExit) =>
        Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
          ? // A signal stops a server successfully. A command that it stops half-way has set its own exit code.
            onExit(Number(process.exitCode ?? 0))
          : Runtime.defaultTeardown(exit, onExit)
    })
  )
