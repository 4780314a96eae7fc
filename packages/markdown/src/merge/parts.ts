/** Three-way merge of sequences: lines of text, or words of a line. */
import { diffLines, type Hunk, type LineNumbers } from "./lineDiff.ts"
import type { Steps } from "./steps.ts"

type Lines = ReadonlyArray<string>

/** The three versions, as lines or as words. */
export interface Versions {
  readonly base: Lines
  readonly primary: Lines
  readonly change: Lines
}

/** Merged lines, or the ranges of a part that both sides changed differently. */
export type Part = { readonly _tag: "Lines"; readonly lines: Lines } | ({ readonly _tag: "Both" } & Ranges)

/** A half-open range. */
export type Range = readonly [start: number, end: number]

/** A part of each version. */
export interface Ranges {
  readonly base: Range
  readonly primary: Range
  readonly change: Range
}

/** Merges three versions of a sequence. Changes of both sides that overlap or touch are not merged, unless they are equal. */
export function* mergeParts(versions: Versions): Steps<Array<Part>> {
  const numbered = yield* numberLines(versions)
  const primaryHunks = yield* diffLines(numbered.base, numbered.primary, numbered.distinct)
  const changeHunks = yield* diffLines(numbered.base, numbered.change, numbered.distinct)
  yield
  const parts: Array<Part> = []
  /** The positions in the three versions up to which parts are merged. */
  let [base, primary, change] = [0, 0, 0]
  const addPart = (ofPrimary: ReadonlyArray<Hunk>, ofChange: ReadonlyArray<Hunk>): void => {
    const start = Math.min(ofPrimary[0]?.start ?? Infinity, ofChange[0]?.start ?? Infinity)
    const end = Math.max(ofPrimary.at(-1)?.end ?? 0, ofChange.at(-1)?.end ?? 0)
    const unchanged = start - base
    if (unchanged > 0) parts.push({ _tag: "Lines", lines: versions.base.slice(base, start) })
    const ranges: Ranges = {
      base: [start, end],
      primary: [primary + unchanged, primary + unchanged + lengthOf(ofPrimary, start, end)],
      change: [change + unchanged, change + unchanged + lengthOf(ofChange, start, end)]
    }
    if (ofChange.length === 0) parts.push({ _tag: "Lines", lines: versions.primary.slice(...ranges.primary) })
    else if (ofPrimary.length === 0 || isSame(versions, ranges)) {
      parts.push({ _tag: "Lines", lines: versions.change.slice(...ranges.change) })
    } else parts.push({ _tag: "Both", ...ranges })
    base = end
    primary = ranges.primary[1]
    change = ranges.change[1]
  }
  for (let i = 0, j = 0; i < primaryHunks.length || j < changeHunks.length; ) {
    const [firstPrimary, firstChange] = [i, j]
    let end = Math.min(primaryHunks[i]?.start ?? Infinity, changeHunks[j]?.start ?? Infinity)
    for (let grows = true; grows; ) {
      grows = false
      while (i < primaryHunks.length && primaryHunks[i]!.start <= end) {
        end = Math.max(end, primaryHunks[i++]!.end)
        grows = true
      }
      while (j < changeHunks.length && changeHunks[j]!.start <= end) {
        end = Math.max(end, changeHunks[j++]!.end)
        grows = true
      }
    }
    addPart(primaryHunks.slice(firstPrimary, i), changeHunks.slice(firstChange, j))
  }
  if (base < versions.base.length) parts.push({ _tag: "Lines", lines: versions.base.slice(base) })
  return parts
}

/** The number of lines of a side that correspond to a range of the base, which contains the hunks. */
const lengthOf = (hunks: ReadonlyArray<Hunk>, start: number, end: number): number =>
  hunks.reduce(
    (length, hunk) => length + hunk.sideEnd - hunk.sideStart - (hunk.end - hunk.start),
    end - start
  )

const isSame = ({ primary, change }: Versions, ranges: Ranges): boolean => {
  const [start, end] = ranges.primary
  const [other, otherEnd] = ranges.change
  if (end - start !== otherEnd - other) return false
  for (let i = 0; i < end - start; i++) if (primary[start + i] !== change[other + i]) return false
  return true
}

/** The number of lines that are numbered between two steps. */
const linesPerStep = 20_000

/** The lines of all versions as numbers, and the number of distinct lines. */
interface Numbered {
  readonly base: LineNumbers
  readonly primary: LineNumbers
  readonly change: LineNumbers
  readonly distinct: number
}

/** Numbers the lines of all versions: equal lines have equal numbers. */
function* numberLines(versions: Versions): Steps<Numbered> {
  const numbers = new Map<string, number>()
  function* number(lines: Lines): Steps<LineNumbers> {
    const result = new Int32Array(lines.length)
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!
      let known = numbers.get(line)
      if (known === undefined) {
        known = numbers.size
        numbers.set(line, known)
      }
      result[i] = known
      if (i % linesPerStep === linesPerStep - 1) yield
    }
    return result
  }
  const base = yield* number(versions.base)
  const primary = yield* number(versions.primary)
  const change = yield* number(versions.change)
  return { base, primary, change, distinct: numbers.size }
}
