/** Validates responses against their declaration, for tests: services return resources in their final shape. */
import { fieldsOf } from "@lectern/core"
import { Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** Creates the validator of an operation. It dies with every difference from the declaration, excess fields included. */
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
      new Error(`${endpoint.identifier} returns what it does not declare: ${differences.join("; ")}`)
    )
  }
}
