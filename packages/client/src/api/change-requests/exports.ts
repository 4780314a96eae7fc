/** What `@lectern/client` exports of change requests. */

export { ChangeRequestContentApi } from "./ChangeRequestContentApi.ts"
export { ChangeRequestsApi } from "./ChangeRequestsApi.ts"
