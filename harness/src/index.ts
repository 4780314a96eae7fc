/** The private test harness: `@lectern/harness`. */

export * as AllOrNothing from "./faults/AllOrNothing.ts"
export { makeRepeatableRandom, type RepeatableRandom } from "./faults/RepeatableRandom.ts"
export * as StoreContents from "./faults/StoreContents.ts"
export { runs, runsMultiplier } from "./runs.ts"
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
export {
  type FeatureName,
  type Features,
  runScenario,
  scenario,
  scenarioRuns
} from "./scenarios/scenario.ts"
export { allRecords } from "./storage/allRecords.ts"
export { type CountingStorage, countingStorage } from "./storage/countingStorage.ts"
export { type RoundTrips, roundTrips } from "./storage/roundTrips.ts"
