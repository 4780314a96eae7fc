/** All names of `reviews`. */
export * from "./Review.ts"
export * from "./reviewResources.ts"
