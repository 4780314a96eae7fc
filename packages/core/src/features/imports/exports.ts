/** The public names of imports in `@lectern/core`, besides the model. */
export { ImportRuns } from "./ImportRuns.ts"
export { Imports, ImportWait } from "./Imports.ts"
