/** The problems of OpenAPI documents: their codes, and their positions in JSON and YAML. */
import { InvalidDocument, parseDocument } from "@lectern/formats"
import { runs } from "@lectern/harness"
import type { SpecProblem } from "@lectern/model/openapi-specs"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stringify as stringifyYaml } from "yaml"

const problemsOf = (text: string): ReadonlyArray<SpecProblem> => {
  try {
    return parseDocument(text, true).problems
  } catch (error) {
    if (error instanceof InvalidDocument) return error.problems
    throw error
  }
}

/** The text from a position on. */
const textAt = (text: string, { line, column }: SpecProblem): string =>
  text
    .split("\n")
    .slice(line! - 1)
    .join("\n")
    .slice(column! - 1)

/** Names of keys, with characters that pointers and both formats escape. */
const name = fc.string({
  unit: fc.constantFrom("a", "b", "/", "~", '"', "é", " ", ":", "#"),
  minLength: 1,
  maxLength: 4
})

/** Values that contain references to nothing. Each reference is unique. */
const valueWithReferences = () => {
  let count = 0
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constantFrom<unknown>(1, true, null, "text", "two\nlines", []),
      fc.constant(undefined).map(() => ({ $ref: `#/nothing/${count++}` })),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 3 })
    )
  }))
  return value
}

/** Returns the pointers of the references in a document, by reference. */
const pointersIn = (value: unknown, pointer: string, found = new Map<string, string>()) => {
  if (typeof value !== "object" || value === null) return found
  for (const [key, inner] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
    if (key === "$ref") found.set(String(inner), at)
    else pointersIn(inner, at, found)
  }
  return found
}

const documentWith = (values: ReadonlyArray<unknown>) => ({
  openapi: "3.1.0",
  info: { title: "API", version: "1" },
  paths: {},
  components: { values }
})

describe("a reference to nothing", () => {
  for (const [format, write, key] of [
    ["JSON", (value: unknown, indent: number) => JSON.stringify(value, undefined, indent), '"$ref"'],
    ["YAML", (value: unknown) => stringifyYaml(value, { lineWidth: 0 }), "$ref"]
  ] as const) {
    it(`is reported with its pointer, line and column in ${format}`, () => {
      fc.assert(
        fc.property(
          fc.array(valueWithReferences(), { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 0, max: 4 }),
          (values, indent) => {
            const document = documentWith(values)
            const text = write(document, indent)
            const expected = pointersIn(document, "")
            const problems = problemsOf(text)
            expect(new Map(problems.map(({ message, pointer }) => [message, pointer]))).toEqual(
              new Map(
                [...expected].map(([reference, pointer]) => [
                  `The reference "${reference}" does not resolve.`,
                  pointer
                ])
              )
            )
            for (const problem of problems) {
              expect(problem).toMatchObject({ code: "REFERENCE_NOT_FOUND", severity: "error" })
              const [, reference = ""] = /"(.*)"/.exec(problem.message) ?? []
              expect(textAt(text, problem).replaceAll(/[\s"]/g, "")).toMatch(
                new RegExp(`^\\$ref:${reference}(?!\\d)`)
              )
              expect(textAt(text, problem).startsWith(key)).toBe(true)
            }
          }
        ),
        runs(100)
      )
    })
  }

  it("is reported at most 100 times", () => {
    const values = Array.from({ length: 150 }, (_, index) => ({ $ref: `#/nothing/${index}` }))
    expect(problemsOf(JSON.stringify(documentWith(values)))).toHaveLength(100)
  })
})

it("JSON is malformed if and only if `JSON.parse` fails, and the text before the error can be continued", () => {
  const mutated = fc
    .tuple(
      fc.jsonValue({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom("", ",", "]", "}", '"', "x", ":", "\n", "1", "\\")
    )
    .map(([value, at, inserted]) => {
      const text = JSON.stringify({ value })
      const offset = at % (text.length + 1)
      return text.slice(0, offset) + inserted + text.slice(inserted === "" ? offset + 1 : offset)
    })
  const isValid = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(mutated, (text) => {
      fc.pre(/^\s*[[{]/.test(text))
      const syntax = problemsOf(text).filter(({ code }) => code === "SYNTAX_ERROR")
      expect(syntax).toHaveLength(isValid(text) ? 0 : 1)
      const [problem] = syntax
      if (problem === undefined) return
      const rest = textAt(text, problem)
      // V8 reports the offset of most errors, and never an earlier one.
      const reported = /at position (\d+)/.exec(
        (() => {
          try {
            return String(JSON.parse(text))
          } catch (error) {
            return (error as Error).message
          }
        })()
      )?.[1]
      if (reported !== undefined) expect(text.length - rest.length).toBeLessThanOrEqual(Number(reported))
    }),
    runs(500)
  )
})

describe("a document", () => {
  const info = "info:\n  title: API\n  version: '1'\n"
  for (const [what, text, expected] of [
    [
      "without a version of OpenAPI",
      '{"hello":1}',
      [{ code: "NOT_OPENAPI", pointer: "", line: 1, column: 1 }]
    ],
    ["that is no object", "- 1", [{ code: "NOT_OPENAPI", pointer: "", line: 1 }]],
    ["that is empty", "# nothing\n", [{ code: "NOT_OPENAPI" }]],
    [
      "of another version",
      `${info}openapi: 4.0.0\npaths: {}\n`,
      [{ code: "UNSUPPORTED_VERSION", pointer: "/openapi", line: 4, column: 1 }]
    ],
    [
      "with a version that is a number",
      `${info}swagger: 2.0\npaths: {}\n`,
      [{ code: "UNSUPPORTED_VERSION", pointer: "/swagger", line: 4 }]
    ],
    [
      "without a title",
      '{"openapi": "3.1.0",\n "info": {},\n "paths": {}}',
      [
        { code: "MISSING_FIELD", pointer: "/info", line: 2, column: 2 },
        { code: "MISSING_FIELD", pointer: "/info", severity: "warning" }
      ]
    ],
    [
      "with a wrong indentation",
      "openapi: 3.0.0\ninfo:\n  title: API\n paths: {}\n",
      [{ code: "SYNTAX_ERROR", line: 4, column: 1 }]
    ],
    ["with an unclosed bracket", `${info}openapi: [\n`, [{ code: "SYNTAX_ERROR" }]],
    ["with an alias to nothing", `${info}openapi: 3.0.0\npaths: *nothing\n`, [{ code: "SYNTAX_ERROR" }]],
    ["with an alias to itself", `${info}openapi: 3.0.0\npaths: &p\n  /a: *p\n`, [{ code: "SYNTAX_ERROR" }]],
    ["of truncated JSON", '{"openapi":\n "3.1', [{ code: "SYNTAX_ERROR", line: 2, column: 6 }]],
    [
      "with equal operation ids and an unknown security scheme",
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        paths: {
          "/a": {
            get: { operationId: "a", responses: {} },
            put: { operationId: "a", security: [{ key: [] }] }
          }
        }
      }),
      [
        { code: "UNKNOWN_SECURITY_SCHEME", severity: "warning", pointer: "/paths/~1a/put/security/0/key" },
        { code: "DUPLICATE_OPERATION_ID", severity: "warning", pointer: "/paths/~1a/put/operationId" }
      ]
    ]
  ] as const) {
    it(`${what} has the code and the position of its problem`, () => {
      const found = problemsOf(text)
      expect(found).toHaveLength(expected.length)
      expect(found).toMatchObject(expected)
    })
  }
})
