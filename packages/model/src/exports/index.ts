/** All names of `exports`. */
export * from "./Export.ts"
