/**
 * The content engine: Markdown and documents, versioned content maps, edits and three-way merges, without permissions
 * or HTTP. `@lectern/core/content` is for tools that work on content directly, and for tests of the engine.
 */
export { type BlobHash, hashOf } from "../../kernel/storage/Blobs.ts"
export {
  keys,
  type PageRecord,
  type Placed,
  prefixes,
  recordOf,
  within
} from "../../model/content/ContentRecord.ts"
export {
  JsonDocument,
  maximumNodes,
  maximumSpecialCharacters
} from "../../model/content/document/Document.ts"
export { estimateParseCost, maximumParseCost } from "../../model/content/parseCost.ts"
export { ContentStore } from "./ContentStore.ts"
export { fromMarkdown } from "./document/fromMarkdown.ts"
export { normalize } from "./document/normalize.ts"
export { revertBlocks } from "./document/revertBlocks.ts"
export { rewriteLinks } from "./document/rewriteLinks.ts"
export { SourceRanges } from "./document/SourceRanges.ts"
export { isVerbatim, parse, stringify, wellFormed } from "./document/syntax.ts"
export { toMarkdown } from "./document/toMarkdown.ts"
export { updateMarkdown } from "./document/updateMarkdown.ts"
export { apply, prepare } from "./edit/apply.ts"
export { ParseAllowance } from "./edit/ParseAllowance.ts"
export { emptyRoot, makeMerkleMap } from "./MerkleMap.ts"
export { decodeNode, type FanOut, type Json, newFanOut, rankOf } from "./MerkleNode.ts"
export { diffLines } from "./merge/lineDiff.ts"
export { merge } from "./merge/merge.ts"
export { mergeTexts, mergeTextsInSteps } from "./merge/text.ts"
export { foldersOf, pagePathOf, parsePathLink, resolvePathLink, resolveSegments } from "./pagePaths.ts"
export * as Tree from "./Tree.ts"
