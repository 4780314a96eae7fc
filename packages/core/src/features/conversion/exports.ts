/** The public names of conversion in `@lectern/core`, besides the model. */
export { ImportReader, type Read } from "./ImportReader.ts"
export { NotReadable, type ReadingKind, type Readings } from "./Readings.ts"
