/** The formats that Lectern reads and writes, and the ports that `@lectern/converters` implements. */

export type { Unpacked } from "./conversion/archives.ts"
export { catchUnreadable, unlessTransient } from "./conversion/catchUnreadable.ts"
export { GitPacks, type GitPackTask, type GitPackTasks, type ProcessGitPack } from "./conversion/GitPacks.ts"
export { ImportReader, type ReadImport } from "./conversion/ImportReader.ts"
export {
  type ConvertMarkdown,
  type MarkdownConversion,
  type MarkdownConversions,
  MarkdownEngine
} from "./conversion/MarkdownEngine.ts"
export { NotReadable } from "./conversion/NotReadable.ts"
export {
  type Entry,
  type ReadingKind,
  type Readings,
  type ReadPage,
  replaceMarks,
  type Target,
  type WebPage,
  type ZipEntry
} from "./conversion/Readings.ts"
export type { SummaryEntry } from "./conversion/SummaryEntry.ts"
export { type ArchivedFile, writeZip, zipLimits } from "./conversion/writeZip.ts"
export {
  fetchAncestors,
  fetchFolders,
  type GitRemote,
  type OpenRemote,
  openRemote,
  parseRemote,
  pushCommit
} from "./git/GitRemote.ts"
export {
  decodeSnapshot,
  encodeSnapshot,
  fetchSnapshot,
  type GitSnapshot,
  type SnapshotRequest
} from "./git/GitSnapshot.ts"
export { resolveReference } from "./git/protocol.ts"
export { type ReadDocument, readForeignDocument } from "./gitbook/readDocument.ts"
export {
  type FindCopy,
  type MappedReferences,
  mapMarkdownReferences,
  mapReferences,
  type ReferenceKind
} from "./gitbook/references.ts"
export { commonFolderOf, endLength, findEnd } from "./imports/archiveStructure.ts"
export { crawlScope, isPageInScope, resourceKey, type Scope, segmentsInScope } from "./imports/crawlScope.ts"
export { decodeText, isText } from "./imports/decode.ts"
export type { FetchedContent, FetchedFile, FetchedPage, Skipped } from "./imports/FetchedContent.ts"
export { ImportLimits, type ImportLimitsSettings, unpackedLimit } from "./imports/ImportLimits.ts"
export { mediaTypeOf } from "./imports/mediaTypes.ts"
export { buildPageTree, type PlannedPage } from "./imports/pageTree.ts"
export { loadRobotsRules, type RobotsRules } from "./imports/robots.ts"
export { Sequence } from "./imports/Sequence.ts"
export { SiteTree } from "./imports/siteTree.ts"
export { wikiNameOf } from "./imports/wikiLinks.ts"
export {
  type ParsedDocument,
  parseDocument,
  parseYamlText,
  type ReferencedFile
} from "./openapi/parseDocument.ts"
export {
  makeSpecReader,
  type SourceDocument,
  type SpecContent,
  SpecReadError
} from "./openapi/readSpecSource.ts"
export { ParseFailed, type ParseSpec, SpecParser } from "./openapi/SpecParser.ts"
export { type SpecPage, specPagesOf, specPagesOfFiles } from "./openapi/specPages.ts"
export { InvalidDocument, maximumProblems, problemOf } from "./openapi/specProblems.ts"
export {
  type Book,
  type BookFile,
  type BookPage,
  type BookTarget,
  type MakePdf,
  PdfFailed,
  PdfMaker,
  type PdfProgress
} from "./pdf/PdfMaker.ts"
export {
  configurationPath,
  type FileKind,
  isFolderPage,
  kindOfFile,
  markdownExtension,
  type RepositoryLayout,
  readLayout,
  slugsOfFile,
  sourceSlugOfFile,
  stemOf
} from "./repository/layout.ts"
export {
  buildRepositoryTree,
  keysOfNodes,
  type NodeSettings,
  type NodeTarget,
  nameOrder,
  type RepositoryFiles,
  type RepositoryNode,
  type RepositoryPage,
  repositoryTreeInSteps,
  titleOfName
} from "./repository/nodes.ts"
export { escapeSetting } from "./repository/readSummary.ts"
export { relativePathOf } from "./repository/relativePath.ts"
export { isHome, requestedSlug, slugsWithoutFile } from "./repository/requestedSlugs.ts"
export { makeFileResolver } from "./repository/resolveFiles.ts"
export { type SlugChange, type SluggedPage, slugChangesOf } from "./repository/slugChanges.ts"
export { type ConvertedFiles, convertArchive } from "./sources/convertArchive.ts"
export { countPages } from "./sources/readSourceTree.ts"
export { recognizeSource } from "./sources/recognizeSource.ts"
