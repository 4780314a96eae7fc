/** Merges two changed versions of a document block by block. */
import type { DocumentNode } from "../convert/json.ts"
import type { MergedText } from "../markdown.ts"
import { alignBlocks, type Part } from "./alignBlocks.ts"

/** The functions of the Markdown engine that a merge calls. */
export interface MergeEngine {
  readonly fromMarkdown: (markdown: string) => ReadonlyArray<DocumentNode>
  readonly toMarkdown: (blocks: ReadonlyArray<DocumentNode>) => string
  readonly mergeTexts: (base: string, theirs: string, mine: string) => MergedText
}

/** A part of a merged document. */
export interface MergedPart {
  /** The indexes of the blocks of the writer that the part replaces. */
  readonly from: number
  readonly to: number
  /** The blocks of the part; `undefined` if the blocks of the writer remain. */
  readonly blocks: ReadonlyArray<DocumentNode> | undefined
  /** The blocks of the other version, if both changed the same block in different ways. */
  readonly conflict: ReadonlyArray<DocumentNode> | undefined
}

/** The fields that are derived from the position of a node, or from its text. */
const derived = new Set(["key", "meta", "isVoid"])

/** Returns a string that is equal for blocks with the same content. */
export const contentKey = (node: unknown): string =>
  JSON.stringify(node, (name, value: unknown) => {
    if (derived.has(name)) return undefined
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value
    const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    const isHeading =
      typeof (value as DocumentNode).type === "string" && (value as DocumentNode).type!.startsWith("heading")
    if (!isHeading) return Object.fromEntries(sorted)
    const { id: _, ...data } = ((value as DocumentNode).data ?? {}) as Readonly<Record<string, unknown>>
    return Object.fromEntries(sorted.map(([key, field]) => (key === "data" ? [key, data] : [key, field])))
  })

const isSame = (one: ReadonlyArray<DocumentNode>, other: ReadonlyArray<DocumentNode>): boolean =>
  one.length === other.length && one.every((node, index) => contentKey(node) === contentKey(other[index]))

/** The parts of blocks, which have no Markdown of their own. */
const parts = new Set(["list-item", "tabs-item", "stepper-step", "column", "update", "image"])

/** Merges blocks that both versions changed, as text. Returns `undefined` if they contradict each other. */
const mergeAsText = (
  engine: MergeEngine,
  { base, mine, theirs }: Part
): ReadonlyArray<DocumentNode> | undefined => {
  if (base.length === 0 || [...base, ...mine, ...theirs].some(({ type }) => parts.has(type ?? "")))
    return undefined
  const texts = [base, theirs, mine].map(engine.toMarkdown)
  // Blocks that Markdown represents in another form, such as links to pages by their ids, would change.
  const isExact = [base, theirs, mine].every((blocks, index) =>
    isSame(engine.fromMarkdown(texts[index]!), blocks)
  )
  if (!isExact) return undefined
  const merged = engine.mergeTexts(texts[0]!, texts[1]!, texts[2]!)
  return merged._tag === "Merged" ? engine.fromMarkdown(merged.text) : undefined
}

const childBlocks = (node: DocumentNode): ReadonlyArray<DocumentNode> | undefined =>
  node.nodes !== undefined &&
  node.nodes.length > 0 &&
  node.nodes.every(({ object }) => object === "block") &&
  node.type !== "code"
    ? node.nodes
    : undefined

/** Merges the blocks in a container, if both versions changed different ones. */
const mergeContainer = (
  engine: MergeEngine,
  base: DocumentNode,
  mine: DocumentNode,
  theirs: DocumentNode
): DocumentNode | undefined => {
  const [ofBase, ofMine, ofTheirs] = [childBlocks(base), childBlocks(mine), childBlocks(theirs)]
  if (ofBase === undefined || ofMine === undefined || ofTheirs === undefined) return undefined
  if (base.type !== mine.type || base.type !== theirs.type) return undefined
  const [dataOfBase, dataOfMine, dataOfTheirs] = [base, mine, theirs].map(({ data }) =>
    contentKey(data ?? {})
  )
  if (dataOfBase !== dataOfMine && dataOfBase !== dataOfTheirs && dataOfMine !== dataOfTheirs)
    return undefined
  const merged = mergeBlocks(engine, ofBase, ofMine, ofTheirs)
  if (merged.some(({ conflict }) => conflict !== undefined)) return undefined
  const data = dataOfBase === dataOfMine ? theirs.data : mine.data
  const { data: _, ...fields } = mine
  const nodes = merged.flatMap(({ blocks, from, to }) => blocks ?? ofMine.slice(from, to))
  return { ...fields, ...(data === undefined ? {} : { data }), nodes }
}

const mergeChanged = (engine: MergeEngine, part: Part): ReadonlyArray<DocumentNode> | undefined => {
  const { base, mine, theirs } = part
  if (base.length === 1 && mine.length === 1 && theirs.length === 1) {
    const container = mergeContainer(engine, base[0]!, mine[0]!, theirs[0]!)
    if (container !== undefined) return [container]
  }
  return mergeAsText(engine, part)
}

/** Divides a part in which both versions have as many blocks as the base into parts of one block. */
const divided = (part: Part): ReadonlyArray<Part> => {
  const { base, mine, theirs, from } = part
  if (base.length < 2 || base.length !== mine.length || base.length !== theirs.length) return [part]
  return base.map((block, index) => ({
    from: from + index,
    base: [block],
    mine: [mine[index]!],
    theirs: [theirs[index]!]
  }))
}

/** Merges the blocks of two versions. The parts are in order, and cover all blocks of the writer. */
export const mergeBlocks = (
  engine: MergeEngine,
  base: ReadonlyArray<DocumentNode>,
  mine: ReadonlyArray<DocumentNode>,
  theirs: ReadonlyArray<DocumentNode>
): ReadonlyArray<MergedPart> =>
  alignBlocks(base, mine, theirs, contentKey)
    .flatMap(divided)
    .map((part): MergedPart => {
      const place = { from: part.from, to: part.from + part.mine.length }
      if (isSame(part.base, part.theirs) || isSame(part.mine, part.theirs)) {
        return { ...place, blocks: undefined, conflict: undefined }
      }
      if (isSame(part.base, part.mine)) return { ...place, blocks: part.theirs, conflict: undefined }
      const merged = mergeChanged(engine, part)
      return { ...place, blocks: merged, conflict: merged === undefined ? part.theirs : undefined }
    })
