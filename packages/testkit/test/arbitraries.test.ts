/** Every resource and every input that core declares: its values are what its schema says, and what is wrong is refused. */
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

/** The schemas of core, except those that are no JSON (errors, secrets) and those that accept anything (no fields). */
const schemas = Object.entries(Core as Record<string, unknown>).flatMap(([name, value]) =>
  Schema.isSchema(value) &&
  value.ast._tag !== "Declaration" &&
  !["Bootstrap", "CreateApiToken", "JoinedOrganization"].includes(name)
    ? [[name, value as Codec] as const]
    : []
)

const decoderOf = (schema: Codec) => Schema.decodeUnknownResult(schema, { errors: "all" })

/** Checks a property of each schema, and says of all that fail what fails. */
const ofEach = <A>(
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

describe("arbitraries of every schema that core declares", () => {
  it("are of more than 100", () => expect(schemas.length).toBeGreaterThan(100))

  it("make values that are sent and come back the same", () =>
    ofEach(8, valueArbitrary, (schema, value) => {
      const sent = Schema.encodeUnknownSync(schema)(value)
      expect(Result.getOrThrow(decoderOf(schema)(sent))).toEqual(value)
    }))

  it("make inputs that are accepted, also as JSON", () =>
    ofEach(8, inputArbitrary, (schema, input) => {
      const decoded = decoderOf(schema)(JSON.parse(JSON.stringify(input)))
      expect(Result.isFailure(decoded) ? Core.fieldsOf(decoded.failure.issue) : []).toEqual([])
    }))

  it("make wrong inputs that are refused, and that are named by their path", () =>
    ofEach(8, mutatedInputArbitrary, (schema, mutated) => {
      const decoded = decoderOf(schema)(mutated.input)
      if (Result.isSuccess(decoded)) throw new Error("It was accepted.")
      const paths = Core.fieldsOf(decoded.failure.issue).map(({ path }) => path)
      if (!paths.some((path) => isMutationPath(mutated, path)))
        throw new Error(`Refused at ${JSON.stringify(paths)}.`)
    }))
})
