/** `lectern migrate` and `lectern init`: getting a database ready. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { displayDatabaseUrl } from "../settings/DatabaseUrl.ts"
import { bootstrap, bootstrapFlags } from "./serve.ts"
import { common, inWorkspace } from "./settings.ts"

export const migrate = Command.make(
  "migrate",
  common,
  Effect.fnUntraced(function* (flags) {
    const { database, workspace, logging } = yield* inWorkspace(flags)
    // Opening the store brings its schema up to date.
    yield* Console.log(`The schema of ${displayDatabaseUrl(database)} is up to date.`).pipe(
      Effect.provide(workspace),
      Effect.provide(logging)
    )
  })
).pipe(
  Command.withDescription(
    "Bring the schema of the database up to date. The server does so by itself when it starts."
  )
)

export const init = Command.make(
  "init",
  { ...common, ...bootstrapFlags },
  Effect.fnUntraced(function* (flags) {
    const { database, workspace, logging } = yield* inWorkspace(flags)
    yield* Effect.gen(function* () {
      const made = yield* bootstrap(flags, "http://127.0.0.1:4400")
      if (!made) yield* Console.log(`${displayDatabaseUrl(database)} is in use already: nothing was made.`)
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withDescription(
    "Make the bootstrapFlags organization and its administrator, on an empty database, without serving it."
  )
)
