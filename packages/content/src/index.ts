/** The content of spaces over blobs: maps, trees, drafts and positions, their integrity, and the ranking of its search. */

export { changeRequestExaminations } from "./checks/changeRequestChecks.ts"
export { chunkedBlobScan } from "./checks/chunkedBlobChecks.ts"
export { commentExaminations } from "./checks/commentChecks.ts"
export { blobScan, revisionScan } from "./checks/contentChecks.ts"
export { findEntries } from "./checks/findEntries.ts"
export { nodeReader } from "./checks/NodeReader.ts"
export { uploadScan } from "./checks/uploadChecks.ts"
export { type References, resolveReferences } from "./edit/batchReferences.ts"
export { checkFields, defaultTitle, withFields } from "./edit/fields.ts"
export { costOfParsing, ParseAllowance } from "./edit/ParseAllowance.ts"
export { freeSlug, hasSlug, maximumEditDepth, positionAt, putPage, subtree } from "./edit/pagePlacement.ts"
export { assignPaths, type LocatedContent, type LocatedPage, relativePath } from "./exports/contentPaths.ts"
export { ExportLimits, type ExportLimitsSettings } from "./exports/ExportLimits.ts"
export { type BusyLimit, type ExportFailure, makeProductions, type Produce } from "./exports/productions.ts"
export { type SluggedNode, writeSummary } from "./exports/writeSummary.ts"
export {
  keyOfTarget,
  type LinkContext,
  resolveTarget,
  type Target,
  urlOfTarget
} from "./links/LinkTarget.ts"
export {
  foldersOf,
  type PagePaths,
  type PathLink,
  pagePathOf,
  parsePathLink,
  pathOf,
  pathsOfPages,
  resolvePathLink,
  resolveSegments
} from "./links/pagePaths.ts"
export type { Difference } from "./MerkleDiff.ts"
export { type MerkleMaps, makeMerkleMap } from "./MerkleMap.ts"
export {
  childrenOf,
  decodeNode,
  emptyRoot,
  type FanOut,
  type Json,
  type Node,
  newFanOut,
  rankOf
} from "./MerkleNode.ts"
export { firstRevision, newRevision } from "./newRevision.ts"
export {
  makeRenderCache,
  type RenderCache,
  sizeOfDocument,
  sizeOfPage,
  sizeOfPages,
  sizeOfRevision
} from "./renderCache.ts"
export { pathsOfReusableContents, reusableContentAt, reusableContentFinder } from "./reusableContentFinder.ts"
export { meetsConditions, members, visitors } from "./search/audiences.ts"
export { type Candidate, excerptsOf, rangesOf } from "./search/excerpts.ts"
export { makeHighlighter } from "./search/highlights.ts"
export {
  hasTerms,
  isQuestion,
  isTitleOfTerms,
  withCamelCase,
  withIdentifiers
} from "./search/queryVariants.ts"
export { type RankedRow, rankedQueryOf, rankPages } from "./search/ranking.ts"
export {
  batchesOf,
  type IndexedPage,
  type IndexedRows,
  type IndexedSpace,
  joinRows,
  rowsOf
} from "./search/searchRows.ts"
export { pinnedPages, weightOf } from "./search/searchSettings.ts"
export { parseSearchTerms, type QueryTerm } from "./search/searchTerms.ts"
export type { Synonyms } from "./search/synonyms.ts"
export * as Trees from "./Tree.ts"
export { type Draft, maximumDepth, readTree, type Tree } from "./Tree.ts"
export { visibleTree } from "./visibleTree.ts"
