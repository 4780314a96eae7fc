/** Arbitraries of attempts: inputs of an operation, and how they are mutated. */

import { inputArbitrary, type MutatedInput, mutatedInputArbitrary } from "@lectern/testkit/arbitraries"
import { Result, Schema, type SchemaAST } from "effect"
import * as fc from "fast-check"
import type { ApiOperation } from "./ApiOperation.ts"
import { type HostileMutation, hostileArbitrary } from "./hostile.ts"
import { hasReferences, referenceOverride, withoutRestrictedFields } from "./References.ts"

/** The kinds of attempts. Each operation gets attempts of each kind that applies to it. */
export const attemptKinds = ["valid", "mutated", "hostile", "foreign"] as const
export type AttemptKind = (typeof attemptKinds)[number]

/** The callers, by role. A stranger is not a member of any organization. */
export const callers = ["admin", "editor", "reader", "guest", "stranger"] as const
export type Caller = (typeof callers)[number]

/** An invalid parameter of the path or the query. */
interface InvalidParameter {
  readonly part: "params" | "query"
  readonly name: string
  readonly value: string | ReadonlyArray<string>
}

/** How a request refers to resources that the caller must not see, or that do not exist. */
export type ForeignMutation =
  /** The whole path is that of a resource of the other organization. */
  | { readonly variant: "foreignPath" }
  /** The last parameter of the path is that of a resource of the other organization. */
  | { readonly variant: "foreignTarget" }
  /** The path is that of a deleted resource, if there is one. */
  | { readonly variant: "deleted" }
  /** The last parameter of the path is the id of a resource of another kind. */
  | { readonly variant: "otherKind" }
  /** The references in the input are to resources of the other organization. */
  | { readonly variant: "foreignInput" }

/** A request to be sent. Marks in its input are replaced by ids when it is sent (see References.ts). */
export interface Attempt {
  readonly caller: Caller
  /** Selects the resource of the path among the existing ones, modulo their number. */
  readonly which: number
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly payload: unknown
  readonly mutation:
    | { readonly kind: "valid" }
    | ({ readonly kind: "mutated" } & (InvalidParameter | ({ readonly part: "payload" } & MutatedInput)))
    | ({ readonly kind: "hostile" } & HostileMutation)
    | ({ readonly kind: "foreign" } & ForeignMutation)
}

type Query = Attempt["query"]

/** Strings that are invalid for most parameters. */
const invalidParameterTexts: ReadonlyArray<string> = [
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

/** Returns all sample strings that are invalid for a parameter of the path or the query. */
const invalidParameters = (
  part: "params" | "query",
  schema: Schema.Top | undefined
): ReadonlyArray<InvalidParameter> =>
  fieldsOf(schema).flatMap(({ name, type }) => {
    const isInvalid = (value: unknown) =>
      Result.isFailure(Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown, unknown>>(type))(value))
    const candidates =
      part === "query" ? ["", ...invalidParameterTexts, ["true", "true"], ["1", "2"]] : invalidParameterTexts
    return candidates.filter(isInvalid).map((value) => ({ part, name: String(name), value }))
  })

const callerArbitrary = fc.oneof(
  { arbitrary: fc.constant("admin" as const), weight: 8 },
  { arbitrary: fc.constantFrom(...callers), weight: 2 }
)

const foreignVariants = (operation: ApiOperation, payload: unknown): ReadonlyArray<ForeignMutation> => [
  ...(operation.paramNames.length === 0
    ? []
    : ([
        { variant: "foreignPath" },
        { variant: "foreignPath" },
        { variant: "deleted" },
        { variant: "otherKind" }
      ] as const)),
  ...(operation.paramNames.length < 2 ? [] : ([{ variant: "foreignTarget" }] as const)),
  ...(hasReferences(payload) ? ([{ variant: "foreignInput" }, { variant: "foreignInput" }] as const) : [])
]

const payloadArbitrary = ({ payload }: ApiOperation): fc.Arbitrary<unknown> => {
  if (payload === undefined) return fc.constant(undefined)
  const inputs = inputArbitrary(payload, referenceOverride)
  return fc.oneof(inputs, inputs.map(withoutRestrictedFields))
}

/** Returns an arbitrary of attempts of a kind; undefined if the kind does not apply to the operation. */
export const attemptArbitrary = (
  operation: ApiOperation,
  kind: AttemptKind
): fc.Arbitrary<Attempt> | undefined => {
  const input: fc.Arbitrary<Omit<Attempt, "mutation">> = fc.record({
    caller: kind === "mutated" ? fc.constant("admin" as const) : callerArbitrary,
    which: fc.nat(1_000),
    query:
      operation.query === undefined
        ? fc.constant({})
        : (inputArbitrary(operation.query, referenceOverride) as fc.Arbitrary<Query>),
    payload: payloadArbitrary(operation)
  })
  const withMutation = (mutation: fc.Arbitrary<Attempt["mutation"]>) =>
    fc.tuple(input, mutation).map(([attempt, mutation]) => ({ ...attempt, mutation }))
  switch (kind) {
    case "valid":
      return withMutation(fc.constant({ kind }))
    case "mutated": {
      const parameters = [
        ...invalidParameters("params", operation.paramsSchema),
        ...invalidParameters("query", operation.query)
      ].map((wrong) => ({ kind, ...wrong }))
      const payload =
        operation.payload === undefined
          ? undefined
          : mutatedInputArbitrary(operation.payload, referenceOverride)
      const variants = [
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
      return variants.length === 0 ? undefined : withMutation(fc.oneof(...variants))
    }
    case "hostile":
      return withMutation(hostileArbitrary(operation).map((hostile) => ({ kind, ...hostile })))
    case "foreign": {
      const canHaveReferences = fc
        .sample(input, { numRuns: 6, seed: 1 })
        .some(({ query, payload }) => hasReferences([query, payload]))
      if (operation.paramNames.length === 0 && !canHaveReferences) return undefined
      return input
        .filter(({ query, payload }) => foreignVariants(operation, [query, payload]).length > 0)
        .chain((attempt) =>
          fc
            .constantFrom(...foreignVariants(operation, [attempt.query, attempt.payload]))
            .map((variant) => ({ ...attempt, mutation: { kind, ...variant } }))
        )
    }
  }
}
