/** The arbitraries of every schema that core exports: values are valid, and mutated inputs are rejected. */
import * as Core from "@lectern/core"
import { runs } from "@lectern/harness"
import {
  inputArbitrary,
  isMutationPath,
  mutatedInputArbitrary,
  valueArbitrary
} from "@lectern/testkit/arbitraries"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

type Codec = Schema.Codec<unknown, unknown>

/**
 * The schemas of core, except schemas that are not JSON (errors, secrets) and those without fields, which accept any
 * input.
 */
const schemas = Object.entries(Core as Record<string, unknown>).flatMap(([name, value]) =>
  Schema.isSchema(value) &&
  value.ast._tag !== "Declaration" &&
  !["Bootstrap", "CreateApiToken", "JoinedOrganization"].includes(name)
    ? [[name, value as Codec] as const]
    : []
)

const decoderOf = (schema: Codec) => Schema.decodeUnknownResult(schema, { errors: "all" })

/** Checks a property of every schema, and reports all schemas that fail. */
const checkEachSchema = <A>(
  count: number,
  arbitraryOf: (schema: Codec) => fc.Arbitrary<A> | undefined,
  holds: (schema: Codec, value: A) => void
) => {
  const failures = schemas.flatMap(([name, schema]) => {
    try {
      const arbitrary = arbitraryOf(schema)
      if (arbitrary !== undefined)
        fc.assert(
          fc.property(arbitrary, (value) => holds(schema, value)),
          runs(count)
        )
      return []
    } catch (error) {
      const { message, cause } = error as Error
      return [`${name}: ${message}\n${cause}`]
    }
  })
  expect(failures.join("\n\n")).toBe("")
}

describe("the arbitraries of every schema of core", () => {
  it("cover more than 100 schemas", () => expect(schemas.length).toBeGreaterThan(100))

  it("generate values that are equal after encoding and decoding", () =>
    checkEachSchema(8, valueArbitrary, (schema, value) => {
      const sent = Schema.encodeUnknownSync(schema)(value)
      expect(Result.getOrThrow(decoderOf(schema)(sent))).toEqual(value)
    }))

  it("generate inputs that are accepted after serialization to JSON", () =>
    checkEachSchema(8, inputArbitrary, (schema, input) => {
      const decoded = decoderOf(schema)(JSON.parse(JSON.stringify(input)))
      expect(Result.isFailure(decoded) ? Core.fieldsOf(decoded.failure.issue) : []).toEqual([])
    }))

  it("generate mutated inputs that are rejected at the path of their defect", () =>
    checkEachSchema(8, mutatedInputArbitrary, (schema, mutated) => {
      const decoded = decoderOf(schema)(mutated.input)
      if (Result.isSuccess(decoded))
        throw new Error(`The mutated input was accepted: ${mutated.change} at "${mutated.path}".`)
      const paths = Core.fieldsOf(decoded.failure.issue).map(({ path }) => path)
      if (!paths.some((path) => isMutationPath(mutated, path)))
        throw new Error(`The error is at ${JSON.stringify(paths)}, expected "${mutated.path}".`)
    }))
})
