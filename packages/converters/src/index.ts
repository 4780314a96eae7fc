/** The entry point of `@lectern/converters`. */
export * as Converters from "./Converters.ts"
export { converters, importReader, pdfRenderer, specParser } from "./shared.ts"
