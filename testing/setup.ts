/**
 * Setup of every test file: counts properties, applies the seed and path of a replay, and prints how to replay a
 * failure.
 */
import fc from "fast-check"
import { afterEach, beforeEach, type TestContext } from "vitest"
import { readReplay, replayCommand } from "./replay.ts"
import { takeTally, tally } from "./tally.ts"

declare module "vitest" {
  interface TaskMeta {
    /** The counts of `Tally`, for the summary of the run. */
    properties?: number
    cases?: number
    operations?: ReadonlyArray<string>
  }
}

const replay = readReplay(process.env)

let task: TestContext["task"] | undefined
/** The number of properties that have run in the current test. */
let completed = 0

const report = <A>(details: fc.RunDetails<A>): void => {
  const property = completed++
  configure()
  tally().properties++
  tally().cases += details.numRuns
  if (!details.failed) return
  const { errorInstance: cause } = details as { readonly errorInstance?: unknown }
  const command = replayCommand(
    {
      file: task?.file.name ?? "",
      title: task?.fullTestName,
      seed: details.seed,
      path: details.counterexamplePath ?? undefined,
      property
    },
    process.env.LECTERN_TEST_RUNS
  )
  throw new Error(`${fc.defaultReportMessage(details)}\n\nReplay this case:\n${command}\n`, { cause })
}

/** Sets the parameters of the next property. The path of a replay applies to one property of a test. */
const configure = (): void => {
  const isReplayed = task !== undefined && replay.path !== undefined && completed === replay.property
  const parameters = {
    seed: replay.seed,
    ...(isReplayed ? { path: replay.path, endOnFailure: true } : {}),
    reporter: report
  }
  fc.configureGlobal(parameters)
}

configure()

beforeEach((context) => {
  task = context.task
  completed = 0
  configure()
})

// The counts of a suite's hooks are added to its first test.
afterEach(({ task }) => {
  const { properties, cases, operations } = takeTally()
  Object.assign(task.meta, { properties, cases, operations: [...operations] })
})
