/** All names of `events`. */
export * from "./Event.ts"
