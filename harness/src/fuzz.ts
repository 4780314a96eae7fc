/** The entry point `@lectern/harness/fuzz`: fuzzing of a running server. */
export { type FuzzOptions, fuzz } from "./fuzz/fuzz.ts"
export type { Report } from "./fuzz/Report.ts"
export type { Host, Person } from "./fuzz/World.ts"
