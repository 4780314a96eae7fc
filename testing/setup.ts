/**
 * Setup of every test file: counts properties, applies the seed and path of a replay, and prints how to replay a
 * failure.
 */
import fc from "fast-check"
import { afterAll, afterEach, beforeEach, type TestContext } from "vitest"
import { processCpuMs } from "./cpuTime.ts"
import { readReplay, replayCommand } from "./replay.ts"
import { takeTally, tally } from "./tally.ts"

declare module "vitest" {
  interface TaskMeta {
    /** The counts of `Tally`, for the summary of the run. */
    properties?: number
    cases?: number
    operations?: ReadonlyArray<string>
    /** The CPU time of a file with the processes that it has started, in milliseconds. */
    cpuMs?: number
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

// Vitest evaluates this module for each file, also if files share a process.
const startedAtCpuMs = processCpuMs()
afterAll(() => {
  if (task !== undefined) Object.assign(task.file.meta, { cpuMs: processCpuMs() - startedAtCpuMs })
})

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
