/** The readers of imports on the calling thread, for tests and for hosts that manage threads themselves. */
export { type Readers, readers } from "./readers.ts"
