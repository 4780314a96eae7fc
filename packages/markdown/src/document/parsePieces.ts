/**
 * Parses Markdown, and caches the trees of its pieces, so that a version of a page parses only the pieces that no version before
 * has. The tree is that of parsing the whole text (see docs/decisions/0091-incremental-parsing.md).
 */
import { LRUCache } from "lru-cache"
import type { Root, RootContent } from "mdast"
import { CompactTrees } from "./compactTrees.ts"
import { isWithinBudget, ParseBudgetExceeded } from "./parseBudget.ts"
import { isTooExpensiveToParse } from "./parseCost.ts"
import { ParseCosts, type PieceCost } from "./parseCosts.ts"
import { type Labels, noLabels, parseText } from "./parseText.ts"
import { type Piece, piecesOf } from "./pieces.ts"

/** The maximum size of the cached trees, in bytes. */
const maximumCacheBytes = 16 * 1024 * 1024

/** Shorter Markdown is parsed as fast as it is split. */
const minimumLength = 400

/** A paragraph after pieces that are parsed without the pieces after them, which it represents. */
const sentinel = "x"

/** A parsed piece. */
interface ParsedPiece {
  readonly trees: CompactTrees
  readonly cost: PieceCost
}

/** Parsed pieces by their text and the labels of their document. */
const parsedPieces = new LRUCache<string, ParsedPiece>({
  maxSize: maximumCacheBytes,
  sizeCalculation: ({ trees }, key) => trees.bytes + 2 * key.length
})

/** The labels that pieces define, by their text. Only pieces that can define any are cached. */
const labelsOfPieces = new LRUCache<string, Labels>({
  maxSize: maximumCacheBytes / 16,
  sizeCalculation: ({ definitions, footnotes }, key) =>
    200 + 2 * key.length + 2 * (definitions.join().length + footnotes.join().length)
})

/**
 * Empties the caches of parsed pieces. The trees of documents do not depend on them, but how much of an edit is parsed before its
 * transaction does, and with it the order of concurrent calls: a simulation begins with empty ones.
 */
export const clearParsedPieces = (): void => {
  parsedPieces.clear()
  labelsOfPieces.clear()
}

/** Thrown if the pieces of a document cannot be parsed separately. */
class PiecesDepend extends Error {}

const inOrder = (labels: Iterable<string>): ReadonlyArray<string> => [...new Set(labels)].sort()

/** Returns the labels that a piece defines. */
const labelsOf = (text: string): Labels => {
  if (!text.includes("]:")) return noLabels
  const cached = labelsOfPieces.get(text)
  if (cached !== undefined) return cached
  const { labels } = parseText(text)
  const found = labels.definitions.length + labels.footnotes.length === 0 ? noLabels : labels
  labelsOfPieces.set(text, found)
  return found
}

/** Returns all labels in an order that does not depend on the order of the pieces that define them. */
const allLabels = (labels: ReadonlyArray<Labels>): Labels => {
  const all = labels.filter((one) => one !== noLabels)
  if (all.length === 0) return noLabels
  return {
    definitions: inOrder(all.flatMap(({ definitions }) => definitions)),
    footnotes: inOrder(all.flatMap(({ footnotes }) => footnotes))
  }
}

/** Returns the keys of the trees of pieces: their text and the labels of the whole text. */
const keysOf = (pieces: ReadonlyArray<Piece>, labels: Labels): ReadonlyArray<string> => {
  const context = labels === noLabels ? "" : JSON.stringify([labels.definitions, labels.footnotes])
  // The last piece ends with the text, not with an empty line and further text.
  return pieces.map(({ text }, index) => `${context}${index === pieces.length - 1 ? "." : ","}${text}`)
}

/** Splits the blocks of adjacent pieces. Throws `PiecesDepend` if a block is in two of them. */
const splitBlocks = (
  blocks: ReadonlyArray<RootContent>,
  pieces: ReadonlyArray<Piece>,
  length: number
): ReadonlyArray<ReadonlyArray<RootContent>> => {
  const first = pieces[0]!.start
  let at = 0
  const all = pieces.map((_, index) => {
    const end = index + 1 < pieces.length ? pieces[index + 1]!.start - first : length
    const own: Array<RootContent> = []
    for (; at < blocks.length && blocks[at]!.position!.start.offset! < end; at++) {
      if (blocks[at]!.position!.end.offset! > end) throw new PiecesDepend()
      own.push(blocks[at]!)
    }
    return own
  })
  return all
}

/** Removes the sentinel from the blocks of pieces. Throws `PiecesDepend` if it is in a block of them. */
const withoutSentinel = (blocks: ReadonlyArray<RootContent>, length: number): ReadonlyArray<RootContent> => {
  const last = blocks.at(-1)
  if (last?.type !== "paragraph" || last.position?.start.offset !== length) throw new PiecesDepend()
  return blocks.slice(0, -1)
}

/** Pieces that are parsed together. */
interface Run {
  readonly pieces: ReadonlyArray<Piece>
  /** Whether the text ends with them. */
  readonly isLast: boolean
}

/** Parses adjacent pieces. */
const parseRun = ({ pieces, isLast }: Run, labels: Labels): ReadonlyArray<ParsedPiece> => {
  const text = pieces.map((piece) => piece.text).join("")
  const { start, line } = pieces[0]!
  const costs = new ParseCosts(pieces.map((piece) => piece.start - start))
  const { root } = parseText(isLast ? text : text + sentinel, { costs, labels })
  const blocks = isLast ? root.children : withoutSentinel(root.children, text.length)
  return splitBlocks(blocks, pieces, text.length).map((own, index) => {
    const piece = pieces[index]!
    const origin = { offset: piece.start - start, line: piece.line - line }
    return { trees: new CompactTrees(own, origin), cost: costs.pieces[index]! }
  })
}

/** Returns runs of the pieces that are not cached. */
const runsOf = (pieces: ReadonlyArray<Piece>, isCached: (index: number) => boolean): ReadonlyArray<Run> => {
  const runs: Array<{ pieces: Array<Piece>; isLast: boolean }> = []
  let current: { pieces: Array<Piece>; isLast: boolean } | undefined
  for (const [index, piece] of pieces.entries()) {
    if (isCached(index)) current = undefined
    else {
      if (current === undefined) {
        current = { pieces: [], isLast: false }
        runs.push(current)
      }
      current.pieces.push(piece)
      current.isLast = index === pieces.length - 1
    }
  }
  return runs
}

/** Parses Markdown from the cached and the other pieces. */
const assemble = (text: string, pieces: ReadonlyArray<Piece>): Root => {
  const labels = allLabels(pieces.map((piece) => labelsOf(piece.text)))
  const keys = keysOf(pieces, labels)
  const parsed = new Map<Piece, ParsedPiece>()
  for (const [index, key] of keys.entries()) {
    const cached = parsedPieces.get(key)
    if (cached !== undefined) parsed.set(pieces[index]!, cached)
  }
  const keyOf = new Map(pieces.map((piece, index) => [piece, keys[index]!]))
  for (const run of runsOf(pieces, (index) => parsed.has(pieces[index]!))) {
    for (const [index, one] of parseRun(run, labels).entries()) {
      const piece = run.pieces[index]!
      parsed.set(piece, one)
      parsedPieces.set(keyOf.get(piece)!, one)
    }
  }
  const all = pieces.map((piece) => parsed.get(piece)!)
  if (
    !isWithinBudget(
      text.length,
      all.map(({ cost }) => cost)
    )
  )
    throw new PiecesDepend()
  return {
    type: "root",
    children: all.flatMap(({ trees }, index) => trees.at(pieces[index]!)),
    position: positionOf(text, pieces.at(-1)!)
  }
}

/** Returns the position of the root of a tree. */
const positionOf = (text: string, { start, line }: Piece): NonNullable<Root["position"]> => {
  const lines = text.slice(start).split("\n")
  return {
    start: { line: 1, column: 1, offset: 0 },
    end: { line: line + lines.length, column: lines.at(-1)!.length + 1, offset: text.length }
  }
}

/**
 * Returns the number of characters of Markdown that are in no cached piece, without parsing it. Markdown that is too expensive to
 * parse is not divided, as millions of lines would take long: it has no cached pieces.
 */
export const newLengthOf = (markdown: string): number => {
  if (isTooExpensiveToParse(markdown)) return markdown.length
  const pieces = piecesOf(markdown)
  const labels = pieces.map(({ text }) => (text.includes("]:") ? labelsOfPieces.peek(text) : noLabels))
  if (labels.includes(undefined)) return markdown.length
  const keys = keysOf(pieces, allLabels(labels.flatMap((one) => one ?? [])))
  return pieces.reduce((sum, { text }, at) => (parsedPieces.has(keys[at]!) ? sum : sum + text.length), 0)
}

/** Parses well-formed Markdown. It throws as `parseText` does. */
export const parsePieces = (text: string): Root => {
  const pieces = text.length < minimumLength ? [] : piecesOf(text)
  if (pieces.length < 2) return parseText(text).root
  try {
    return assemble(text, pieces)
  } catch (error) {
    if (
      error instanceof PiecesDepend ||
      error instanceof ParseBudgetExceeded ||
      error instanceof RangeError
    ) {
      return parseText(text).root
    }
    throw error
  }
}
