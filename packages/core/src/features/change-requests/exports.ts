/** The public names of change requests in `@lectern/core`, besides the model. */

export { changeRequests } from "../../model/change-requests/ChangeRequest.ts"
export { ChangeRequests } from "./ChangeRequests.ts"
