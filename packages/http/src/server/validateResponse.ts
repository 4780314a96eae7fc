/** Validates responses against their declaration: results are serialized without a schema encoder. */
import { fieldsOf } from "@lectern/core"
import { Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { type Encoded, encode } from "./encode.ts"

/** The defect of an operation whose result is not the declared one. The log contains it, and the response does not. */
const invalidResult = ({ identifier }: HttpApiEndpoint.Top, problem: string): Error =>
  new Error(`${identifier} returned a response that differs from its declaration: ${problem}`)

/** Serializes the result of an operation. A result that JSON cannot represent is a defect that names the operation. */
export const encodeResult = (endpoint: HttpApiEndpoint.Top, value: unknown): Effect.Effect<Encoded> =>
  Effect.orDie(
    Effect.try({
      try: () => encode(value),
      catch: (cause) => invalidResult(endpoint, cause instanceof Error ? cause.message : String(cause))
    })
  )

/**
 * Creates the validator of an operation's responses. A response that differs from its declaration is a defect that names the operation
 * and the fields; an excess field is one if `onExcess` is `error`.
 */
export const makeResponseValidator = (
  endpoint: HttpApiEndpoint.Top,
  onExcess: "error" | "ignore"
): ((body: string | undefined) => Effect.Effect<void>) => {
  const [success] = endpoint.success
  const decode = Schema.decodeUnknownResult(success as Schema.Codec<unknown, unknown>, {
    errors: "all",
    onExcessProperty: onExcess
  })
  return (body) => {
    // The JSON of undefined.
    if (body === undefined) return Effect.die(invalidResult(endpoint, "it is undefined"))
    const result = decode(JSON.parse(body))
    if (Result.isSuccess(result)) return Effect.void
    const differences = fieldsOf(result.failure.issue).map(({ path, message }) => `${path} ${message}`.trim())
    return Effect.die(invalidResult(endpoint, differences.join("; ")))
  }
}
