/** Arbitraries of strings: plain words, several scripts, adversarial input, and strings at the length bounds. */
import * as fc from "fast-check"

const plainTexts = [
  "Guide",
  "intro",
  "API",
  "Getting started",
  "release notes",
  "Q & A",
  "v1.2",
  "naïve",
  "x"
]

/** Adversarial input for SQL, HTML, markdown, JSON, URLs, templates and terminals. */
const adversarialTexts = [
  "'; DROP TABLE spaces; --",
  '"><script>alert(1)</script>',
  "%00%2F..%2f",
  "../../etc/passwd",
  "100% _sure_ \\ / \\'",
  "{{7*7}} #{7*7}",
  "__proto__",
  "constructor",
  "null",
  "# [a](b) ![c](d) `e` **f** | g |\n| - |\n```",
  "\u001b[31m\b\t\r\n",
  "\u202eabc\u202c",
  "a\u0301\u200b\ufeff",
  "👩‍👩‍👧‍👦",
  "𝔘𝔫𝔦",
  "日本語テキスト",
  "مرحبا",
  "ﬀ İ ı ß"
]

/** Strings with NUL or lone surrogates, which stores cannot represent. Schemas of stored text reject them. */
export const unstorableTexts: ReadonlyArray<string> = ["a\0b", "a\ud800b", "\udc00"]

const codePointsOf = (text: string): number => Array.from(text).length

/** Returns an arbitrary of strings of `min` to `max` code points. Bounds of up to 5,000 are generated often. */
export const textArbitrary = (bounds: {
  readonly min: number
  readonly max: number
}): fc.Arbitrary<string> => {
  const { min, max } = bounds
  const edges = [...new Set([min, max])]
    .filter((length) => length <= 5_000)
    .flatMap((length) => ["x".repeat(length), "𝕏".repeat(length), "é".repeat(length)])
  const samples = [...plainTexts, ...adversarialTexts].filter(
    (text) => codePointsOf(text) >= min && codePointsOf(text) <= max
  )
  const random = fc
    .string({ minLength: min, maxLength: Math.min(max, Math.max(min, 40)), unit: "binary" })
    .filter((text) => codePointsOf(text) >= min && codePointsOf(text) <= max)
    .map((text) => text.replaceAll("\0", "0"))
  return fc.oneof(
    { arbitrary: random, weight: 4 },
    ...(samples.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...samples), weight: 6 }]),
    ...(edges.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...edges), weight: 2 }])
  )
}
