/** Compares documents by block, and the text of a block by word. */
import { type BlockNode, type InlineNode, textOf } from "../document/nodes.ts"
import { compareSequences, type SequenceChange } from "./compareSequences.ts"

/** A part of the comparison of documents. */
export type BlockChange =
  | { readonly kind: "same"; readonly blocks: ReadonlyArray<BlockNode> }
  | { readonly kind: "inserted"; readonly block: BlockNode }
  | { readonly kind: "deleted"; readonly block: BlockNode }
  | { readonly kind: "changed"; readonly before: BlockNode; readonly after: BlockNode }

/** Fields of nodes that are not content. */
const ignored = new Set(["key", "meta", "isVoid"])

/** Returns the content of a node as text: equal content has equal text. */
export const contentOf = (node: unknown): string =>
  JSON.stringify(node, (key, value: unknown) => (ignored.has(key) ? undefined : value))

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The part of the words that two blocks share above which one is an edit of the other. */
const minimumSimilarity = 0.3

/** Returns the part of the words that two blocks share, from 0 to 1; 0 for blocks of different types. */
export const similarityOf = (one: BlockNode, other: BlockNode): number => {
  if (one.type !== other.type) return 0
  const [first, second] = [wordsOf(textOf(one)), wordsOf(textOf(other))]
  if (first.length === 0 || second.length === 0) return first.length === second.length ? 1 : 0
  const remaining = new Map<string, number>()
  for (const word of first) remaining.set(word, (remaining.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of second) {
    const count = remaining.get(word) ?? 0
    if (count === 0) continue
    shared++
    remaining.set(word, count - 1)
  }
  return (2 * shared) / (first.length + second.length)
}

/** Pairs deleted blocks with inserted ones that are edits of them, in their order. */
const pairEdits = (
  deleted: ReadonlyArray<BlockNode>,
  inserted: ReadonlyArray<BlockNode>
): ReadonlyArray<BlockChange> => {
  const changes: Array<BlockChange> = []
  let next = 0
  for (const before of deleted) {
    const index = inserted.findIndex(
      (after, position) => position >= next && similarityOf(before, after) >= minimumSimilarity
    )
    if (index < 0) {
      changes.push({ kind: "deleted", block: before })
      continue
    }
    for (const block of inserted.slice(next, index)) changes.push({ kind: "inserted", block })
    changes.push({ kind: "changed", before, after: inserted[index]! })
    next = index + 1
  }
  return [...changes, ...inserted.slice(next).map((block): BlockChange => ({ kind: "inserted", block }))]
}

/** Compares the blocks of two documents. */
export const compareBlocks = (
  before: ReadonlyArray<BlockNode>,
  after: ReadonlyArray<BlockNode>
): ReadonlyArray<BlockChange> => {
  const changes: Array<BlockChange> = []
  let same: Array<BlockNode> = []
  let deleted: Array<BlockNode> = []
  let inserted: Array<BlockNode> = []
  const flush = () => {
    changes.push(...pairEdits(deleted, inserted))
    deleted = []
    inserted = []
  }
  for (const change of compareSequences(before, after, contentOf)) {
    if (change.kind === "same") {
      flush()
      same.push(change.after)
      continue
    }
    if (same.length > 0) changes.push({ kind: "same", blocks: same })
    same = []
    if (change.kind === "deleted") deleted.push(change.item)
    else inserted.push(change.item)
  }
  flush()
  return same.length > 0 ? [...changes, { kind: "same", blocks: same }] : changes
}

/** Returns the inline nodes of a block as one node per word, so that they can be compared. Links and marks remain. */
export const tokensOf = (nodes: ReadonlyArray<InlineNode>): ReadonlyArray<InlineNode> =>
  nodes.flatMap((node): ReadonlyArray<InlineNode> => {
    if (node.leaves !== undefined) {
      return node.leaves.flatMap((leaf) =>
        (leaf.text === "" ? [""] : (leaf.text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [])).map(
          (text) => ({
            object: "text",
            leaves: [{ ...leaf, text }]
          })
        )
      )
    }
    if (node.type !== "link" || node.nodes === undefined) return [node]
    return tokensOf(node.nodes).map((token) => ({ ...node, nodes: [token] }))
  })

type WordChange = SequenceChange<InlineNode>

const itemOf = (change: WordChange): InlineNode => (change.kind === "same" ? change.after : change.item)

/** Returns the leaf of a node that is text; `undefined` for another node. */
const leafOf = ({ leaves }: InlineNode) => (leaves?.length === 1 ? leaves[0] : undefined)

/** Returns the node of two words next to each other, or `undefined` if they have different marks, or are not text. */
const joinWords = (one: InlineNode, other: InlineNode): InlineNode | undefined => {
  const [first, second] = [leafOf(one), leafOf(other)]
  if (first === undefined || second === undefined) return undefined
  if (contentOf({ ...first, text: "" }) !== contentOf({ ...second, text: "" })) return undefined
  return { object: "text", leaves: [{ ...first, text: first.text + second.text }] }
}

/** Joins words with the same change and the same marks, so that code is one box, and a change one mark. */
const joinChanges = (changes: ReadonlyArray<WordChange>): ReadonlyArray<WordChange> => {
  const joined: Array<WordChange> = []
  for (const change of changes) {
    const last = joined.at(-1)
    const node = last?.kind === change.kind ? joinWords(itemOf(last), itemOf(change)) : undefined
    if (node === undefined) joined.push(change)
    else
      joined[joined.length - 1] =
        change.kind === "same"
          ? { kind: "same", before: node, after: node }
          : { kind: change.kind, item: node }
  }
  return joined
}

/** Compares the text of two blocks by word. */
export const compareWords = (
  before: ReadonlyArray<InlineNode>,
  after: ReadonlyArray<InlineNode>
): ReadonlyArray<WordChange> => joinChanges(compareSequences(tokensOf(before), tokensOf(after), contentOf))
