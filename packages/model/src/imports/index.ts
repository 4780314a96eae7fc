/** All names of `imports`. */
export * from "./Import.ts"
export * from "./ImportRun.ts"
export * from "./importResources.ts"
