/** The public names of Git synchronization in `@lectern/client`. */
export { GitApi } from "./GitApi.ts"
