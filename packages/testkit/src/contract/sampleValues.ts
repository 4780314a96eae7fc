/** Generates strings of a given length, or that violate a pattern, to check bounds. */
import type { Json, Schema } from "./Schemas.ts"

const alphabet = "abcdefghijklmnopqrstuvwxyz"

/** Returns a string of `length` letters. */
const letters = (length: number): string =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length)

/** Returns an e-mail address of `length` characters, at least 3. */
const emailOf = (length: number): string =>
  length < 16 ? `${letters(length - 2)}@b` : `${letters(length - 12)}@example.com`

const literalOf = (length: number): string => (length < 4 ? "1".repeat(length) : `"${letters(length - 2)}"`)

/** Returns a domain of `length` characters, at least 4. */
const domainOf = (length: number): string => {
  // Labels have at most 63 characters.
  const labels = Array.from({ length: Math.floor(length / 64) }, () => letters(63)).join(".")
  const rest = length - labels.length
  return length < 6 ? `${letters(length - 3)}.ab`.slice(0, length) : `${labels}.${letters(rest - 1)}`
}

/** Generators of strings of a given length for fields with a syntax of their own, by field name. */
const textGenerators: { readonly [name: string]: (length: number) => string } = {
  email: (length) => emailOf(length),
  emails: (length) => emailOf(length),
  condition: literalOf,
  expression: literalOf,
  emailDomains: (length) => domainOf(length),
  domains: (length) => domainOf(length)
}

/**
 * Returns a string of `length` characters for a field. `sample` is a valid value. If the schema has a pattern, the text
 * matches it if the sample with letters or a path appended, or letters only, match.
 */
export const textOfLength = (schema: Schema, name: string, sample: string, length: number): string => {
  const generateText = textGenerators[name]
  if (generateText !== undefined) return generateText(length)
  if (schema.format === "uri") return `https://example.com/${letters(length - "https://example.com/".length)}`
  if (schema.pattern === undefined) return letters(length)
  const start = sample.replace(/=+$/, "").slice(0, length)
  const rest = length - start.length
  // A host name is extended by a path, because its labels are short.
  const candidates = [
    start + letters(rest),
    letters(length),
    ...(rest > 1 ? [`${start}/${letters(rest - 1)}`] : [])
  ]
  const pattern = new RegExp(schema.pattern, "u")
  return candidates.find((text) => pattern.test(text)) ?? candidates[0]!
}

/**
 * Whether a field accepts any text, so that its length can be tested with emoji, which count as one code point each.
 */
export const isUnconstrainedText = (schema: Schema, name: string): boolean =>
  schema.format === undefined && schema.pattern === undefined && textGenerators[name] === undefined

/** Strings that most patterns do not match. */
const unusualTexts = [" ", "a b", "a\nb", "-", "\u00e9!", "*", "\u4e2d/\u6587", "\u007f", "\u0000"]

/**
 * Returns a string that does not match the pattern of a schema, within its length bounds if possible; undefined if none
 * is known.
 */
export const textViolatingPattern = (schema: Schema): Json | undefined => {
  const pattern = new RegExp(schema.pattern ?? "", "u")
  const fitsLength = (text: string) =>
    text.length >= (schema.minLength ?? 0) && text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY)
  return (
    unusualTexts.find((text) => fitsLength(text) && !pattern.test(text)) ??
    unusualTexts.find((text) => !pattern.test(text))
  )
}
