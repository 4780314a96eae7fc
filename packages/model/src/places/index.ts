/** All names of `places`. */
export * from "./Place.ts"
