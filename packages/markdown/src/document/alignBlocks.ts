/** Aligns the sibling blocks of two versions of a document by their content. */
import { alignSequences, bestPairs } from "./alignSequences.ts"

/** A block to align. */
export interface Alignable {
  readonly type: string
  /** The content of the block, independent of its position. */
  readonly content: string
}

/** Pairs of blocks, from the index in the current version to the index in the earlier one. Other blocks are not in pairs. */
export interface Pairs {
  /** Blocks with the same content in the same order. */
  readonly unchanged: ReadonlyMap<number, number>
  /** Blocks whose content changed at their place. */
  readonly changed: ReadonlyMap<number, number>
  /** Blocks with the same content at another place. */
  readonly moved: ReadonlyMap<number, number>
}

type Blocks = ReadonlyArray<Alignable>

/** Aligns two versions of siblings. */
export const alignBlocks = (current: Blocks, base: Blocks): Pairs => {
  const numbers = new Map<string, number>()
  const numbersOf = (blocks: Blocks) =>
    blocks.map(({ content }) => {
      const number = numbers.get(content) ?? numbers.size
      numbers.set(content, number)
      return number
    })
  const unchanged = new Map(alignSequences(numbersOf(current), numbersOf(base)))
  const [matched, earlier] = [new Set(unchanged.keys()), new Set(unchanged.values())]
  const moved = new Map<number, number>()
  const byContent = new Map<string, Array<number>>()
  base.forEach(({ content }, index) => {
    if (!earlier.has(index)) byContent.set(content, [...(byContent.get(content) ?? []), index])
  })
  current.forEach(({ content }, index) => {
    const origin = matched.has(index) ? undefined : byContent.get(content)?.shift()
    if (origin === undefined) return
    moved.set(index, origin)
    matched.add(index)
    earlier.add(origin)
  })

  const changed = new Map<number, number>()
  const ends: ReadonlyArray<readonly [number, number]> = [...unchanged, [current.length, base.length]]
  let [start, from] = [0, 0]
  for (const [end, to] of ends) {
    const left = range(start, end).filter((index) => !matched.has(index))
    const right = range(from, to).filter((index) => !earlier.has(index))
    for (const [index, at] of pairChanges(current, base, left, right)) changed.set(index, at)
    ;[start, from] = [end + 1, to + 1]
  }
  return { unchanged, changed, moved }
}

const range = (start: number, end: number): ReadonlyArray<number> =>
  Array.from({ length: end - start }, (_, index) => start + index)

/** Pairs the blocks of one type that replace each other between two unchanged blocks: in order, the most similar ones. */
const pairChanges = (
  current: Blocks,
  base: Blocks,
  left: ReadonlyArray<number>,
  right: ReadonlyArray<number>
): ReadonlyArray<readonly [number, number]> => {
  // A single block that was replaced, possibly with a block of another type.
  if (left.length === 1 && right.length === 1) return [[left[0]!, right[0]!]]
  if (left.length * right.length > maximumSimilarities) return []
  const [ones, others] = [
    left.map((index) => characterPairsOf(current[index]!)),
    right.map((at) => characterPairsOf(base[at]!))
  ]
  // Equal types outweigh similarity, so that as many blocks as possible are pairs.
  const pairs = bestPairs(left.length, right.length, (i, j) =>
    current[left[i]!]!.type === base[right[j]!]!.type ? 1 + similarityOf(ones[i]!, others[j]!) : 0
  )
  return pairs.map(([i, j]) => [left[i]!, right[j]!] as const)
}

/** The maximum number of pairs of changed blocks whose similarity is computed. */
const maximumSimilarities = 10_000

/** The number of characters of a block that its similarity to others depends on. */
const comparedCharacters = 500

const characterPairsOf = ({ content }: Alignable): ReadonlySet<string> => {
  const text = content.slice(0, comparedCharacters)
  return new Set(
    Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2))
  )
}

/** The similarity of two blocks, 0 to 1: the Dice coefficient of their pairs of characters. */
const similarityOf = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
  if (one.size + other.size === 0) return 0
  let shared = 0
  for (const pair of one) if (other.has(pair)) shared++
  return (2 * shared) / (one.size + other.size)
}
