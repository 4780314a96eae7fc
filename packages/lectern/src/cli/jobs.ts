/** `lectern jobs`: lists pending and dead background jobs, and retries dead ones. */
import { Jobs } from "@lectern/core"
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { jobNameOf } from "./jobName.ts"
import { jsonFlag, printResult } from "./output.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

const list = Command.make(
  "list",
  { json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* ({ json, ...flags }) {
    yield* Effect.gen(function* () {
      const jobs = yield* Jobs
      const [dead, waiting] = [yield* jobs.dead, yield* jobs.waiting]
      if (json) {
        const listed = [...dead, ...waiting].map(({ id, kind, state, runAt, attempts, error }) => ({
          id,
          kind,
          state,
          runAt,
          attempts,
          error
        }))
        return yield* Console.log(JSON.stringify(listed))
      }
      if (dead.length + waiting.length === 0) yield* Console.log("No jobs.")
      for (const { id, kind, state, runAt, attempts, error } of [...dead, ...waiting]) {
        const when = state === "dead" ? "dead" : `due ${runAt}`
        yield* Console.log(
          `${id}  ${jobNameOf(kind)}  ${when}  attempts ${attempts}${error === null ? "" : `  ${error}`}`
        )
      }
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription(
    "List the jobs: first the dead ones, which failed too often, then the pending ones."
  ),
  Command.withExamples([{ command: "lectern jobs list", description: "List the dead and the pending jobs" }])
)

const retry = Command.make(
  "retry",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("The id of a dead job, as `lectern jobs list` prints it")
    ),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      yield* (yield* Jobs).revive(flags.id)
      yield* printResult(flags.json, { id: flags.id }, "The job is pending again.")
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("Retry a dead job, with all its attempts again."),
  Command.withExamples([{ command: "lectern jobs retry <job>", description: "Retry a job" }])
)

export const jobs = Command.make("jobs").pipe(
  Command.withDescription("List and retry background jobs."),
  Command.withSubcommands([list, retry])
)
