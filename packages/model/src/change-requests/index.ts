/** All names of `change-requests`. */
export * from "./ChangeRequest.ts"
export * from "./ChangeRequestRules.ts"
export * from "./changeRequestResources.ts"
