/** The public names of Git synchronization in `@lectern/model/api`. */
export { GitApi } from "./GitApi.ts"
