/** What `@lectern/core` exports of imports, beside its model. */
export { Imports } from "./Imports.ts"
