/** The entry point `@lectern/harness`, the private test harness of Lectern. */

export * as Atomicity from "./faults/Atomicity.ts"
export { makeRepeatableRandom, type RepeatableRandom } from "./faults/RepeatableRandom.ts"
export * as StoreContents from "./faults/StoreContents.ts"
export { isFastRun, isLongRun, runs, runsMultiplier, variantShare } from "./runs.ts"
export { makeCoreApi } from "./scenarios/api/CoreApi.ts"
export { type HttpCall, toOutcome, toRequest } from "./scenarios/api/HttpCalls.ts"
export { type MovableClock, makeMovableClock } from "./scenarios/api/MovableClock.ts"
export type { Call, Outcome, WorkspaceApi } from "./scenarios/api/WorkspaceApi.ts"
export { choose, chooseNth, nth, nthOf } from "./scenarios/definition/choices.ts"
export {
  asUserWho,
  asUserWithRole,
  defineStep,
  type Feature,
  type Step
} from "./scenarios/definition/Step.ts"
export { WorkspaceModel } from "./scenarios/model/WorkspaceModel.ts"
export { type FeatureName, type Features, runScenario, scenario, scenarioRuns } from "./scenarios/scenario.ts"
export { allRecords } from "./storage/allRecords.ts"
export { type CountingStorage, makeCountingStorage } from "./storage/countingStorage.ts"
export {
  type LockingStorage,
  makeLockingStorage,
  type RecordedTransaction
} from "./storage/lockingStorage.ts"
export { countRoundTrips, type RoundTripCounter } from "./storage/roundTrips.ts"
