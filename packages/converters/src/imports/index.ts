/** The readers of imports without a thread, for tests and for hosts with threads of their own. */
export { type Readers, readers } from "./readers.ts"
