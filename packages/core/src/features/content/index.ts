/**
 * The content engine: Markdown and documents, versioned content maps, edits and three-way merges, without permissions
 * or HTTP. `@lectern/core/content` is for tools that work on content directly, and for tests of the engine.
 */

export {
  decodeNode,
  emptyRoot,
  type FanOut,
  foldersOf,
  type Json,
  makeMerkleMap,
  newFanOut,
  ParseAllowance,
  pagePathOf,
  parsePathLink,
  rankOf,
  resolvePathLink,
  resolveSegments,
  Trees as Tree
} from "@lectern/content"
export { type BlobHash, hashOf } from "@lectern/kernel"
export {
  keys,
  type PageRecord,
  type Placed,
  prefixes,
  recordOf,
  within
} from "@lectern/kernel/tables"
export {
  estimateParseCost,
  fromMarkdown,
  isVerbatim,
  maximumParseCost,
  normalize,
  parse,
  revertBlocks,
  rewriteLinks,
  SourceRanges,
  stringify,
  toMarkdown,
  updateMarkdown,
  wellFormed
} from "@lectern/markdown/document"
export { diffLines, mergeTexts, mergeTextsInSteps } from "@lectern/markdown/merge"
export { servablePath } from "@lectern/markdown/text"
export { JsonDocument, maximumNodes, maximumSpecialCharacters } from "@lectern/model/document"
export { ContentStore } from "./ContentStore.ts"
export { apply, prepare } from "./edit/apply.ts"
export { merge } from "./merge/merge.ts"
