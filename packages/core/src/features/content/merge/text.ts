/**
 * Three-way merge of texts, line by line.
 *
 * Lines that stand once in each of the three texts, in the same order, divide them into sections, which are merged
 * each by itself: that is what a reader takes for the same place, and it keeps the work small, which for texts of
 * many equal lines would otherwise grow with the third power of their number.
 */
import { diff3Merge } from "node-diff3"
import type { Region } from "../../../model/content/MergeConflict.ts"

/** A merged text, or the regions that both sides changed. */
export type MergedText =
  | { readonly _tag: "Merged"; readonly text: string }
  | { readonly _tag: "Conflict"; readonly regions: ReadonlyArray<Region> }

type Lines = ReadonlyArray<string>

/** The three texts, or sections of them that belong together. `line` is where the base's begins, from 0 on. */
interface Section {
  readonly line: number
  readonly base: Lines
  readonly primary: Lines
  readonly change: Lines
}

/** What a section comes to: lines, or what both sides made of them. */
type Merged = { readonly lines: Lines } | { readonly region: Region }

/**
 * The most pairs of equal lines that a section is compared by. There are more only where very many lines are equal;
 * such a section, where both sides changed it, is a conflict as a whole.
 */
const maximumPairs = 250_000

/** The most lines of a section that is compared. */
const maximumLines = 20_000

/** Merges two texts that were made from a third. Lines end with a line feed; what else is at their ends is theirs. */
export const mergeTexts = (base: string, primary: string, change: string): MergedText => {
  if (primary === change || change === base) return { _tag: "Merged", text: primary }
  if (primary === base) return { _tag: "Merged", text: change }
  const whole = {
    line: 0,
    base: base.split("\n"),
    primary: primary.split("\n"),
    change: change.split("\n")
  }
  const merged = sectionsOf(whole).flatMap(mergeSection)
  const regions = merged.flatMap((part) => ("region" in part ? [part.region] : []))
  return regions.length > 0
    ? { _tag: "Conflict", regions }
    : { _tag: "Merged", text: merged.flatMap((part) => ("lines" in part ? part.lines : [])).join("\n") }
}

const mergeSection = (section: Section): ReadonlyArray<Merged> => {
  const { line, base, primary, change } = section
  if (isSame(change, base) || isSame(primary, change)) return [{ lines: primary }]
  if (isSame(primary, base)) return [{ lines: change }]
  if (isTooLarge(section)) return [{ region: { line: line + 1, base, primary, change } }]
  return diff3Merge([...primary], [...base], [...change], { excludeFalseConflicts: true }).map(
    ({ ok, conflict }): Merged =>
      conflict === undefined
        ? { lines: ok ?? [] }
        : {
            region: {
              line: line + conflict.oIndex + 1,
              base: conflict.o,
              primary: conflict.a,
              change: conflict.b
            }
          }
  )
}

const isSame = (one: Lines, other: Lines): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index])

const isTooLarge = ({ base, primary, change }: Section): boolean => {
  const counts = countsOf(base)
  const pairs = (side: Lines) => side.reduce((sum, line) => sum + (counts.get(line)?.count ?? 0), 0)
  return (
    Math.max(base.length, primary.length, change.length) > maximumLines ||
    pairs(primary) > maximumPairs ||
    pairs(change) > maximumPairs
  )
}

/** How often each line stands in a text, and where the last of them does. */
const countsOf = (lines: Lines): ReadonlyMap<string, { readonly count: number; readonly at: number }> => {
  const counts = new Map<string, { count: number; at: number }>()
  for (const [at, line] of lines.entries()) {
    const known = counts.get(line)
    if (known === undefined) counts.set(line, { count: 1, at })
    else known.count++
  }
  return counts
}

/** Where a line stands in each text. */
type Anchor = readonly [base: number, primary: number, change: number]

/**
 * Lines that stand once in each text, and in each behind the same others and before the same others. A line that was
 * moved is none, nor are those that it was moved past.
 */
const anchorsOf = ({ base, primary, change }: Section): ReadonlyArray<Anchor> => {
  const [inPrimary, inChange] = [countsOf(primary), countsOf(change)]
  const once: Array<Anchor> = []
  for (const [line, { count, at }] of countsOf(base)) {
    const [a, b] = [inPrimary.get(line), inChange.get(line)]
    if (count === 1 && a?.count === 1 && b?.count === 1) once.push([at, a.at, b.at])
  }
  once.sort(([a], [b]) => a - b)
  const behind: Array<readonly [number, number]> = new Array(once.length)
  let [nextPrimary, nextChange] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = once.length - 1; i >= 0; i--) {
    behind[i] = [nextPrimary, nextChange]
    nextPrimary = Math.min(nextPrimary, once[i]![1])
    nextChange = Math.min(nextChange, once[i]![2])
  }
  let [lastPrimary, lastChange] = [-1, -1]
  return once.filter(([, a, b], i) => {
    const stands = a > lastPrimary && b > lastChange && a < behind[i]![0] && b < behind[i]![1]
    lastPrimary = Math.max(lastPrimary, a)
    lastChange = Math.max(lastChange, b)
    return stands
  })
}

/** The texts, divided: the anchors by themselves, and what stands between them. */
const sectionsOf = (whole: Section): ReadonlyArray<Section> => {
  const sections: Array<Section> = []
  let [o, a, b] = [0, 0, 0]
  const until = (base: number, primary: number, change: number): void => {
    sections.push({
      line: o,
      base: whole.base.slice(o, base),
      primary: whole.primary.slice(a, primary),
      change: whole.change.slice(b, change)
    })
    o = base
    a = primary
    b = change
  }
  for (const [base, primary, change] of anchorsOf(whole)) {
    until(base, primary, change)
    until(base + 1, primary + 1, change + 1)
  }
  until(whole.base.length, whole.primary.length, whole.change.length)
  return sections
}
