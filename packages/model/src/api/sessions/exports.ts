/** The public names of sessions in `@lectern/model/api`. */
export { SessionsApi } from "./SessionsApi.ts"
