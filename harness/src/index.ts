/** The entry point `@lectern/harness`, the private test harness of Lectern. */

export * as Atomicity from "./faults/Atomicity.ts"
export { makeRepeatableRandom, type RepeatableRandom } from "./faults/RepeatableRandom.ts"
export * as StoreContents from "./faults/StoreContents.ts"
export { isFastRun, isLongRun, runs, runsMultiplier, variantShare } from "./runs.ts"
export { allRecords } from "./storage/allRecords.ts"
export { type CountingStorage, makeCountingStorage } from "./storage/countingStorage.ts"
export {
  type LockingStorage,
  makeLockingStorage,
  type RecordedTransaction
} from "./storage/lockingStorage.ts"
export { countRoundTrips, type RoundTripCounter } from "./storage/roundTrips.ts"
