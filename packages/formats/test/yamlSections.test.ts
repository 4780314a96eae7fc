/** YAML that is parsed in sections has the value and the positions that it has as a whole. */
import { parseYamlText } from "@lectern/formats"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stringify } from "yaml"

const key = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "200",
    "404",
    "/things/{id}",
    "__proto__",
    "- a",
    "x: y",
    "#",
    "'",
    '"',
    "&a",
    "*a",
    "!t",
    "|",
    ""
  ),
  fc.string({ maxLength: 5 })
)
const scalar = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "line\nline\n",
    "line\n\n  indented\nline",
    "# no comment",
    "---",
    "...",
    "a: b",
    "[",
    "{}",
    "&a",
    "~",
    "12"
  ),
  fc.integer(),
  fc.boolean(),
  fc.constant(null)
)
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(key, tie("node"), { maxKeys: 5, noNullPrototype: true })
  )
})).node
const mapping = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6, noNullPrototype: true })
const style = fc.record({
  indent: fc.integer({ min: 1, max: 4 }),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
  defaultStringType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED")
})
const size = fc.integer({ min: 1, max: 60 })

const pathsIn = (node: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => [
  path,
  ...(typeof node === "object" && node !== null
    ? Object.entries(node).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))
    : [])
]

describe("YAML in sections", () => {
  it("has the value and the positions that it has as a whole", () => {
    let divided = 0
    fc.assert(
      fc.property(mapping, style, size, (content, options, size) => {
        const text = stringify(content, options as never)
        const [whole, sections] = [parseYamlText(text, text.length), parseYamlText(text, size)]
        expect(JSON.stringify(sections.value)).toBe(JSON.stringify(whole.value))
        const paths = pathsIn(whole.value)
        expect(sections.locate(paths)).toEqual(whole.locate(paths))
        if (sections.count > 1) divided++
      }),
      runs(300)
    )
    expect(divided).toBeGreaterThan(0)
  })

  it("has the value or is malformed as a whole, for any text with comments, anchors and markers", () => {
    const line = fc.constantFrom(
      "a:",
      "b: 1",
      "  c:",
      "  d: [1,",
      "  2]",
      "    e: 2",
      "# comment",
      "  # comment",
      "",
      "- f",
      "  - g",
      "  - h: 1",
      "    i: 1",
      "x: &a 1",
      "y: *a",
      "z: !!str 1",
      "k: |",
      "  text: of",
      'l: "two',
      '  lines"',
      "m:   # comment",
      "? n",
      ": o",
      "---",
      "q: >-"
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), size, (lines, size) => {
        const text = `${lines.join("\n")}\n`
        const resultOf = (size: number) => {
          try {
            return JSON.stringify(parseYamlText(text, size).value) ?? "undefined"
          } catch {
            return "malformed"
          }
        }
        expect(resultOf(size)).toBe(resultOf(text.length + 1))
      }),
      runs(500)
    )
  })

  it("has errors with their lines", () => {
    const text = `a:\n${Array.from({ length: 50 }, (_, index) => `  k${index}:\n    v: 1\n`).join("")}  bad: [1\nb: 2\n`
    const problemsOf = (size: number) => {
      try {
        parseYamlText(text, size)
        return undefined
      } catch (error) {
        return (error as { problems: ReadonlyArray<{ line?: number }> }).problems
      }
    }
    expect(problemsOf(20)?.[0]?.line).toBe(problemsOf(text.length)?.[0]?.line)
    expect(problemsOf(20)?.[0]?.line).toBeGreaterThan(100)
  })
})
