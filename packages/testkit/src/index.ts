/** The public entry point of `@lectern/testkit`. */

export * as Fault from "./faults/Fault.ts"
export { FaultyStorage } from "./faults/FaultyStorage.ts"
export { MemoryStorage, type RewindableStorage } from "./storage/MemoryStorage.ts"
