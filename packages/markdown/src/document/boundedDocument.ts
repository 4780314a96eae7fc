/** Converts Markdown to documents of bounded size, and such documents to whole ones. */
import type { Block } from "@lectern/model/document"
import {
  hasTooManyNodes,
  isTooLarge,
  type JsonDocument,
  maximumNodes,
  sizeOfDocument
} from "@lectern/model/document"
import { fromMarkdown } from "./fromMarkdown.ts"
import { toCode } from "./literalsFromMarkdown.ts"
import { type SourceRange, SourceRanges } from "./SourceRanges.ts"
import { wellFormed } from "./syntax.ts"

/** Returns the document of Markdown that is not parsed: a single code block. */
export const unparsedDocument = (markdown: string): JsonDocument => ({
  object: "document",
  data: {},
  nodes: [toCode(wellFormed(markdown).replace(/\n+$/, ""), { markdown: "verbatim" }, "0")]
})

/** A block with more nodes is replaced separately if it does not fit. If a smaller one does not fit, all further blocks are. */
const largeBlockNodes = maximumNodes / 8

/** The room for the code blocks that replace others, which have 4 nodes each. */
const reservedNodes = 100

/** Adjacent blocks that are presented as a code block with their Markdown, because the document would be too large. */
interface Replaced {
  readonly blocks: ReadonlyArray<Block>
  readonly range: SourceRange
  readonly code: Block
}

/** The blocks of a bounded document, and the blocks that code blocks replace. */
interface Bounded {
  readonly document: JsonDocument
  readonly replaced: ReadonlyArray<Replaced>
}

/** Divides the blocks of a document into runs of blocks that fit and of blocks that do not. */
const runsOf = ({ data, nodes }: JsonDocument): ReadonlyArray<{ fits: boolean; blocks: Array<Block> }> => {
  const runs: Array<{ fits: boolean; blocks: Array<Block> }> = []
  let used = { ...sizeOfDocument(data) }
  let isFull = false
  for (const block of nodes) {
    const own = sizeOfDocument(block)
    const next = { nodes: used.nodes + own.nodes, values: used.values + own.values }
    const fits = !isFull && !isTooLarge({ ...next, nodes: next.nodes + reservedNodes })
    if (fits) used = next
    else if (own.nodes <= largeBlockNodes || runs.length * 4 >= reservedNodes) isFull = true
    const last = runs.at(-1)
    if (last?.fits === fits) last.blocks.push(block)
    else runs.push({ fits, blocks: [block] })
  }
  return runs
}

/** Extends a range to the start of its line if only spaces precede it: the indentation of code is part of it. */
const withIndentation = (text: string, { start, end }: SourceRange): SourceRange => {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1
  return /^[ \t]*$/.test(text.slice(lineStart, start)) ? { start: lineStart, end } : { start, end }
}

/** Bounds a document that was parsed from `text`. Returns `undefined` if the place of a block is unknown. */
const bound = (document: JsonDocument, text: string, ranges: SourceRanges): Bounded | undefined => {
  const replaced: Array<Replaced> = []
  const nodes: Array<Block> = []
  for (const { fits, blocks } of runsOf(document)) {
    if (fits) {
      nodes.push(...blocks)
      continue
    }
    const [first, last] = [ranges.of(blocks[0]!), ranges.of(blocks.at(-1)!)]
    if (first === undefined || last === undefined) return undefined
    const range = withIndentation(text, { start: first.start, end: last.end })
    const source = text.slice(range.start, range.end)
    const code = toCode(source, { markdown: "verbatim" }, blocks[0]!.key ?? String(nodes.length), 1)
    nodes.push(code)
    replaced.push({ blocks, range, code })
  }
  const isOutside = (node: object): boolean => {
    const range = ranges.of(node)
    return range === undefined || !replaced.some((one) => contains(one.range, range))
  }
  const { definitions, footnotes, ...data } = document.data
  const kept = {
    definitions: definitions?.filter(isOutside) ?? [],
    footnotes: footnotes?.filter(isOutside) ?? []
  }
  return {
    replaced,
    document: {
      ...document,
      data: {
        ...data,
        ...(kept.definitions.length === 0 ? {} : { definitions: kept.definitions }),
        ...(kept.footnotes.length === 0 ? {} : { footnotes: kept.footnotes })
      },
      nodes
    }
  }
}

const contains = (outer: SourceRange, inner: SourceRange): boolean =>
  outer.start <= inner.start && inner.end <= outer.end

/**
 * Converts Markdown to a document. If the document is too large to be sent, code blocks with the Markdown replace the
 * blocks that do not fit; if these cannot be located, one code block has the whole Markdown.
 */
export const boundedFromMarkdown = (markdown: string): JsonDocument => {
  const ranges = new SourceRanges()
  const document = fromMarkdown(markdown, ranges)
  if (!hasTooManyNodes(document)) return document
  const bounded = bound(document, wellFormed(markdown), ranges)?.document
  return bounded === undefined || hasTooManyNodes(bounded) ? unparsedDocument(markdown) : bounded
}

/**
 * Returns `document` with the blocks that code blocks replaced when it was read from the Markdown of `current`, so that
 * only its other blocks are compared. Code blocks with changed Markdown remain.
 */
export const withReplacedBlocks = (
  document: JsonDocument,
  current: JsonDocument,
  text: string,
  ranges: SourceRanges
): JsonDocument => {
  if (!hasTooManyNodes(current)) return document
  const bounded = bound(current, text, ranges)
  if (bounded === undefined) return document
  const blocksByText = new Map(bounded.replaced.map(({ code, blocks }) => [verbatimOf(code), blocks]))
  let isComplete = false
  const nodes = document.nodes.flatMap((block): ReadonlyArray<Block> => {
    const text = verbatimOf(block)
    const blocks = text === undefined ? undefined : blocksByText.get(text)
    if (blocks !== undefined) isComplete = true
    return blocks ?? [block]
  })
  if (!isComplete) return document
  const withOmitted = <A extends { readonly label: string }>(
    sent: ReadonlyArray<A> = [],
    presented: ReadonlyArray<A> = [],
    all: ReadonlyArray<A> = []
  ): ReadonlyArray<A> => {
    const labels = new Set(presented.map(({ label }) => label))
    const omitted = all.filter(({ label }) => !labels.has(label))
    return JSON.stringify(sent) === JSON.stringify(presented) ? all : [...sent, ...omitted]
  }
  const [sent, presented, all] = [document.data, bounded.document.data, current.data]
  const definitions = withOmitted(sent.definitions, presented.definitions, all.definitions)
  const footnotes = withOmitted(sent.footnotes, presented.footnotes, all.footnotes)
  return {
    ...document,
    data: {
      ...sent,
      ...(definitions.length === 0 ? {} : { definitions }),
      ...(footnotes.length === 0 ? {} : { footnotes })
    },
    nodes
  }
}

/** Returns the Markdown of a code block that replaces others. */
const verbatimOf = (block: Block): string | undefined =>
  block.type === "code" && block.data.markdown === "verbatim"
    ? block.nodes
        .map(({ nodes }) =>
          nodes
            .flatMap((node) => (node.object === "text" ? node.leaves.map(({ text }) => text) : []))
            .join("")
        )
        .join("\n")
    : undefined
