/** The public names of change requests in `@lectern/model/api`. */

export { ChangeRequestContentApi } from "./ChangeRequestContentApi.ts"
export { ChangeRequestsApi } from "./ChangeRequestsApi.ts"
