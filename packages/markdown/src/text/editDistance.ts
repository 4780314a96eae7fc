/** The distance between a misspelled word and the right one. */

/**
 * Returns the number of insertions, deletions, replacements and swaps of adjacent characters between two strings, or
 * `maximum + 1` if there are more (the Damerau–Levenshtein distance, without repeated edits of a substring).
 */
export const editDistance = (one: string, other: string, maximum: number): number => {
  if (Math.abs(one.length - other.length) > maximum) return maximum + 1
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    let lowest = i
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        distance = Math.min(distance, beforeLast[j - 2]! + 1)
      }
      row.push(distance)
      lowest = Math.min(lowest, distance)
    }
    if (lowest > maximum) return maximum + 1
    ;[beforeLast, last] = [last, row]
  }
  return Math.min(last[other.length]!, maximum + 1)
}
