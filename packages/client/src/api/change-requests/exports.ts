/** The public names of change requests in `@lectern/client`. */

export { ChangeRequestContentApi } from "./ChangeRequestContentApi.ts"
export { ChangeRequestsApi } from "./ChangeRequestsApi.ts"
