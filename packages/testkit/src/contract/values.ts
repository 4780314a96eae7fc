/** Values at the edges of bounds. */
import type { Json, Schema } from "./Schemas.ts"

const alphabet = "abcdefghijklmnopqrstuvwxyz"

/** Letters, as many as asked for. */
const letters = (length: number): string =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length)

/** An e-mail address. */
const addressOf = (length: number): string =>
  length < 16 ? `${letters(length - 2)}@b` : `${letters(length - 12)}@example.com`

/** How a text of some length is made that means something, by the name of its field. */
const makers: { readonly [name: string]: (length: number) => string } = {
  email: (length) => addressOf(length),
  emails: (length) => addressOf(length),
  condition: (length) => (length < 4 ? "1".repeat(length) : `"${letters(length - 2)}"`),
  emailDomains: (length) => {
    // Labels have at most 63 characters.
    const labels = Array.from({ length: Math.floor(length / 64) }, () => letters(63)).join(".")
    const rest = length - labels.length
    return length < 6 ? `${letters(length - 3)}.ab`.slice(0, length) : `${labels}.${letters(rest - 1)}`
  }
}

/**
 * A text of `length` characters for a field that has a sample. It fits the pattern where any of those that are tried
 * does: the sample with letters behind it, or letters alone.
 */
export const textOf = (schema: Schema, name: string, sample: string, length: number): string => {
  const make = makers[name]
  if (make !== undefined) return make(length)
  if (schema.format === "uri") return `https://example.com/${letters(length - "https://example.com/".length)}`
  if (schema.pattern === undefined) return letters(length)
  const start = sample.replace(/=+$/, "").slice(0, length)
  const tries = [start + letters(length - start.length), letters(length)]
  const pattern = new RegExp(schema.pattern, "u")
  return tries.find((text) => pattern.test(text)) ?? tries[0]!
}

/** Whether a text may be any: then its length is counted in code points, and emojis count as one each. */
export const isFree = (schema: Schema, name: string): boolean =>
  schema.format === undefined && schema.pattern === undefined && makers[name] === undefined

/** Texts that hardly a pattern allows. */
const strange = [" ", "a b", "-", "\u00e9!", "*", "\u4e2d/\u6587", "\u007f", "\u0000"]

/** A text that a pattern does not allow. */
export const against = (schema: Schema): Json | undefined => {
  const pattern = new RegExp(schema.pattern ?? "", "u")
  const fitsLength = (text: string) =>
    text.length >= (schema.minLength ?? 0) && text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY)
  return (
    strange.find((text) => fitsLength(text) && !pattern.test(text)) ??
    strange.find((text) => !pattern.test(text))
  )
}
