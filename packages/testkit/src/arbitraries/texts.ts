/** Texts that are unlike each other: words, scripts, signs that mean something somewhere, and the longest there may be. */
import * as fc from "fast-check"

const words = ["Guide", "intro", "API", "Getting started", "release notes", "Q & A", "v1.2", "naïve", "x"]

/** What SQL, HTML, markdown, JSON, addresses, templates or terminals would take for their own. */
const signs = [
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

/** What no store could give back: a text that is declared as such refuses it. */
export const impossibleTexts: ReadonlyArray<string> = ["a\0b", "a\ud800b", "\udc00"]

const codePointsOf = (text: string): number => Array.from(text).length

/** Texts of so many code points. Those at the bounds come often, as long as they are not very long. */
export const texts = (bounds: { readonly min: number; readonly max: number }): fc.Arbitrary<string> => {
  const { min, max } = bounds
  const edges = [...new Set([min, max])]
    .filter((length) => length <= 5_000)
    .flatMap((length) => ["x".repeat(length), "𝕏".repeat(length), "é".repeat(length)])
  const known = [...words, ...signs].filter((text) => codePointsOf(text) >= min && codePointsOf(text) <= max)
  const some = fc
    .string({ minLength: min, maxLength: Math.min(max, Math.max(min, 40)), unit: "binary" })
    .filter((text) => codePointsOf(text) >= min && codePointsOf(text) <= max)
    .map((text) => text.replaceAll("\0", "0"))
  return fc.oneof(
    { arbitrary: some, weight: 4 },
    ...(known.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...known), weight: 6 }]),
    ...(edges.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...edges), weight: 2 }])
  )
}
