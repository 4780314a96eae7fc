/** Properties of decoding inputs: the order of size, the bounds of lists, and items, and the number of invalid fields. */

import { runs } from "@lectern/harness"
import { makeInputDecoder } from "@lectern/markdown/conditions"
import { Condition } from "@lectern/model/conditions"
import { makeSchemaDecoder } from "@lectern/model/schema"
import { Result, Schema, SchemaTransformation } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const groupsLimit = 150
const numbersLimit = 20
const numberOfGroup = 5

const Input = Schema.Struct({
  groups: Schema.Array(
    Schema.Struct({ numbers: Schema.Array(Schema.Int).check(Schema.isMaxLength(numbersLimit)) })
  ).check(Schema.isMaxLength(groupsLimit)),
  padding: Schema.optionalKey(Schema.Unknown)
})
const decode = makeInputDecoder(Input, ["input"])

/** The paths of the invalid fields of an input. */
const pathsOf = (input: unknown): ReadonlyArray<string> => {
  const decoded = decode(input)
  return Result.isFailure(decoded) ? decoded.failure.map(({ path }) => path) : []
}

/** The lengths of lists of numbers: many within the bound, and some beyond it. */
const lengths = fc.array(fc.oneof(fc.nat(numberOfGroup), fc.integer({ min: numbersLimit, max: 40 })), {
  maxLength: groupsLimit + 10
})
/** Whether each number is invalid, by its index. */
const invalidIndex = fc.option(fc.nat(numberOfGroup), { nil: undefined })

const inputOf = (sizes: ReadonlyArray<number>, invalid: number | undefined, padding: number) => ({
  groups: sizes.map((size) => ({
    numbers: Array.from({ length: size }, (_, index) => (index === invalid ? "x" : index))
  })),
  padding: Array.from({ length: padding }, () => 0)
})

const oversizedPaths = (sizes: ReadonlyArray<number>): ReadonlyArray<string> =>
  sizes.length > groupsLimit
    ? ["input.groups"]
    : sizes
        .flatMap((size, index) => (size > numbersLimit ? [`input.groups.${index}.numbers`] : []))
        .slice(0, 100)

const invalidPaths = (sizes: ReadonlyArray<number>, invalid: number | undefined): ReadonlyArray<string> =>
  sizes.flatMap((size, index) =>
    invalid !== undefined && size > invalid ? [`input.groups.${index}.numbers.${invalid}`] : []
  )

describe("decoding an input", () => {
  it("reports every list of a large input that is too long, or else its first invalid item", () => {
    fc.assert(
      fc.property(lengths, invalidIndex, (sizes, invalid) => {
        const oversized = oversizedPaths(sizes)
        expect(pathsOf(inputOf(sizes, invalid, 2_000))).toEqual(
          oversized.length > 0 ? oversized : invalidPaths(sizes, invalid).slice(0, 1)
        )
      }),
      runs(300)
    )
  })

  it("reports every invalid field of a small input, at most 100", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(numberOfGroup), { maxLength: groupsLimit }),
        invalidIndex,
        (sizes, invalid) => {
          expect(pathsOf(inputOf(sizes, invalid, 0))).toEqual(invalidPaths(sizes, invalid).slice(0, 100))
        }
      ),
      runs(300)
    )
  })

  it("accepts every input within the bounds, of any size", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(numbersLimit), { maxLength: groupsLimit }),
        fc.nat(5_000),
        (sizes, padding) => {
          expect(pathsOf(inputOf(sizes, undefined, padding))).toEqual([])
        }
      ),
      runs(200)
    )
  })
})

/** A tree, whose schema is reached again through a suspended one. */
interface Tree {
  readonly text: string
  readonly children: ReadonlyArray<Tree>
}
const Tree: Schema.Codec<Tree> = Schema.Struct({
  text: Schema.String,
  children: Schema.Array(Schema.suspend(() => Tree))
})

const isSmall = Schema.makeFilter((input: unknown) => JSON.stringify(input).length < 200 || "must be small")
const padded = SchemaTransformation.transform<string, string>({
  decode: (text) => text.trim(),
  encode: (text) => ` ${text}`
})

/** Schemas that have a check or a transformation before their own, and contain suspended schemas or conditions. */
const transformed: ReadonlyArray<Schema.Top> = [
  Schema.Unknown.check(isSmall).pipe(Schema.decodeTo(Tree)),
  Schema.Struct({ tree: Schema.optionalKey(Schema.Unknown.check(isSmall).pipe(Schema.decodeTo(Tree))) }),
  Schema.Array(Schema.Union([Schema.Unknown.check(isSmall).pipe(Schema.decodeTo(Tree)), Schema.String])),
  Schema.fromJsonString(Schema.Struct({ text: Condition, children: Schema.Array(Schema.Unknown) }))
]

const trees = fc.letrec<{ readonly tree: Tree; readonly children: ReadonlyArray<Tree> }>((tie) => ({
  tree: fc.record({ text: fc.string(), children: tie("children") }),
  children: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("tree"), { maxLength: 3 }))
})).tree
const transformedInputs = fc.oneof(
  trees,
  fc.record({ tree: trees }),
  fc.array(fc.oneof(trees, fc.string(), fc.integer())),
  trees.map((tree) => JSON.stringify({ ...tree, text: "visitor.claims.beta" }))
)

describe("checking the expressions of an input", () => {
  it("changes no other result of its schema, which may check and transform the input first", () => {
    fc.assert(
      fc.property(fc.constantFrom(...transformed), transformedInputs, (schema, input) => {
        expect(makeInputDecoder(schema)(input)).toEqual(makeSchemaDecoder(schema)(input))
      }),
      runs(400)
    )
  })

  it.each([
    [Schema.fromJsonString(Schema.Struct({ text: Condition })), '{"text":"visitor."}', "text"],
    [Schema.String.pipe(Schema.decodeTo(Condition, padded)), " visitor. ", ""],
    [Condition.pipe(Schema.decodeTo(Schema.String, padded)), "visitor.", ""]
  ])("rejects an invalid expression before and after a transformation", (schema, input, path) => {
    expect(Result.getFailure(makeInputDecoder(schema)(input))).toMatchObject({ value: [{ path }] })
    expect(Result.isSuccess(makeSchemaDecoder(schema)(input))).toBe(true)
  })
})
