/** What `@lectern/core` exports of change requests, beside its model. */

export { changeRequests } from "../../model/change-requests/ChangeRequest.ts"
export { ChangeRequests } from "./ChangeRequests.ts"
