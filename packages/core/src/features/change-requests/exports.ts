export { changeRequests } from "@lectern/kernel/tables"
export { ChangeRequests } from "./ChangeRequests.ts"
