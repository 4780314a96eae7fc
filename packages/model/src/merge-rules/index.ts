/** All names of `merge-rules`. */
export * from "./MergeRules.ts"
