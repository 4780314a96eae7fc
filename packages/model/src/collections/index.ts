/** All names of `collections`. */
export * from "./Collection.ts"
export * from "./collectionResources.ts"
export * from "./Placement.ts"
