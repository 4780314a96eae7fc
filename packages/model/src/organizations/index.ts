/** All names of `organizations`. */
export * from "./Administration.ts"
export * from "./Invite.ts"
export * from "./Member.ts"
export * from "./Organization.ts"
export * from "./OrganizationUsage.ts"
export * from "./organizationResources.ts"
export * from "./Team.ts"
export * from "./visitorKeyPlace.ts"
