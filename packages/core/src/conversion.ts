/**
 * The entry point for the worker threads of `@lectern/converters`: the inputs and results of conversions, and the
 * Markdown engine. It does not load services, so that a thread starts fast.
 */
export { boundedFromMarkdown } from "./features/content/document/boundedDocument.ts"
export type { Emoji } from "./features/content/document/emojiSyntax.ts"
export { labelKey } from "./features/content/document/linkReferences.ts"
export type { MathBlock } from "./features/content/document/mathBlockSyntax.ts"
export type { InlineMath } from "./features/content/document/mathSyntax.ts"
export {
  isVerbatim,
  parse as parseMarkdown,
  stringify as stringifyMarkdown
} from "./features/content/document/syntax.ts"
export { outlineOf } from "./features/content/outline/Outline.ts"
export {
  type Entry,
  markOf,
  NotReadable,
  type ReadingKind,
  type Readings,
  type Target,
  type Unpacked,
  type WebPage
} from "./features/conversion/Readings.ts"
export { decodeHtml } from "./features/imports/decode.ts"
export { readMarkdown } from "./features/imports/readMarkdown.ts"
export { type ParsedDocument, parseDocument } from "./features/openapi-specs/parseDocument.ts"
export type { Book, BookFile, BookPage, BookTarget } from "./features/pdf/PdfMaker.ts"
export { unescaped } from "./kernel/schema/Text.ts"
export { bounds as importBounds } from "./model/imports/Import.ts"
