/** All names of `programs`. */
export * from "./AuthorizedProgram.ts"
