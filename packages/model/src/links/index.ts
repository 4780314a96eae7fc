/** All names of `links`. */
export * from "./Link.ts"
