/** All names of `presence`. */
export * from "./Presence.ts"
