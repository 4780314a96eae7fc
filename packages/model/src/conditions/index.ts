/** All names of `conditions`. */
export * from "./Condition.ts"
export * from "./evaluate.ts"
