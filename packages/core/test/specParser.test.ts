/** Parsing OpenAPI documents on the main thread, without the package `@lectern/converters`. */
import { ParseFailed, SpecParser } from "@lectern/core"
import { Effect } from "effect"
import { expect, it } from "vitest"

const parse = (text: string) =>
  Effect.runPromise(Effect.result(Effect.flatMap(SpecParser, (parser) => parser(text, false))))

const padded = (text: string, length: number): string => text + " ".repeat(length - text.length)

it("parses documents up to the limit of their format", async () => {
  expect(await parse(padded("a: 1", 16 * 1024))).toMatchObject({ success: { json: '{"a":1}' } })
  expect(await parse(padded('{"a":1}', 1024 * 1024))).toMatchObject({ success: { json: '{"a":1}' } })
})

it("rejects larger documents, with their size and the limit", async () => {
  for (const [text, limit] of [
    [padded("a: 1", 16 * 1024 + 1), 16_384],
    [padded('{"a":1}', 1024 * 1024 + 1), 1_048_576]
  ] as const) {
    expect(await parse(text)).toMatchObject({
      failure: new ParseFailed({
        message: `The document has ${text.length} characters. The maximum is ${limit} without the package @lectern/converters.`
      })
    })
  }
})
