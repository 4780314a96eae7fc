/**
 * The entry point for the worker threads of `@lectern/converters`: the inputs and results of conversions, and the
 * Markdown engine. It does not load services, so that a thread starts fast.
 */
export { boundedFromMarkdown } from "./features/content/document/boundedDocument.ts"
export { charactersOfEmoji } from "./features/content/document/emojis.ts"
export { fromMarkdown } from "./features/content/document/fromMarkdown.ts"
export { mentionText } from "./features/content/document/html/inlineElements.ts"
export { plainText } from "./features/content/document/inlinesFromMarkdown.ts"
export { labelKey } from "./features/content/document/linkReferences.ts"
export type { MathBlock } from "./features/content/document/mathBlockSyntax.ts"
export type { InlineMath } from "./features/content/document/mathSyntax.ts"
export { revertMarkdown } from "./features/content/document/revertMarkdown.ts"
export {
  parse as parseMarkdown,
  stringify as stringifyMarkdown
} from "./features/content/document/syntax.ts"
export { tagOf } from "./features/content/document/tags.ts"
export { updateMarkdown } from "./features/content/document/updateMarkdown.ts"
export { outlineOf } from "./features/content/outline/Outline.ts"
export {
  type Entry,
  markOf,
  NotReadable,
  type PagePlace,
  type ReadingKind,
  type Readings,
  type Target,
  type Unpacked,
  type WebPage,
  type ZipEntry
} from "./features/conversion/Readings.ts"
export { decodeHtml } from "./features/imports/decode.ts"
export { readMarkdown } from "./features/imports/readMarkdown.ts"
export { readSummary } from "./features/imports/repository/readSummary.ts"
export { type ParsedDocument, parseDocument, parseYamlText } from "./features/openapi-specs/parseDocument.ts"
export { type SpecPage, specPagesOfFiles } from "./features/openapi-specs/specPages.ts"
export { InvalidDocument } from "./features/openapi-specs/specProblems.ts"
export type { Book, BookFile, BookPage, BookTarget, PdfProgress } from "./features/pdf/PdfMaker.ts"
export { unescaped } from "./kernel/schema/Text.ts"
export type * from "./model/content/document/Block.ts"
export type { JsonDocument } from "./model/content/document/Document.ts"
export type {
  Annotation,
  ContentRef,
  Image,
  ImageRef,
  Inline,
  InlineImage,
  Leaf,
  Mark
} from "./model/content/document/Inline.ts"
export { bounds as importBounds } from "./model/imports/Import.ts"
export type { SpecProblem } from "./model/openapi-specs/OpenApiSpec.ts"
