/** What `@lectern/core` exports of conversion, beside its model. */
export { ImportReader, type Read } from "./ImportReader.ts"
export { NotReadable, type ReadingKind, type Readings } from "./Reading.ts"
