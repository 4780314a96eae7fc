/**
 * What `@lectern/converters` needs of this package in its threads: the inputs and results of conversions, and the
 * Markdown engine. It loads no service, so that a thread starts fast.
 */
export { labelKey } from "./content/document/references.ts"
export {
  isVerbatim,
  parse as parseMarkdown,
  stringify as stringifyMarkdown
} from "./content/document/syntax.ts"
export { decodeHtml } from "./content/imports/decode.ts"
export { bounds as importBounds } from "./content/imports/Import.ts"
export {
  type Entry,
  markOf,
  NotReadable,
  type ReadingKind,
  type Readings,
  type Target,
  type Unpacked,
  type WebPage
} from "./content/imports/Reading.ts"
export { readMarkdown } from "./content/imports/readMarkdown.ts"
export { outlineOf } from "./content/outline/Outline.ts"
export { type ParsedDocument, parseDocument } from "./openapi/parse.ts"
export type { Book, BookFile, BookPage, BookTarget } from "./pdf/Pdf.ts"
export { unescaped } from "./shared/Text.ts"
