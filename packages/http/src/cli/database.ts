/** `lectern migrate` and `lectern init`: prepare a database without serving it. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { bootstrap, bootstrapFlags } from "./serve.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"

export const migrate = Command.make(
  "migrate",
  workspaceFlags,
  Effect.fnUntraced(function* (flags) {
    const { database, workspace, logging } = yield* readEnvironment(flags)
    // Building the workspace layer migrates the database.
    yield* Console.log(`The schema of ${displayDatabase(database)} is up to date.`).pipe(
      Effect.provide(workspace),
      Effect.provide(logging)
    )
  })
).pipe(
  Command.withDescription(
    "Create or update the tables of the database. The other commands do this too when they start."
  )
)

export const init = Command.make(
  "init",
  { ...workspaceFlags, ...bootstrapFlags },
  Effect.fnUntraced(function* (flags) {
    const { database, workspace, logging } = yield* readEnvironment(flags)
    yield* Effect.gen(function* () {
      const isCreated = yield* bootstrap(flags, "http://127.0.0.1:4400")
      if (!isCreated)
        yield* Console.log(
          `The database ${displayDatabase(database)} is not empty. Nothing was created. Use \`lectern org create\` and \`lectern user create\`.`
        )
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(Command.withDescription("Create the first organization and its administrator in an empty database."))
