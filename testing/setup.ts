/** What every test file begins with: properties are counted, and all begin at one seed where one is given. */
import fc from "fast-check"
import { afterEach } from "vitest"
import { takeTally, tally } from "./tally.ts"

declare module "vitest" {
  interface TaskMeta {
    /** Of `Tally`, for the summary of the run. */
    properties?: number
    cases?: number
    operations?: ReadonlyArray<string>
  }
}

const seed = process.env.LECTERN_TEST_SEED

fc.configureGlobal({
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  reporter: (details) => {
    tally().properties++
    tally().cases += details.numRuns
    if (!details.failed) return
    const { errorInstance: cause } = details as { readonly errorInstance?: unknown }
    throw new Error(fc.defaultReportMessage(details), { cause })
  }
})

// What a suite does before its tests counts for the first of them.
afterEach(({ task }) => {
  const { properties, cases, operations } = takeTally()
  Object.assign(task.meta, { properties, cases, operations: [...operations] })
})
