/** Merges the lines of two sides that began with the same text (three-way merge). */
import { compareSequences } from "./compareSequences.ts"

/** A part of the merged text: lines that are settled, or a conflict to choose for. */
export type MergeChunk =
  | {
      readonly kind: "settled"
      readonly lines: ReadonlyArray<string>
      /** The side that changed the lines, and the lines before. Absent for lines that neither or both changed. */
      readonly from?: { readonly side: "theirs" | "ours"; readonly base: ReadonlyArray<string> }
    }
  | {
      readonly kind: "conflict"
      readonly base: ReadonlyArray<string>
      readonly theirs: ReadonlyArray<string>
      readonly ours: ReadonlyArray<string>
      /** Whether the sides are paragraphs, which remain apart if both are chosen. */
      readonly areParagraphs?: boolean
    }

/** Returns for each line of the base the line of the side that it is, or -1. */
const matchesOf = (base: ReadonlyArray<string>, side: ReadonlyArray<string>): ReadonlyArray<number> => {
  const matches = new Array<number>(base.length).fill(-1)
  let row = 0
  let column = 0
  for (const { kind } of compareSequences(base, side, (line) => line)) {
    if (kind === "same") matches[row++] = column++
    else if (kind === "deleted") row++
    else column++
  }
  return matches
}

const isEqual = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index])

const chunkOf = (
  base: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>,
  ours: ReadonlyArray<string>
): MergeChunk => {
  if (isEqual(theirs, ours)) return { kind: "settled", lines: theirs }
  if (isEqual(base, ours)) return { kind: "settled", lines: theirs, from: { side: "theirs", base } }
  return isEqual(base, theirs)
    ? { kind: "settled", lines: ours, from: { side: "ours", base } }
    : { kind: "conflict", base, theirs, ours }
}

/** Merges two sides. Lines that both changed differently are conflicts. */
export const mergeLines = (
  base: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>,
  ours: ReadonlyArray<string>
): ReadonlyArray<MergeChunk> => {
  const [theirMatches, ourMatches] = [matchesOf(base, theirs), matchesOf(base, ours)]
  const chunks: Array<MergeChunk> = []
  const push = (chunk: MergeChunk) => {
    const last = chunks.at(-1)
    if (chunk.kind === "settled" && chunk.lines.length === 0 && chunk.from === undefined) return
    const isPlain = chunk.kind === "settled" && chunk.from === undefined
    if (isPlain && last?.kind === "settled" && last.from === undefined) {
      chunks[chunks.length - 1] = { kind: "settled", lines: [...last.lines, ...chunk.lines] }
    } else chunks.push(chunk)
  }
  let baseAt = 0
  let theirsAt = 0
  let oursAt = 0
  const flush = (baseEnd: number, theirsEnd: number, oursEnd: number) => {
    push(chunkOf(base.slice(baseAt, baseEnd), theirs.slice(theirsAt, theirsEnd), ours.slice(oursAt, oursEnd)))
    baseAt = baseEnd
    theirsAt = theirsEnd
    oursAt = oursEnd
  }
  for (const [row, line] of base.entries()) {
    const theirRow = theirMatches[row]!
    const ourRow = ourMatches[row]!
    if (theirRow < 0 || ourRow < 0) continue
    flush(row, theirRow, ourRow)
    push({ kind: "settled", lines: [line] })
    baseAt = row + 1
    theirsAt = theirRow + 1
    oursAt = ourRow + 1
  }
  flush(base.length, theirs.length, ours.length)
  return chunks
}

/**
 * Returns the merge of two sides with at least one conflict, for a server that found one: if the lines merge here, the lines between the
 * equal ends of the sides are the conflict. Nothing is then decided without a person.
 */
export const mergeWithConflict = (
  base: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>,
  ours: ReadonlyArray<string>
): ReadonlyArray<MergeChunk> => {
  const chunks = mergeLines(base, theirs, ours)
  if (chunks.some(({ kind }) => kind === "conflict")) return chunks
  const shortest = Math.min(base.length, theirs.length, ours.length)
  const isSame = (one: number, two: number, three: number): boolean =>
    base.at(one) === theirs.at(two) && base.at(one) === ours.at(three)
  let start = 0
  while (start < shortest && isSame(start, start, start)) start++
  let end = 0
  while (end < shortest - start && isSame(-1 - end, -1 - end, -1 - end)) end++
  const middle = (lines: ReadonlyArray<string>) => lines.slice(start, lines.length - end)
  return [
    ...(start === 0 ? [] : [{ kind: "settled" as const, lines: base.slice(0, start) }]),
    { kind: "conflict", base: middle(base), theirs: middle(theirs), ours: middle(ours) },
    ...(end === 0 ? [] : [{ kind: "settled" as const, lines: base.slice(base.length - end) }])
  ]
}

/** The choice for a conflict: a side, both, or lines that were edited. */
export type Choice = "theirs" | "ours" | "both" | ReadonlyArray<string>

/** Returns the lines of a conflict after a choice. */
export const linesOfChoice = (chunk: Extract<MergeChunk, { readonly kind: "conflict" }>, choice: Choice) =>
  choice === "theirs"
    ? chunk.theirs
    : choice === "ours"
      ? chunk.ours
      : choice === "both"
        ? [...chunk.theirs, ...(chunk.areParagraphs === true ? [""] : []), ...chunk.ours]
        : choice

/** Returns the text of a merge. `choices` has one choice per conflict, in their order. */
export const joinChunks = (chunks: ReadonlyArray<MergeChunk>, choices: ReadonlyArray<Choice>): string => {
  let conflict = 0
  return chunks
    .flatMap((chunk) =>
      chunk.kind === "settled" ? chunk.lines : linesOfChoice(chunk, choices[conflict++] ?? "ours")
    )
    .join("\n")
}
