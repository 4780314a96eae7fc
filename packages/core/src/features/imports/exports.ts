/** The public names of imports in `@lectern/core`, besides the model. */
export { Imports } from "./Imports.ts"
