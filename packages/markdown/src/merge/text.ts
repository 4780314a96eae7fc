/**
 * Three-way merge of text: line by line, as `git merge-file` does, and word by word where both sides changed the same lines
 * of prose. The tags of blocks are merged apart from the lines next to them.
 */
import type { Region } from "@lectern/model/content"
import { blocksOfLines, divideAtTags, haveSameTags } from "./blockLines.ts"
import { mergeParts, type Range, type Ranges, type Versions } from "./parts.ts"
import { runAtOnce, type Steps } from "./steps.ts"
import { kindsOfLines, lineKinds, wordsOf } from "./words.ts"

/** A merged text, or the regions that both sides changed. */
export type MergedText =
  | { readonly _tag: "Merged"; readonly text: string }
  | { readonly _tag: "Conflict"; readonly regions: ReadonlyArray<Region> }

/** Merges two edited versions of the same base. Lines end with a line feed; a carriage return is part of its line. */
export const mergeTexts = (base: string, primary: string, change: string): MergedText =>
  runAtOnce(mergeTextsInSteps(base, primary, change))

/** {@link mergeTexts} in steps: many thousand lines take longer than other requests should wait. */
export function* mergeTextsInSteps(base: string, primary: string, change: string): Steps<MergedText> {
  if (primary === change || change === base) return { _tag: "Merged", text: primary }
  if (primary === base) return { _tag: "Merged", text: change }
  const whole = { base: base.split("\n"), primary: yield* split(primary), change: yield* split(change) }
  let kinds: Kinds | undefined
  let blocks: ReadonlyArray<string | undefined> | undefined
  const lines: Array<string> = []
  const regions: Array<Region> = []
  let compared = 0
  for (const part of yield* mergeParts(whole)) {
    if (part._tag === "Lines") {
      for (const line of part.lines) lines.push(line)
      continue
    }
    const region = sliceOf(whole, part)
    compared += region.base.length + region.primary.length + region.change.length
    if (compared > comparedPerStep) {
      compared = 0
      yield
    }
    kinds ??= kindsOf(whole)
    const merged = yield* mergeFiner(whole, kinds, part)
    if (merged !== undefined) {
      lines.push(merged)
      continue
    }
    blocks ??= blocksOfLines(whole.base, kinds.base)
    const block = blocks[part.base[0]]
    regions.push({ line: part.base[0] + 1, ...(block === undefined ? {} : { block }), ...region })
  }
  yield
  return regions.length > 0 ? { _tag: "Conflict", regions } : { _tag: "Merged", text: lines.join("\n") }
}

/** The number of lines that are compared word by word between two steps. */
const comparedPerStep = 1_000

function* split(text: string): Steps<ReadonlyArray<string>> {
  yield
  return text.split("\n")
}

/** The kinds of the lines of each version. */
interface Kinds {
  readonly base: Uint8Array
  readonly primary: Uint8Array
  readonly change: Uint8Array
}

const kindsOf = ({ base, primary, change }: Versions): Kinds => ({
  base: kindsOfLines(base),
  primary: kindsOfLines(primary),
  change: kindsOfLines(change)
})

/** Whether all lines of a part are prose in each version. */
const isProse = (kinds: Kinds, ranges: Ranges): boolean => {
  const isAll = (of: Uint8Array, range: Range): boolean =>
    of.subarray(...range).every((kind) => kind === lineKinds.prose)
  return (
    isAll(kinds.base, ranges.base) &&
    isAll(kinds.primary, ranges.primary) &&
    isAll(kinds.change, ranges.change)
  )
}

/** Merges lines that both sides changed: words of prose, or the tags of blocks apart from the lines between them. */
function* mergeFiner(whole: Versions, kinds: Kinds, ranges: Ranges): Steps<string | undefined> {
  return isProse(kinds, ranges)
    ? yield* mergeWords(sliceOf(whole, ranges))
    : yield* mergeAroundTags(whole, kinds, ranges)
}

/**
 * Merges lines with tags. A tag and the lines next to it are different blocks, whose changes do not contradict each other.
 * Returns `undefined` if a side added, removed or replaced a tag, or if both sides changed the same tag or lines.
 */
function* mergeAroundTags(whole: Versions, kinds: Kinds, ranges: Ranges): Steps<string | undefined> {
  const base = divideAtTags(kinds.base, ranges.base)
  const primary = divideAtTags(kinds.primary, ranges.primary)
  const change = divideAtTags(kinds.change, ranges.change)
  if (base.tags.length === 0) return undefined
  if (!haveSameTags(whole.base, base.tags, whole.primary, primary.tags)) return undefined
  if (!haveSameTags(whole.base, base.tags, whole.change, change.tags)) return undefined
  const merged: Array<string> = []
  for (const [index, group] of base.groups.entries()) {
    const lines = { base: group, primary: primary.groups[index]!, change: change.groups[index]! }
    const text = yield* mergeGroup(whole, kinds, lines)
    if (text === undefined) return undefined
    merged.push(...text)
    if (index === base.tags.length) break
    const [before, ours, theirs] = [
      whole.base[base.tags[index]!]!,
      whole.primary[primary.tags[index]!]!,
      whole.change[change.tags[index]!]!
    ]
    if (ours !== before && theirs !== before && ours !== theirs) return undefined
    merged.push(ours === before ? theirs : ours)
  }
  return merged.join("\n")
}

/** Merges the lines between two tags. Returns `undefined` if both sides changed them and they do not merge as words. */
function* mergeGroup(
  whole: Versions,
  kinds: Kinds,
  ranges: Ranges
): Steps<ReadonlyArray<string> | undefined> {
  const { base, primary, change } = sliceOf(whole, ranges)
  const isEqual = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
    one.length === other.length && one.every((line, index) => line === other[index])
  if (isEqual(base, primary) || isEqual(primary, change)) return change
  if (isEqual(base, change)) return primary
  const merged = isProse(kinds, ranges) ? yield* mergeWords({ base, primary, change }) : undefined
  return merged === undefined ? undefined : [merged]
}

/**
 * Merges lines that both sides changed word by word. Returns `undefined` if they changed the same or adjacent words, or if a
 * side added or removed lines: a new item would not have the bullet that the other side set for its list.
 */
function* mergeWords({ base, primary, change }: Versions): Steps<string | undefined> {
  if (primary.length !== base.length || change.length !== base.length) return undefined
  const words = { base: wordsOf(base), primary: wordsOf(primary), change: wordsOf(change) }
  let merged = ""
  for (const part of yield* mergeParts(words)) {
    if (part._tag === "Both") return undefined
    merged += part.lines.join("")
  }
  return merged
}

const sliceOf = ({ base, primary, change }: Versions, ranges: Ranges): Versions => ({
  base: base.slice(...ranges.base),
  primary: primary.slice(...ranges.primary),
  change: change.slice(...ranges.change)
})
