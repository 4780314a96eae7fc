/** Validates responses against their declaration, for tests: results are serialized without a schema encoder. */
import { fieldsOf } from "@lectern/core"
import { Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** Creates the validator of an operation's responses. A response that differs from its declaration, also by an excess field, is a defect. */
export const makeResponseValidator = (
  endpoint: HttpApiEndpoint.Top
): ((body: string) => Effect.Effect<void>) => {
  const [success] = endpoint.success
  const decode = Schema.decodeUnknownResult(success as Schema.Codec<unknown, unknown>, {
    errors: "all",
    onExcessProperty: "error"
  })
  return (body) => {
    const result = decode(JSON.parse(body))
    if (Result.isSuccess(result)) return Effect.void
    const differences = fieldsOf(result.failure.issue).map(({ path, message }) => `${path} ${message}`)
    return Effect.die(
      new Error(
        `${endpoint.identifier} returned a response that differs from its declaration: ${differences.join("; ")}`
      )
    )
  }
}
