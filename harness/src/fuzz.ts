/** A fuzz run over a server: `@lectern/harness/fuzz`. */
export { type FuzzOptions, fuzz } from "./fuzz/fuzz.ts"
export type { Report } from "./fuzz/Report.ts"
export type { Host, Person } from "./fuzz/World.ts"
