/** Transfers the difference between two normalized strings to a source that is written in another style. */
import { alignSequences } from "./alignSequences.ts"
import type { SourceRange } from "./SourceRanges.ts"

/** The replacement of a range of the source. */
export interface Replacement extends SourceRange {
  readonly text: string
}

/** The maximum length of a string, in UTF-16 code units. Longer blocks are replaced as a whole. */
const maximumLength = 50_000

/** Matches words, whitespace, and single other characters. */
const tokenPattern = /\n|[^\S\n]+|[\p{L}\p{N}]+|./gsu

const tokensOf = (text: string): ReadonlyArray<string> => text.match(tokenPattern) ?? []

const looseForms: Readonly<Record<string, string>> = { _: "*", "'": '"' }

/** Returns equal strings for tokens that have equal meanings in most places: whitespace, emphasis and quotes. */
const looseForm = (token: string): string =>
  token !== "\n" && token.trim() === "" ? " " : (looseForms[token] ?? token)

/**
 * Returns the edits of `source` that correspond to the change from `before` to `after`, which are the normalized
 * versions of a block. `source` has the meaning of `before`. Returns undefined for long strings. The edits can be
 * wrong, so that callers must parse their result.
 *
 * @example
 * transplantEdits("| a   |\n|:--|", "| a |\n| :-- |", "| b |\n| :-- |") // [{ start: 2, end: 3, text: "b" }]
 */
export const transplantEdits = (
  source: string,
  before: string,
  after: string
): ReadonlyArray<Replacement> | undefined => {
  if (Math.max(source.length, before.length, after.length) > maximumLength) return undefined
  const numbers = new Map<string, number>()
  const numberOf = (token: string): number => {
    const number = numbers.get(token) ?? numbers.size
    numbers.set(token, number)
    return number
  }
  const [written, old, fresh] = [tokensOf(source), tokensOf(before), tokensOf(after)]
  const counterparts = new Map(
    alignSequences(
      old.map((token) => numberOf(looseForm(token))),
      written.map((token) => numberOf(looseForm(token)))
    )
  )
  const offsets = [0]
  for (const token of written) offsets.push(offsets.at(-1)! + token.length)
  return changesOf(old.map(numberOf), fresh.map(numberOf), counterparts).map(({ from, to, start, end }) => ({
    start: offsets[from === 0 ? 0 : counterparts.get(from - 1)! + 1]!,
    end: offsets[to === old.length ? written.length : counterparts.get(to)!]!,
    text: fresh.slice(start, end).join("")
  }))
}

/** The replacement of the old tokens from `from` to `to` by the new ones from `start` to `end`. */
interface Change {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/** Returns the changes between two sequences. Changes are extended until the tokens around them have counterparts. */
const changesOf = (
  old: ReadonlyArray<number>,
  fresh: ReadonlyArray<number>,
  counterparts: ReadonlyMap<number, number>
): ReadonlyArray<Change> => {
  const changes: Array<Change> = []
  let [lastOld, lastFresh] = [0, 0]
  for (const [index, other] of [...alignSequences(old, fresh), [old.length, fresh.length] as const]) {
    if (index > lastOld || other > lastFresh) {
      let [from, start, to, end] = [lastOld, lastFresh, index, other]
      const hasChangeBefore = () => changes.length > 0 && changes.at(-1)!.to >= from
      while (from > 0 && !counterparts.has(from - 1) && !hasChangeBefore()) {
        from--
        start--
      }
      if (hasChangeBefore()) {
        const previous = changes.pop()!
        from = previous.from
        start = previous.start
      }
      while (to < old.length && !counterparts.has(to) && old[to] === fresh[end]) {
        to++
        end++
      }
      changes.push({ from, to, start, end })
    }
    lastOld = index + 1
    lastFresh = other + 1
  }
  return changes
}
