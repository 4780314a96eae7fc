/** All names of `errors`. */
export * from "./errors.ts"
