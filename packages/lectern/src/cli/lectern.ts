/** The `lectern` command: its subcommands, and the flags of all of them. */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Cause, Effect, Exit, Layer, Runtime } from "effect"
import { CliConfig, CliOutput, Command, GlobalFlag } from "effect/cli"
import { audit } from "./audit.ts"
import { backup, restore } from "./backup.ts"
import { compact } from "./compact.ts"
import { completionsFlag } from "./completions.ts"
import { copy, exportOrganization, importOrganization } from "./copy.ts"
import { init, migrate } from "./database.ts"
import { doctor } from "./doctor.ts"
import { presenter, reportError } from "./errors.ts"
import { info } from "./info.ts"
import { invitation } from "./invitations.ts"
import { jobs } from "./jobs.ts"
import { accessToken, login, logout } from "./login.ts"
import { nodeServices } from "./nodeServices.ts"
import { organization } from "./people.ts"
import { reindex } from "./reindex.ts"
import { salvage } from "./salvage.ts"
import { secrets } from "./secrets.ts"
import { seed } from "./seed.ts"
import { serve } from "./serve.ts"
import { session } from "./sessions.ts"
import { signIn } from "./signInLink.ts"
import { slugs } from "./slugs.ts"
import { token } from "./token.ts"
import { user } from "./users.ts"
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
    signIn,
    session,
    login,
    logout,
    accessToken,
    invitation,
    jobs,
    reindex,
    slugs,
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

/** The flags that every command has. */
const builtIns = [GlobalFlag.Help, GlobalFlag.Version, completionsFlag, GlobalFlag.LogLevel]

/** How the command line is parsed, and how its help and its errors are printed. */
export const commandLayer = Layer.mergeAll(
  CliConfig.layer({ builtIns }),
  CliOutput.layerPresenter(presenter(process.argv))
)

/** `lectern help serve` is `lectern serve --help`, as in other programs. */
const expandHelp = (): void => {
  if (process.argv[2] === "help")
    process.argv.splice(2, process.argv.length, ...process.argv.slice(3), "--help")
}

/** Runs the command with the arguments of the process. */
export const runLectern = (): void => {
  expandHelp()
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
    Effect.provide([commandLayer, nodeServices]),
    NodeRuntime.runMain({
      teardown: (exit, onExit) =>
        Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
          ? // A signal stops a server successfully. A command that it stops half-way has set its own exit code.
            onExit(Number(process.exitCode ?? 0))
          : Runtime.defaultTeardown(exit, onExit)
    })
  )
}
