/** All names of `sessions`. */
export * from "./Session.ts"
