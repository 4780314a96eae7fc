/**
 * Three-way merge of text: line by line, as `git merge-file` does, and word by word where both sides changed the same lines
 * of prose.
 */
import type { Region } from "../../../model/content/MergeConflict.ts"
import { mergeParts, type Range, type Ranges, type Versions } from "./parts.ts"
import { runAtOnce, type Steps } from "./steps.ts"
import { proseLines, wordsOf } from "./words.ts"

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
  let prose: ((ranges: Ranges) => boolean) | undefined
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
    prose ??= proseOf(whole)
    const merged = prose(part) ? yield* mergeWords(region) : undefined
    if (merged === undefined) regions.push({ line: part.base[0] + 1, ...region })
    else lines.push(merged)
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

/** Returns a test of whether all lines of a part are prose in each version. */
const proseOf = (versions: Versions): ((ranges: Ranges) => boolean) => {
  const base = proseLines(versions.base)
  const primary = proseLines(versions.primary)
  const change = proseLines(versions.change)
  const isAll = (flags: Uint8Array, range: Range): boolean => !flags.subarray(...range).includes(0)
  return (ranges) =>
    isAll(base, ranges.base) && isAll(primary, ranges.primary) && isAll(change, ranges.change)
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
