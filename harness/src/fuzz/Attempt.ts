/** What a fuzz run tries: an operation, what is sent to it, and what is done to that. */

import { inputArbitrary, type MutatedInput, mutatedInputArbitrary } from "@lectern/testkit/arbitraries"
import { Result, Schema, type SchemaAST } from "effect"
import * as fc from "fast-check"
import type { Declared } from "./Declared.ts"
import { type Hostile, hostileOf } from "./hostile.ts"
import { plain, references, refers } from "./References.ts"

/** What kind of a request it is. Each operation gets requests of each kind that it can have. */
export const classes = ["valid", "mutated", "hostile", "foreign"] as const
export type Class = (typeof classes)[number]

/** Who calls. A stranger is a member of nothing. */
export const callers = ["admin", "editor", "reader", "guest", "stranger"] as const
export type Caller = (typeof callers)[number]

/** A parameter of the address that is wrong: one of the path, or of the query. */
interface WrongParameter {
  readonly part: "params" | "query"
  readonly name: string
  readonly value: string | ReadonlyArray<string>
}

/** Whose things are named in the place of one's own. */
export type Foreign =
  /** The whole path is the other organization's. */
  | { readonly way: "path of the other" }
  /** The last thing in a path of one's own is the other organization's. */
  | { readonly way: "end of the other" }
  /** The last thing in the path has been deleted, if anything has. */
  | { readonly way: "deleted" }
  /** The last thing in the path is of another kind. */
  | { readonly way: "another kind" }
  /** What the input refers to is the other organization's. */
  | { readonly way: "input of the other" }

/** One request to be. Marks in it become ids when it is sent. */
export interface Attempt {
  readonly caller: Caller
  /** Which of the things that are there the path is of. */
  readonly which: number
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly payload: unknown
  readonly mutation:
    | { readonly kind: "valid" }
    | ({ readonly kind: "mutated" } & (WrongParameter | ({ readonly part: "payload" } & MutatedInput)))
    | ({ readonly kind: "hostile" } & Hostile)
    | ({ readonly kind: "foreign" } & Foreign)
}

type Query = Attempt["query"]

/** Texts in addresses that most parameters cannot be. */
const wrongTexts: ReadonlyArray<string> = [
  "a b",
  "é",
  "\u0001",
  "\0",
  "-1",
  "1.5",
  "1001",
  "NaN",
  "Infinity",
  "1e309",
  "0x10",
  "maybe",
  "x".repeat(101),
  "x".repeat(1_900)
]

const fieldsOf = (schema: Schema.Top | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  schema?.ast._tag === "Objects" ? schema.ast.propertySignatures : []

/** Every way to make one parameter of an address wrong. */
const wrongParameters = (
  part: "params" | "query",
  schema: Schema.Top | undefined
): ReadonlyArray<WrongParameter> =>
  fieldsOf(schema).flatMap(({ name, type }) => {
    const refuses = (value: unknown) =>
      Result.isFailure(Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown, unknown>>(type))(value))
    const candidates = part === "query" ? ["", ...wrongTexts, ["true", "true"], ["1", "2"]] : wrongTexts
    return candidates.filter(refuses).map((value) => ({ part, name: String(name), value }))
  })

const caller = fc.oneof(
  { arbitrary: fc.constant("admin" as const), weight: 8 },
  { arbitrary: fc.constantFrom(...callers), weight: 2 }
)

const foreignWays = (declared: Declared, payload: unknown): ReadonlyArray<Foreign> => [
  ...(declared.params.length === 0
    ? []
    : ([
        { way: "path of the other" },
        { way: "path of the other" },
        { way: "deleted" },
        { way: "another kind" }
      ] as const)),
  ...(declared.params.length < 2 ? [] : ([{ way: "end of the other" }] as const)),
  ...(refers(payload) ? ([{ way: "input of the other" }, { way: "input of the other" }] as const) : [])
]

const payloads = ({ payload }: Declared): fc.Arbitrary<unknown> => {
  if (payload === undefined) return fc.constant(undefined)
  const inputs = inputArbitrary(payload, references)
  return fc.oneof(inputs, inputs.map(plain))
}

/** The attempts of an operation, of one kind; undefined where it can have none of them. */
export const attemptsOf = (declared: Declared, kind: Class): fc.Arbitrary<Attempt> | undefined => {
  const input: fc.Arbitrary<Omit<Attempt, "mutation">> = fc.record({
    caller: kind === "mutated" ? fc.constant("admin" as const) : caller,
    which: fc.nat(1_000),
    query:
      declared.query === undefined
        ? fc.constant({})
        : (inputArbitrary(declared.query, references) as fc.Arbitrary<Query>),
    payload: payloads(declared)
  })
  const doing = (mutation: fc.Arbitrary<Attempt["mutation"]>) =>
    fc.tuple(input, mutation).map(([attempt, mutation]) => ({ ...attempt, mutation }))
  switch (kind) {
    case "valid":
      return doing(fc.constant({ kind }))
    case "mutated": {
      const parameters = [
        ...wrongParameters("params", declared.paramsSchema),
        ...wrongParameters("query", declared.query)
      ].map((wrong) => ({ kind, ...wrong }))
      const payload =
        declared.payload === undefined ? undefined : mutatedInputArbitrary(declared.payload, references)
      const ways = [
        ...(parameters.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...parameters), weight: 1 }]),
        ...(payload === undefined
          ? []
          : [
              {
                arbitrary: payload.map((mutated) => ({ kind, part: "payload" as const, ...mutated })),
                weight: 3
              }
            ])
      ]
      return ways.length === 0 ? undefined : doing(fc.oneof(...ways))
    }
    case "hostile":
      return doing(hostileOf(declared).map((hostile) => ({ kind, ...hostile })))
    case "foreign": {
      const refersEver = fc
        .sample(input, { numRuns: 6, seed: 1 })
        .some(({ query, payload }) => refers([query, payload]))
      if (declared.params.length === 0 && !refersEver) return undefined
      return input
        .filter(({ query, payload }) => foreignWays(declared, [query, payload]).length > 0)
        .chain((attempt) =>
          fc
            .constantFrom(...foreignWays(declared, [attempt.query, attempt.payload]))
            .map((way) => ({ ...attempt, mutation: { kind, ...way } }))
        )
    }
  }
}
