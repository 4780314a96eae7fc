/** The parts of a merged text as blocks, so that conflicts are displayed as readers see them. */
import { fromMarkdown, SourceRanges } from "@lectern/markdown/document"
import type { MergeChunk } from "../../diff/mergeLines.ts"
import type { BlockNode } from "../../document/nodes.ts"

/** The blocks of a part of a merged text, as far as its sides have them. */
export interface RenderedChunk {
  readonly base: ReadonlyArray<BlockNode>
  readonly theirs: ReadonlyArray<BlockNode>
  readonly ours: ReadonlyArray<BlockNode>
  /** Whether their side ends with a paragraph, and ours begins with one. */
  readonly areParagraphs: boolean
}

/** The blocks of a merged text with one side of every part, and the range of each part. */
interface Version {
  readonly blocks: ReadonlyArray<{ readonly node: BlockNode; readonly start: number; readonly end: number }>
  /** The first offset of each part, and the offset after its last character. */
  readonly offsets: ReadonlyArray<readonly [start: number, end: number]>
}

const parse = (
  chunks: ReadonlyArray<MergeChunk>,
  side: (chunk: MergeChunk) => ReadonlyArray<string>
): Version => {
  const offsets: Array<readonly [number, number]> = []
  const lines: Array<string> = []
  let length = 0
  for (const chunk of chunks) {
    const own = side(chunk)
    const start = length
    for (const line of own) length += line.length + 1
    offsets.push([start, own.length === 0 ? start : length - 1])
    lines.push(...own)
  }
  const ranges = new SourceRanges()
  const { nodes } = fromMarkdown(lines.join("\n"), ranges)
  const blocks = nodes.flatMap((block) => {
    const range = ranges.of(block)
    return range === undefined ? [] : [{ node: block as unknown as BlockNode, ...range }]
  })
  return { blocks, offsets }
}

/** Returns the blocks that a part is in, as a whole: a changed row is displayed in its table. */
const blocksOfPart = ({ blocks, offsets }: Version, index: number): ReadonlyArray<BlockNode> => {
  const [from, to] = offsets[index]!
  return blocks.filter(({ start, end }) => start < Math.max(to, from) && end > from).map(({ node }) => node)
}

/** Whether a paragraph of a part has an offset as its first, or as the one after its last character. */
const hasParagraph = ({ blocks, offsets }: Version, index: number, edge: "start" | "end"): boolean => {
  const [from, to] = offsets[index]!
  return blocks.some(
    ({ node, start, end }) =>
      node.type === "paragraph" &&
      start >= from &&
      end <= to &&
      (edge === "start" ? start === from : end === to)
  )
}

/** Marks the conflicts of paragraphs. */
export const markParagraphs = (
  chunks: ReadonlyArray<MergeChunk>,
  rendered: ReadonlyArray<RenderedChunk>
): ReadonlyArray<MergeChunk> =>
  chunks.map((chunk, index) =>
    chunk.kind === "conflict" && rendered[index]!.areParagraphs ? { ...chunk, areParagraphs: true } : chunk
  )

/** Returns the blocks of each part: of its sides for a conflict, and of before and after it for a part that merged automatically. */
export const renderChunks = (chunks: ReadonlyArray<MergeChunk>): ReadonlyArray<RenderedChunk> => {
  const settled = (chunk: MergeChunk, side: "base" | "theirs" | "ours") =>
    chunk.kind === "settled" ? chunk.lines : chunk[side]
  const base = parse(chunks, (chunk) => settled(chunk, "base"))
  const theirs = parse(chunks, (chunk) => settled(chunk, "theirs"))
  const ours = parse(chunks, (chunk) => settled(chunk, "ours"))
  const before = parse(chunks, (chunk) =>
    chunk.kind === "settled" && chunk.from !== undefined ? chunk.from.base : settled(chunk, "base")
  )
  return chunks.map(({ kind }, index) => ({
    base: blocksOfPart(kind === "settled" ? before : base, index),
    theirs: blocksOfPart(theirs, index),
    ours: blocksOfPart(ours, index),
    areParagraphs: hasParagraph(theirs, index, "end") && hasParagraph(ours, index, "start")
  }))
}
