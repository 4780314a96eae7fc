/** The public face of `@lectern/testkit`. */

export {
  type Answer,
  describe,
  faultOf,
  type Kind,
  kinds,
  perform,
  type Trials,
  tryEach,
  type World
} from "./faults/allOrNothing.ts"
export * as Chance from "./faults/Chance.ts"
export { type Contents, contents, differences } from "./faults/contents.ts"
export * as Fault from "./faults/Fault.ts"
export * as FaultyStorage from "./faults/FaultyStorage.ts"
export { multiplier, runs } from "./runs.ts"
export { type Counting, counting } from "./storage/counting.ts"
export { MemoryStorage, type RewindableStorage } from "./storage/MemoryStorage.ts"
export { type RoundTrips, roundTrips } from "./storage/roundTrips.ts"
export * as CoreApi from "./workspace/CoreApi.ts"
export type { Step } from "./workspace/Feature.ts"
export { type HttpCall, toOutcome, toRequest } from "./workspace/HttpCalls.ts"
export * as MovableClock from "./workspace/MovableClock.ts"
export type { Call, Outcome, WorkspaceApi } from "./workspace/WorkspaceApi.ts"
export { WorkspaceModel } from "./workspace/WorkspaceModel.ts"
export { play, story, tellings } from "./workspace/WorkspaceStory.ts"
