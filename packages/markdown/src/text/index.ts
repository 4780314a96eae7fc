/** Slugs of titles, words and their stems, and the distance between words. */
export * from "./editDistance.ts"
export { invisibleHtmlElements, plainHtmlElements } from "./htmlElements.ts"
export * from "./Slug.ts"
export * from "./SourceSlug.ts"
export * from "./symbolWords.ts"
export * from "./words.ts"
