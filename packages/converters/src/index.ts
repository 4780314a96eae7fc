/** The entry point of `@lectern/converters`. */
export * as Converters from "./Converters.ts"
export { converters, gitPacks, importReader, markdownEngine, pdfRenderer, specParser } from "./shared.ts"
