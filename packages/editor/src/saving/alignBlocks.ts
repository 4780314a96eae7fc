/** Aligns three versions of a list of blocks. */

/** Blocks of three versions that correspond to each other. */
export interface AlignedPart<Block> {
  /** The index of the first block in the version of the writer. */
  readonly from: number
  readonly base: ReadonlyArray<Block>
  readonly mine: ReadonlyArray<Block>
  readonly theirs: ReadonlyArray<Block>
}

/** Blocks of three versions of a document that correspond to each other. */
export type Part = AlignedPart<import("../convert/json.ts").DocumentNode>

/** The largest number of edits that is searched. Versions with more are compared as a whole. */
const maximumEdits = 1_000

/** Returns the pairs of equal items of a longest common subsequence, by the algorithm of Myers. */
export const commonPairs = (
  one: ReadonlyArray<string>,
  other: ReadonlyArray<string>
): ReadonlyArray<readonly [number, number]> => {
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  const pairs: Array<readonly [number, number]> = []
  for (let index = 0; index < start; index++) pairs.push([index, index])
  const middle = myers(one.slice(start, one.length - end), other.slice(start, other.length - end))
  for (const [left, right] of middle) pairs.push([left + start, right + start])
  for (let index = end; index > 0; index--) pairs.push([one.length - index, other.length - index])
  return pairs
}

const myers = (
  one: ReadonlyArray<string>,
  other: ReadonlyArray<string>
): ReadonlyArray<readonly [number, number]> => {
  const [n, m] = [one.length, other.length]
  if (n === 0 || m === 0) return []
  const limit = Math.min(n + m, maximumEdits)
  const trace: Array<Map<number, number>> = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(new Map(furthest))
    const next = new Map(furthest)
    for (let k = -edits; k <= edits; k += 2) {
      const isDown =
        k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1))
      let x = isDown ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1
      let y = x - k
      while (x < n && y < m && one[x] === other[y]) {
        x++
        y++
      }
      next.set(k, x)
      if (x >= n && y >= m) return backtrack(trace, n, m)
    }
    furthest = next
  }
  return []
}

const backtrack = (
  trace: ReadonlyArray<ReadonlyMap<number, number>>,
  n: number,
  m: number
): ReadonlyArray<readonly [number, number]> => {
  const pairs: Array<readonly [number, number]> = []
  let [x, y] = [n, m]
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits]!
    const k = x - y
    const isDown = k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1))
    const previousK = isDown ? k + 1 : k - 1
    const previousX = edits === 0 ? 0 : (furthest.get(previousK) ?? 0)
    const previousY = edits === 0 ? 0 : previousX - previousK
    while (x > previousX && y > previousY) {
      x--
      y--
      pairs.push([x, y])
    }
    ;[x, y] = [previousX, previousY]
  }
  return pairs.reverse()
}

/** Divides three versions into parts, at the blocks that all of them have. */
export const alignBlocks = <Block>(
  base: ReadonlyArray<Block>,
  mine: ReadonlyArray<Block>,
  theirs: ReadonlyArray<Block>,
  keyOf: (block: Block) => string
): ReadonlyArray<AlignedPart<Block>> => {
  const [baseKeys, mineKeys, theirKeys] = [base.map(keyOf), mine.map(keyOf), theirs.map(keyOf)]
  const inMine = new Map(commonPairs(baseKeys, mineKeys))
  const inTheirs = new Map(commonPairs(baseKeys, theirKeys))
  const parts: Array<AlignedPart<Block>> = []
  let [at, mineAt, theirsAt] = [0, 0, 0]
  const push = (to: number, mineTo: number, theirsTo: number): void => {
    if (to > at || mineTo > mineAt || theirsTo > theirsAt) {
      parts.push({
        from: mineAt,
        base: base.slice(at, to),
        mine: mine.slice(mineAt, mineTo),
        theirs: theirs.slice(theirsAt, theirsTo)
      })
    }
    ;[at, mineAt, theirsAt] = [to, mineTo, theirsTo]
  }
  for (let index = 0; index < base.length; index++) {
    const [ofMine, ofTheirs] = [inMine.get(index), inTheirs.get(index)]
    if (ofMine === undefined || ofTheirs === undefined) continue
    // The blocks before a stable one are a part, and the stable block is another one.
    push(index, ofMine, ofTheirs)
    push(index + 1, ofMine + 1, ofTheirs + 1)
  }
  push(base.length, mine.length, theirs.length)
  return parts
}
