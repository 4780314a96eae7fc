/** The parts of blocks that an application displays without an editor: `@lectern/editor/content`. */
export { colorsOf } from "./codeRanges.ts"
export type { Ranges } from "./Ranges.ts"
export { findIcon } from "./views/iconSets.ts"
