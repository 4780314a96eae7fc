/** Parsing OpenAPI documents on the main thread, without the package `@lectern/converters`. */
import { SpecParser } from "@lectern/formats"
import { runs } from "@lectern/harness"
import { splitPageFile } from "@lectern/markdown/frontMatter"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"

const parse = async (text: string, isFirst = false) => {
  const result = await Effect.runPromise(
    Effect.result(Effect.flatMap(SpecParser, (parser) => parser(new TextEncoder().encode(text), isFirst)))
  )
  return result._tag === "Success"
    ? { json: new TextDecoder().decode(result.success.json), problems: result.success.problems }
    : { problems: result.failure.problems }
}

const padded = (text: string, length: number): string => text + " ".repeat(length - text.length)

it("parses documents up to the limit of their format", async () => {
  expect(await parse(padded("a: 1", 16 * 1024))).toMatchObject({ json: '{"a":1}' })
  expect(await parse(padded('{"a":1}', 1024 * 1024))).toMatchObject({ json: '{"a":1}' })
})

it("rejects larger documents, with their size and the limit", async () => {
  for (const [text, limit] of [
    [padded("a: 1", 16 * 1024 + 1), 16_384],
    [padded('{"a":1}', 1024 * 1024 + 1), 1_048_576]
  ] as const) {
    const message = `The document has ${text.length} bytes. The maximum is ${limit} without the package @lectern/converters.`
    expect(await parse(text)).toEqual({ problems: [{ code: "TOO_LARGE", message, severity: "error" }] })
  }
})

const nested = (opening: string, depth: number, closing: string) =>
  `a:\n  ${opening.repeat(depth)}1${closing.repeat(depth)}`

/** The problems of a document with a list or a mapping as a key. */
const collectionKey = {
  problems: [
    {
      code: "SYNTAX_ERROR",
      message: "A key is a list or a mapping. The keys of a spec are text.",
      severity: "error",
      line: 2,
      column: 5
    }
  ]
}

it("rejects YAML that is nested too deep before it is parsed, and accepts brackets in scalars", async () => {
  const tooDeep = {
    problems: [
      {
        code: "NESTED_TOO_DEEP",
        message: "The document is nested deeper than 500 levels.",
        severity: "error"
      }
    ]
  }
  for (const [opening, closing] of [
    ["[", "]"],
    ["{b: ", "}"],
    ["- ", ""],
    ["? ", ""]
  ] as const) {
    expect(await parse(nested(opening, 1000, closing))).toEqual(tooDeep)
    // The keys of this document are mappings, which no spec has.
    const allowed = opening === "? " ? collectionKey : { problems: [] }
    expect(await parse(nested(opening, 400, closing))).toMatchObject(allowed)
  }
  const brackets = "[{-?".repeat(600)
  const scalars = `a: "${brackets}"\nb: x${brackets}\nc: |\n  ${brackets}\nd:${"\n- 1".repeat(1000)}\ne: [${"[],".repeat(1000)}]`
  const { json = "null" } = await parse(scalars)
  expect(JSON.parse(json)).toMatchObject({
    a: brackets,
    b: `x${brackets}`,
    c: `${brackets}\n`,
    d: Array(1000).fill(1)
  })
})

// The time of the parser was exponential in the depth of keys: 800 characters took it minutes.
it("parses keys and values at any depth, in specs and in front matter, or rejects them", async () => {
  const level = fc.constantFrom(
    { opening: "[", closing: "]" },
    { opening: "{b: ", closing: "}" },
    { opening: "{", closing: ": 1}" },
    { opening: "{? ", closing: "}" },
    { opening: "[", closing: "]: 1" },
    { opening: "&a [", closing: ", *a]" },
    { opening: "{*a : ", closing: "}" },
    { opening: "- ", closing: "" },
    { opening: "? ", closing: "" }
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(level, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 400 }),
      async (levels, depth) => {
        const opening = levels.map((one) => one.opening).join("")
        const closing = levels
          .toReversed()
          .map((one) => one.closing)
          .join("")
        const yaml = nested(opening, Math.ceil(depth / levels.length), closing)
        const { json } = await parse(yaml)
        const { yaml: frontMatter } = splitPageFile(`---\n${yaml}\n---\n\n# Title\n`)
        if (json !== undefined) expect(JSON.parse(json)).toHaveProperty("a")
        if (json !== undefined && yaml.length < 9_000) expect(frontMatter).toBe(yaml)
      }
    ),
    runs(60)
  )
})
