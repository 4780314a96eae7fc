/**
 * Differences between two versions of a sequence of lines, by Myers' algorithm in linear space.
 *
 * Like Git, it omits lines that the other version does not have before it compares, and stops searching for the
 * shortest difference in a part that differs too much: the result is then still correct, but not the shortest. Ambiguous
 * changes, such as one more of several equal lines, are placed as late as possible.
 *
 * It works in steps: long comparisons yield now and then, so that the caller can let others run.
 */
import type { Steps } from "./steps.ts"

/** Lines, each replaced by a number that is equal for equal lines, from 0 to the number of distinct lines. */
export type LineNumbers = Int32Array

/** A change: the lines of the base from `start` to `end` are replaced by the lines of the side from `sideStart` to `sideEnd`. */
export interface Hunk {
  readonly start: number
  readonly end: number
  readonly sideStart: number
  readonly sideEnd: number
}

/** The number of comparisons between two steps: a few milliseconds of work. */
const comparisonsPerStep = 200_000

/** Parts that need more edits than this, or than the square root of their length, are not compared to the end. */
const minimumEditLimit = 256

/** One flag for each line, or for each distinct line. */
type Flags = Uint8Array

/** Returns the changes that make `side` of `base`, in order. `distinct` is the number of distinct lines in all versions. */
export function* diffLines(base: LineNumbers, side: LineNumbers, distinct: number): Steps<Array<Hunk>> {
  const removed = new Uint8Array(base.length)
  const added = new Uint8Array(side.length)
  let start = 0
  const shorter = Math.min(base.length, side.length)
  while (start < shorter && base[start] === side[start]) start++
  let [baseEnd, sideEnd] = [base.length, side.length]
  while (baseEnd > start && sideEnd > start && base[baseEnd - 1] === side[sideEnd - 1]) {
    baseEnd--
    sideEnd--
  }
  const inBase = presence(base.subarray(start, baseEnd), distinct)
  const inSide = presence(side.subarray(start, sideEnd), distinct)
  const old = keepKnown(base, [start, baseEnd], inSide, removed)
  const next = keepKnown(side, [start, sideEnd], inBase, added)
  yield
  if (old.lines.length > 0 && next.lines.length > 0) {
    yield* new Comparison(old, next, removed, added).run()
  } else {
    for (const at of old.at) removed[at] = 1
    for (const at of next.at) added[at] = 1
  }
  yield* slideDown(base, removed, added)
  yield* slideDown(side, added, removed)
  yield
  return hunksOf(removed, added)
}

/** Flags the numbers that occur in a range of lines. */
const presence = (lines: LineNumbers, distinct: number): Flags => {
  const flags = new Uint8Array(distinct)
  for (const line of lines) flags[line] = 1
  return flags
}

/** The lines of one version that the other has too, and the index of each in its version. */
interface Known {
  readonly lines: Int32Array
  readonly at: Int32Array
}

/** Flags the lines that the other version does not have, and returns the remaining ones. */
const keepKnown = (
  lines: LineNumbers,
  [start, end]: readonly [start: number, end: number],
  inOther: Flags,
  flags: Flags
): Known => {
  const known = { lines: new Int32Array(end - start), at: new Int32Array(end - start) }
  let length = 0
  for (let at = start; at < end; at++) {
    if (inOther[lines[at]!] === 0) flags[at] = 1
    else {
      known.lines[length] = lines[at]!
      known.at[length++] = at
    }
  }
  return { lines: known.lines.subarray(0, length), at: known.at.subarray(0, length) }
}

/** A part of both versions: half-open ranges. */
type Box = readonly [oldStart: number, oldEnd: number, newStart: number, newEnd: number]

/** Compares two versions by dividing them at the middle of a shortest path of edits. */
class Comparison {
  private readonly forward: Int32Array
  private readonly backward: Int32Array
  private readonly origin: number
  private readonly editLimit: number
  private comparisons = 0
  private readonly old: Known
  private readonly next: Known
  private readonly removed: Flags
  private readonly added: Flags

  constructor(old: Known, next: Known, removed: Flags, added: Flags) {
    this.old = old
    this.next = next
    this.removed = removed
    this.added = added
    const diagonals = old.lines.length + next.lines.length + 3
    this.forward = new Int32Array(diagonals)
    this.backward = new Int32Array(diagonals)
    this.origin = next.lines.length + 1
    this.editLimit = Math.max(minimumEditLimit, Math.floor(Math.sqrt(diagonals)))
  }

  *run(): Steps<void> {
    const pending: Array<Box> = [[0, this.old.lines.length, 0, this.next.lines.length]]
    const { lines: old } = this.old
    const { lines: next } = this.next
    for (let box = pending.pop(); box !== undefined; box = pending.pop()) {
      let [oldStart, oldEnd, newStart, newEnd] = box
      while (oldStart < oldEnd && newStart < newEnd && old[oldStart] === next[newStart]) {
        oldStart++
        newStart++
      }
      while (oldStart < oldEnd && newStart < newEnd && old[oldEnd - 1] === next[newEnd - 1]) {
        oldEnd--
        newEnd--
      }
      this.comparisons += box[1] - oldEnd + oldStart - box[0]
      if (oldStart === oldEnd || newStart === newEnd) {
        for (let at = oldStart; at < oldEnd; at++) this.removed[this.old.at[at]!] = 1
        for (let at = newStart; at < newEnd; at++) this.added[this.next.at[at]!] = 1
        continue
      }
      const [oldMiddle, newMiddle] = yield* this.middle([oldStart, oldEnd, newStart, newEnd])
      pending.push([oldMiddle, oldEnd, newMiddle, newEnd], [oldStart, oldMiddle, newStart, newMiddle])
    }
  }

  /**
   * Returns a point of a shortest path of edits, where the paths from both ends meet; after too many edits, the point
   * that one of them has reached furthest.
   */
  private *middle([oldStart, oldEnd, newStart, newEnd]: Box): Steps<readonly [number, number]> {
    const { forward, backward, origin } = this
    const { lines: old } = this.old
    const { lines: next } = this.next
    const [lowest, highest] = [oldStart - newEnd, oldEnd - newStart]
    const [first, last] = [oldStart - newStart, oldEnd - newEnd]
    const meetsForward = ((first - last) & 1) !== 0
    let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [first, first, last, last]
    forward[origin + first] = oldStart
    backward[origin + last] = oldEnd
    for (let edits = 1; ; edits++) {
      if (forwardLow > lowest) forward[origin + --forwardLow - 1] = -1
      else forwardLow++
      if (forwardHigh < highest) forward[origin + ++forwardHigh + 1] = -1
      else forwardHigh--
      for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
        const [below, above] = [forward[origin + diagonal - 1]!, forward[origin + diagonal + 1]!]
        const from = below >= above ? below + 1 : above
        let at = from
        while (at < oldEnd && at - diagonal < newEnd && old[at] === next[at - diagonal]) at++
        this.comparisons += at - from + 1
        forward[origin + diagonal] = at
        const isMeeting = meetsForward && backwardLow <= diagonal && diagonal <= backwardHigh
        if (isMeeting && backward[origin + diagonal]! <= at) return [at, at - diagonal]
      }
      if (backwardLow > lowest) backward[origin + --backwardLow - 1] = 0x7fffffff
      else backwardLow++
      if (backwardHigh < highest) backward[origin + ++backwardHigh + 1] = 0x7fffffff
      else backwardHigh--
      for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
        const [below, above] = [backward[origin + diagonal - 1]!, backward[origin + diagonal + 1]!]
        const from = below < above ? below : above - 1
        let at = from
        while (at > oldStart && at - diagonal > newStart && old[at - 1] === next[at - diagonal - 1]) at--
        this.comparisons += from - at + 1
        backward[origin + diagonal] = at
        const isMeeting = !meetsForward && forwardLow <= diagonal && diagonal <= forwardHigh
        if (isMeeting && at <= forward[origin + diagonal]!) return [at, at - diagonal]
      }
      if (edits >= this.editLimit) {
        return this.furthest(
          [oldStart, oldEnd, newStart, newEnd],
          [forwardLow, forwardHigh, backwardLow, backwardHigh]
        )
      }
      if (this.comparisons > comparisonsPerStep) {
        this.comparisons = 0
        yield
      }
    }
  }

  /** Returns the point that the forward or the backward path has reached furthest. */
  private furthest(
    [oldStart, oldEnd, newStart, newEnd]: Box,
    [forwardLow, forwardHigh, backwardLow, backwardHigh]: readonly [number, number, number, number]
  ): readonly [number, number] {
    let [reached, reachedAt] = [-1, 0]
    for (let diagonal = forwardHigh; diagonal >= forwardLow; diagonal -= 2) {
      const at = Math.min(this.forward[this.origin + diagonal]!, oldEnd, newEnd + diagonal)
      if (2 * at - diagonal > reached) [reached, reachedAt] = [2 * at - diagonal, at]
    }
    let [left, leftAt] = [Number.POSITIVE_INFINITY, 0]
    for (let diagonal = backwardHigh; diagonal >= backwardLow; diagonal -= 2) {
      const at = Math.max(this.backward[this.origin + diagonal]!, oldStart, newStart + diagonal)
      if (2 * at - diagonal < left) [left, leftAt] = [2 * at - diagonal, at]
    }
    return oldEnd + newEnd - left < reached - (oldStart + newStart)
      ? [reachedAt, reached - reachedAt]
      : [leftAt, left - leftAt]
  }
}

/**
 * Moves each group of changed lines as far down as equal lines permit, joining groups that meet. A group that can be next to
 * a change of the other version stays there: together they are one hunk.
 */
function* slideDown(lines: LineNumbers, flags: Flags, otherFlags: Flags): Steps<void> {
  const { length } = lines
  const hasOther = changesBetweenUnchanged(otherFlags)
  let unchanged = 0
  let moves = 0
  for (let at = 0; at < length; ) {
    if (flags[at] === 0) {
      unchanged++
      at++
      continue
    }
    let start = at
    let end = at
    while (flags[end] === 1) end++
    let besideOther: number
    let size: number
    do {
      size = end - start
      while (start > 0 && lines[start - 1] === lines[end - 1]) {
        flags[--start] = 1
        flags[--end] = 0
        unchanged--
        while (flags[start - 1] === 1) start--
        moves++
      }
      besideOther = hasOther[unchanged] === 1 ? end : -1
      while (end < length && lines[start] === lines[end]) {
        flags[start++] = 0
        flags[end++] = 1
        unchanged++
        while (flags[end] === 1) end++
        if (hasOther[unchanged] === 1) besideOther = end
        moves++
      }
    } while (end - start !== size)
    while (besideOther !== -1 && end > besideOther) {
      flags[--start] = 1
      flags[--end] = 0
      unchanged--
    }
    at = end
    if (moves > comparisonsPerStep) {
      moves = 0
      yield
    }
  }
}

/** For each unchanged line, and for the end: whether changed lines are directly before it. */
const changesBetweenUnchanged = (flags: Flags): Flags => {
  const result = new Uint8Array(flags.length + 1)
  let unchanged = 0
  for (const flag of flags) {
    if (flag === 1) result[unchanged] = 1
    else unchanged++
  }
  return result
}

const hunksOf = (removed: Flags, added: Flags): Array<Hunk> => {
  const hunks: Array<Hunk> = []
  for (let at = 0, sideAt = 0; at < removed.length || sideAt < added.length; ) {
    if (removed[at] !== 1 && added[sideAt] !== 1) {
      at++
      sideAt++
      continue
    }
    const [start, sideStart] = [at, sideAt]
    while (removed[at] === 1) at++
    while (added[sideAt] === 1) sideAt++
    hunks.push({ start, end: at, sideStart, sideEnd: sideAt })
  }
  return hunks
}
