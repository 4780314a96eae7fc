/** The order of the values of a column, which all stores share. */
import type { Where } from "@lectern/core"

/** Compares text by code point. The order of UTF-16 units differs: surrogates sort below U+E000 to U+FFFF. */
const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return toCodePointRank(x) - toCodePointRank(y)
  }
  return a.length - b.length
}

/** Maps a UTF-16 unit to a number in code point order: a surrogate is part of a code point above all single units. */
const toCodePointRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/**
 * Compares two values of the same kind: negative if `a` sorts before `b`, positive if after. False sorts before true.
 */
export const compareScalars = (a: Where.Scalar, b: Where.Scalar): number =>
  typeof a === "string" ? compareText(a, b as string) : Number(a) - Number(b)

/** Compares two lists of values lexicographically. */
export const comparePositions = (a: ReadonlyArray<Where.Scalar>, b: ReadonlyArray<Where.Scalar>): number => {
  for (let i = 0; i < a.length; i++) {
    const order = compareScalars(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return 0
}
