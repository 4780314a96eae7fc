/** `lectern jobs`: background work that waits, or has failed too often. */
import { Jobs } from "@lectern/core"
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { common, inWorkspace } from "./settings.ts"

const list = Command.make(
  "list",
  common,
  Effect.fnUntraced(function* (flags) {
    const { workspace, logging } = yield* inWorkspace(flags)
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const [dead, waiting] = [yield* jobs.dead, yield* jobs.waiting]
      if (dead.length + waiting.length === 0) yield* Console.log("No jobs.")
      for (const { id, kind, state, runAt, attempts, error } of [...dead, ...waiting]) {
        const when = state === "dead" ? "dead" : `due ${runAt}`
        yield* Console.log(
          `${id}  ${kind}  ${when}  attempts ${attempts}${error === null ? "" : `  ${error}`}`
        )
      }
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withDescription("List the jobs: those that have failed too often first, then those that wait.")
)

const retry = Command.make(
  "retry",
  { id: Argument.String("id").pipe(Argument.withDescription("The id of a dead job")), ...common },
  Effect.fnUntraced(function* (flags) {
    const { workspace, logging } = yield* inWorkspace(flags)
    yield* Effect.gen(function* () {
      yield* (yield* Jobs).revive(flags.id)
      yield* Console.log("It is done again.")
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(Command.withDescription("Give a dead job another life."))

export const jobs = Command.make("jobs").pipe(
  Command.withDescription("Look after background work."),
  Command.withSubcommands([list, retry])
)
