/** All names of `translations`. */
export * from "./Translation.ts"
export * from "./translationResources.ts"
