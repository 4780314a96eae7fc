/** All names of `translations`. */
export * from "./Glossary.ts"
export * from "./Translation.ts"
export * from "./translationResources.ts"
