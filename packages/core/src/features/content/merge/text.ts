/**
 * Three-way merge of text, line by line.
 *
 * Lines that occur exactly once in each of the three versions, in the same order, are anchors that split them into
 * sections, which are merged independently. Readers see anchors as the same place, and anchors bound the cost, which
 * otherwise grows with the cube of the number of equal lines.
 */
import { diff3Merge } from "node-diff3"
import type { Region } from "../../../model/content/MergeConflict.ts"

/** A merged text, or the regions that both sides changed. */
export type MergedText =
  | { readonly _tag: "Merged"; readonly text: string }
  | { readonly _tag: "Conflict"; readonly regions: ReadonlyArray<Region> }

type Lines = ReadonlyArray<string>

/** Corresponding parts of the three versions. `line` is the zero-based first line of the base part. */
interface Section {
  readonly line: number
  readonly base: Lines
  readonly primary: Lines
  readonly change: Lines
}

/** The merged lines of a section, or a region that conflicts. */
type Merged = { readonly lines: Lines } | { readonly region: Region }

/**
 * The maximum number of pairs of equal lines in a section. Only sections with very many equal lines exceed it; if both
 * sides have changed such a section, it is a conflict as a whole.
 */
const maximumPairs = 250_000

/** The maximum number of lines in a section; a larger one that both sides have changed is a conflict as a whole. */
const maximumLines = 20_000

/** Merges two edited versions of the same base. Lines end with a line feed; a carriage return is part of its line. */
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

/** Counts each distinct line, with the index of its first occurrence. */
const countsOf = (lines: Lines): ReadonlyMap<string, { readonly count: number; readonly at: number }> => {
  const counts = new Map<string, { count: number; at: number }>()
  for (const [at, line] of lines.entries()) {
    const existing = counts.get(line)
    if (existing === undefined) counts.set(line, { count: 1, at })
    else existing.count++
  }
  return counts
}

/** The index of an anchor line in each version. */
type Anchor = readonly [base: number, primary: number, change: number]

/**
 * Finds the anchors: lines that occur once in each version, and have the same such lines before and after them in each.
 * A moved line is not an anchor, nor are the lines that it was moved past.
 */
const anchorsOf = ({ base, primary, change }: Section): ReadonlyArray<Anchor> => {
  const [inPrimary, inChange] = [countsOf(primary), countsOf(change)]
  const unique: Array<Anchor> = []
  for (const [line, { count, at }] of countsOf(base)) {
    const [a, b] = [inPrimary.get(line), inChange.get(line)]
    if (count === 1 && a?.count === 1 && b?.count === 1) unique.push([at, a.at, b.at])
  }
  unique.sort(([a], [b]) => a - b)
  const following: Array<readonly [number, number]> = new Array(unique.length)
  let [nextPrimary, nextChange] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = unique.length - 1; i >= 0; i--) {
    following[i] = [nextPrimary, nextChange]
    nextPrimary = Math.min(nextPrimary, unique[i]![1])
    nextChange = Math.min(nextChange, unique[i]![2])
  }
  let [lastPrimary, lastChange] = [-1, -1]
  return unique.filter(([, a, b], i) => {
    const isAnchor = a > lastPrimary && b > lastChange && a < following[i]![0] && b < following[i]![1]
    lastPrimary = Math.max(lastPrimary, a)
    lastChange = Math.max(lastChange, b)
    return isAnchor
  })
}

/** Splits the versions at the anchors. Each anchor is a section of its own. */
const sectionsOf = (whole: Section): ReadonlyArray<Section> => {
  const sections: Array<Section> = []
  let [o, a, b] = [0, 0, 0]
  const addSection = (base: number, primary: number, change: number): void => {
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
    addSection(base, primary, change)
    addSection(base + 1, primary + 1, change + 1)
  }
  addSection(whole.base.length, whole.primary.length, whole.change.length)
  return sections
}
