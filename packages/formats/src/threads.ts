/**
 * The entry point for the worker threads of `@lectern/converters`: the inputs and results of conversions, and the
 * Markdown engine. It does not load services, so that a thread starts fast.
 */

export type { InlineMath, MathBlock } from "@lectern/markdown/document"
export {
  boundedFromMarkdown,
  charactersOfEmoji,
  fromMarkdown,
  labelKey,
  mentionText,
  parse as parseMarkdown,
  plainText,
  stringify as stringifyMarkdown,
  tagOf
} from "@lectern/markdown/document"
export { runInSteps, type Steps } from "@lectern/markdown/merge"
export {
  anchorFinder,
  anchorsInHtml,
  expandableAnchorOf,
  type FindAnchor,
  gitBookAnchorsOf,
  outlineOf
} from "@lectern/markdown/outline"
export type * from "@lectern/model/document"
export type {
  Annotation,
  ContentRef,
  Image,
  ImageRef,
  Inline,
  InlineImage,
  JsonDocument,
  Leaf,
  Mark
} from "@lectern/model/document"
export { bounds as importBounds } from "@lectern/model/imports"
export type { SpecProblem } from "@lectern/model/openapi-specs"
export { unescaped } from "@lectern/model/schema"
export type { SkippedFile, Unpacked } from "./conversion/archives.ts"
export type { GitPackTasks } from "./conversion/GitPacks.ts"
export { type MarkdownConversions, markdownConversions } from "./conversion/MarkdownEngine.ts"
export { NotReadable } from "./conversion/NotReadable.ts"
export {
  type Entry,
  markOf,
  type PagePlace,
  type ReadingKind,
  type Readings,
  type Target,
  type WebPage,
  type ZipEntry
} from "./conversion/Readings.ts"
export {
  type ConvertedPage,
  type MarkdownSource,
  type SourceEntry,
  type SourceFiles,
  type SourceTree,
  treeBounds
} from "./conversion/SourceTree.ts"
export { decodeHtml } from "./imports/decode.ts"
export { readMarkdown } from "./imports/readMarkdown.ts"
export { type ParsedDocument, parseDocument, parseYamlText } from "./openapi/parseDocument.ts"
export { type SpecPage, specPagesOfFiles } from "./openapi/specPages.ts"
export { InvalidDocument } from "./openapi/specProblems.ts"
export type { Book, BookFile, BookPage, BookTarget, PdfProgress } from "./pdf/PdfMaker.ts"
export { readSummary } from "./repository/readSummary.ts"
export { readSourceMarkdown, readSourceTree } from "./sources/readSourceTree.ts"
export { folderBelow, type OpenEntry, TreeBuilder } from "./sources/support/TreeBuilder.ts"
