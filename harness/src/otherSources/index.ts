/** Constructed examples of the exports and projects of other documentation tools. */
export * from "./htmlSources.ts"
export * from "./markdownSources.ts"
