/** The public names of change requests in `@lectern/core`, besides the model. */

export { changeRequests } from "../../tables/change-requests/changeRequestTables.ts"
export { ChangeRequests } from "./ChangeRequests.ts"
