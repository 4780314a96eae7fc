/** The order of values in a column, as every store has it. */
import type { Where } from "@lectern/core"

/** Text by code point. UTF-16 units are in another order where surrogates meet the characters above them. */
const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** Below zero where `a` comes before `b`, above where it comes after. Both are of one kind; false is before true. */
export const compare = (a: Where.Scalar, b: Where.Scalar): number =>
  typeof a === "string" ? compareText(a, b as string) : Number(a) - Number(b)

/** Compares position by position: the first that differs decides. */
export const compareAll = (a: ReadonlyArray<Where.Scalar>, b: ReadonlyArray<Where.Scalar>): number => {
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return 0
}
