/** The public names of conversion in `@lectern/core`, besides the model. */
export { catchUnreadable } from "./catchUnreadable.ts"
export { ImportReader, type Read } from "./ImportReader.ts"
export { NotReadable, type ReadingKind, type Readings } from "./Readings.ts"
