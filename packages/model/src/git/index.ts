/** All names of `git`. */
export * from "./GitSync.ts"
export * from "./gitResources.ts"
