export { changeRequests } from "../../tables/change-requests/changeRequestTables.ts"
export { ChangeRequests } from "./ChangeRequests.ts"
