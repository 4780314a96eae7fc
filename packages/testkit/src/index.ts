/** The public face of `@lectern/testkit`. */

export { multiplier, runs } from "./runs.ts"
export { type Counting, counting } from "./storage/counting.ts"
export { MemoryStorage } from "./storage/MemoryStorage.ts"
export { type RoundTrips, roundTrips } from "./storage/roundTrips.ts"
export * as CoreApi from "./workspace/CoreApi.ts"
export { type HttpCall, toOutcome, toRequest } from "./workspace/HttpCalls.ts"
export * as MovableClock from "./workspace/MovableClock.ts"
export type { Call, Outcome, WorkspaceApi } from "./workspace/WorkspaceApi.ts"
export { WorkspaceModel } from "./workspace/WorkspaceModel.ts"
export { type Step, story } from "./workspace/WorkspaceSteps.ts"
export { play } from "./workspace/WorkspaceStory.ts"
