/** The public names of imports in `@lectern/core`, besides the model. */
export { ImportLimits, type ImportLimitsSettings } from "./ImportLimits.ts"
export { ImportRuns } from "./ImportRuns.ts"
export { Imports, ImportWait } from "./Imports.ts"
