/** Aligns two sequences of numbers. */

/** The indexes of equal elements of the two sequences. */
export type Alignment = ReadonlyArray<readonly [before: number, after: number]>

/** The maximum number of pairs that are compared between two anchors. Larger sections are not aligned. */
const maximumPairs = 1_000_000

/**
 * Finds equal elements in the same order in both sequences. Elements that occur once in each sequence are anchors, and
 * the elements between anchors are aligned by their longest common subsequence. It takes linear time for sequences
 * whose elements are distinct, and at most a constant time per anchor for others.
 */
export const alignSequences = (before: ReadonlyArray<number>, after: ReadonlyArray<number>): Alignment => {
  const aligned: Array<readonly [number, number]> = []
  let [lastBefore, lastAfter] = [0, 0]
  for (const [at, other] of [...anchorsOf(before, after), [before.length, after.length] as const]) {
    alignSection(before, after, [lastBefore, at], [lastAfter, other], aligned)
    if (at < before.length) aligned.push([at, other])
    lastBefore = at + 1
    lastAfter = other + 1
  }
  return aligned
}

/** Aligns a section without anchors: its equal start, its equal end, and the elements between them. */
const alignSection = (
  before: ReadonlyArray<number>,
  after: ReadonlyArray<number>,
  [fromBefore, toBefore]: readonly [number, number],
  [fromAfter, toAfter]: readonly [number, number],
  aligned: Array<readonly [number, number]>
): void => {
  let [startBefore, startAfter, endBefore, endAfter] = [fromBefore, fromAfter, toBefore, toAfter]
  while (startBefore < endBefore && startAfter < endAfter && before[startBefore] === after[startAfter]) {
    aligned.push([startBefore++, startAfter++])
  }
  while (startBefore < endBefore && startAfter < endAfter && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore--
    endAfter--
  }
  const one = before.slice(startBefore, endBefore)
  const other = after.slice(startAfter, endAfter)
  if (one.length * other.length <= maximumPairs) {
    for (const [a, b] of bestPairs(one.length, other.length, (a, b) => (one[a] === other[b] ? 1 : 0))) {
      aligned.push([startBefore + a, startAfter + b])
    }
  }
  for (let index = endBefore; index < toBefore; index++) aligned.push([index, endAfter + index - endBefore])
}

/** Returns the pairs of indexes in increasing order with the highest total score. Pairs with the score 0 are omitted. */
export const bestPairs = (
  countBefore: number,
  countAfter: number,
  scoreOf: (before: number, after: number) => number
): Alignment => {
  if (countBefore === 0 || countAfter === 0) return []
  const width = countAfter + 1
  const best = new Float64Array((countBefore + 1) * width)
  const scores = new Float64Array(countBefore * countAfter)
  for (let a = countBefore - 1; a >= 0; a--) {
    for (let b = countAfter - 1; b >= 0; b--) {
      const score = scoreOf(a, b)
      scores[a * countAfter + b] = score
      best[a * width + b] = Math.max(
        best[(a + 1) * width + b]!,
        best[a * width + b + 1]!,
        score === 0 ? 0 : score + best[(a + 1) * width + b + 1]!
      )
    }
  }
  const pairs: Array<readonly [number, number]> = []
  for (let a = 0, b = 0; a < countBefore && b < countAfter; ) {
    const value = best[a * width + b]!
    const score = scores[a * countAfter + b]!
    if (score > 0 && value === score + best[(a + 1) * width + b + 1]!) pairs.push([a++, b++])
    else if (value === best[(a + 1) * width + b]!) a++
    else b++
  }
  return pairs
}

const indexesOfUnique = (sequence: ReadonlyArray<number>): ReadonlyMap<number, number> => {
  const indexes = new Map<number, number>()
  for (const [index, element] of sequence.entries()) indexes.set(element, indexes.has(element) ? -1 : index)
  return indexes
}

/** Returns the longest sequence of anchors that are in the same order in both sequences. */
const anchorsOf = (before: ReadonlyArray<number>, after: ReadonlyArray<number>): Alignment => {
  const inAfter = indexesOfUnique(after)
  const candidates = [...indexesOfUnique(before)].flatMap(([element, at]) => {
    const other = inAfter.get(element) ?? -1
    return at < 0 || other < 0 ? [] : [[at, other] as const]
  })
  candidates.sort(([a], [b]) => a - b)
  // Longest increasing subsequence: `ends[n]` is the candidate that ends the best increasing sequence of length n + 1.
  const ends: Array<number> = []
  const previous: Array<number> = []
  for (const [index, [, other]] of candidates.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (candidates[ends[middle]!]![1] < other) low = middle + 1
      else high = middle
    }
    previous[index] = low === 0 ? -1 : ends[low - 1]!
    ends[low] = index
  }
  const anchors: Array<readonly [number, number]> = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) anchors.push(candidates[at]!)
  return anchors.reverse()
}
