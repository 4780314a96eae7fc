export { ChangeRequestContentApi } from "./ChangeRequestContentApi.ts"
export { ChangeRequestsApi } from "./ChangeRequestsApi.ts"
