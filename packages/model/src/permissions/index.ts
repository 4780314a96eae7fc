/** All names of `permissions`. */
export * from "./Permission.ts"
export * from "./permissionResources.ts"
