/**
 * The shape of a service's method: what comes in is parsed, and a command is one transaction.
 *
 * Hosts hand on what their own users typed, so a method takes its arguments in their encoded form (plain strings,
 * plain objects) and parses them by their schemas before anything else; its body sees the parsed ones.
 */
import { Effect, Result, Schema, type SchemaIssue } from "effect"
import { InvalidInput } from "../errors.ts"
import { fieldsOf } from "../schema/schemaIssues.ts"
import type { Records, StorageUnavailable } from "../storage/index.ts"

type AnySchema = Schema.Codec<unknown, unknown>
type Schemas = ReadonlyArray<Schema.Top & { readonly DecodingServices: never }>

/** The arguments as callers give them. One that may be empty may be left out. */
type Given<S extends Schemas> = S extends readonly [
  infer Head extends Schemas[number],
  ...infer Tail extends Schemas
]
  ? object extends Head["Encoded"]
    ? [argument?: Head["Encoded"], ...Given<Tail>]
    : [argument: Head["Encoded"], ...Given<Tail>]
  : []

/** The arguments as the body gets them. */
type Parsed<S extends Schemas> = { readonly [K in keyof S]: S[K]["Type"] }

type Body<S extends Schemas, Yields, A> = (...args: Parsed<S>) => Generator<Yields, A, never>

type ErrorOf<Y> = Y extends Effect.Effect<unknown, infer E, unknown> ? E : never
type ServicesOf<Y> = Y extends Effect.Effect<unknown, unknown, infer R> ? R : never

const parser = (schema: Schemas[number]) =>
  Schema.decodeUnknownResult(schema as AnySchema, { errors: "all" }) as (
    input: unknown
  ) => Result.Result<unknown, { readonly issue: SchemaIssue.Issue }>

/** Parses the arguments, then runs what is made of them. */
const parsing = <S extends Schemas, A, E, R>(
  schemas: S,
  body: (parsed: Parsed<S>) => Effect.Effect<A, E, R>
): ((args: ReadonlyArray<unknown>) => Effect.Effect<A, E | InvalidInput, R>) => {
  const parsers = schemas.map(parser)
  return (args) => {
    const parsed = new Array<unknown>(parsers.length)
    for (let i = 0; i < parsers.length; i++) {
      const result = parsers[i]!(args[i] === undefined ? {} : args[i])
      if (Result.isFailure(result)) return Effect.fail(InvalidInput.of(fieldsOf(result.failure.issue)))
      parsed[i] = result.success
    }
    return body(parsed as unknown as Parsed<S>)
  }
}

/** A method that only reads. Its arguments are parsed by the schemas. */
export const query = <const S extends Schemas, Yields, A>(schemas: S, body: Body<S, Yields, A>) => {
  const method = parsing(schemas, (parsed) => run(body, parsed))
  return (...args: Given<S>): Effect.Effect<A, ErrorOf<Yields> | InvalidInput, ServicesOf<Yields>> =>
    method(args)
}

/** A method that writes: it is one transaction. Its arguments are parsed by the schemas. */
export const command =
  (records: Records["Service"]) =>
  <const S extends Schemas, Yields, A>(schemas: S, body: Body<S, Yields, A>) => {
    const method = parsing(schemas, (parsed) => records.transaction(run(body, parsed)))
    return (
      ...args: Given<S>
    ): Effect.Effect<A, ErrorOf<Yields> | InvalidInput | StorageUnavailable, ServicesOf<Yields>> =>
      method(args)
  }

const run = <S extends Schemas, Yields, A>(body: Body<S, Yields, A>, parsed: Parsed<S>) =>
  Effect.gen(
    () => body(...parsed) as Generator<Effect.Effect<unknown, ErrorOf<Yields>, ServicesOf<Yields>>, A, never>
  )
