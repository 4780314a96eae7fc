/** Compares two sequences by the longest common subsequence. */

/** A part of the comparison. */
export type SequenceChange<Item> =
  | { readonly kind: "same"; readonly before: Item; readonly after: Item }
  | { readonly kind: "inserted"; readonly item: Item }
  | { readonly kind: "deleted"; readonly item: Item }

/** The maximum number of comparisons. Longer sequences are replaced as a whole between their common ends. */
const maximumComparisons = 4_000_000

/** Returns the lengths of the longest common subsequences of all suffixes, row by row. */
const lengthsOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): Uint32Array => {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengths[(row + 1) * width + column + 1]! + 1
          : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!)
    }
  }
  return lengths
}

const compareMiddle = <Item>(
  before: ReadonlyArray<Item>,
  after: ReadonlyArray<Item>,
  keyOf: (item: Item) => string
): ReadonlyArray<SequenceChange<Item>> => {
  const deleted = (item: Item): SequenceChange<Item> => ({ kind: "deleted", item })
  const inserted = (item: Item): SequenceChange<Item> => ({ kind: "inserted", item })
  if (before.length * after.length > maximumComparisons)
    return [...before.map(deleted), ...after.map(inserted)]
  const [beforeKeys, afterKeys] = [before.map(keyOf), after.map(keyOf)]
  const lengths = lengthsOf(beforeKeys, afterKeys)
  const width = after.length + 1
  const changes: Array<SequenceChange<Item>> = []
  let row = 0
  let column = 0
  while (row < before.length && column < after.length) {
    if (beforeKeys[row] === afterKeys[column]) {
      changes.push({ kind: "same", before: before[row++]!, after: after[column++]! })
    } else if (lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!) {
      changes.push(deleted(before[row++]!))
    } else changes.push(inserted(after[column++]!))
  }
  return [...changes, ...before.slice(row).map(deleted), ...after.slice(column).map(inserted)]
}

/** Compares two sequences. Items with the same key are the same. */
export const compareSequences = <Item>(
  before: ReadonlyArray<Item>,
  after: ReadonlyArray<Item>,
  keyOf: (item: Item) => string
): ReadonlyArray<SequenceChange<Item>> => {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && keyOf(before[start]!) === keyOf(after[start]!)) start++
  let end = 0
  while (end < shortest - start && keyOf(before.at(-1 - end)!) === keyOf(after.at(-1 - end)!)) end++
  const same = (from: number, to: number, offset: number) =>
    before
      .slice(from, to)
      .map(
        (item, index): SequenceChange<Item> => ({ kind: "same", before: item, after: after[index + offset]! })
      )
  return [
    ...same(0, start, 0),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end), keyOf),
    ...same(before.length - end, before.length, after.length - end)
  ]
}
