/** The entry point `@lectern/testkit`: an in-memory store, and fault injection for any store. */

export * as Fault from "./faults/Fault.ts"
export { FaultyStorage } from "./faults/FaultyStorage.ts"
export { MemoryStorage, type RewindableStorage } from "./storage/MemoryStorage.ts"
export type { PersistentRows, RowChanges } from "./storage/persistentRows.ts"
