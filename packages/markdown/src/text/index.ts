/** Slugs, hashes and distances of text. */
export * from "./editDistance.ts"
export * from "./Slug.ts"
export * from "./SourceSlug.ts"
