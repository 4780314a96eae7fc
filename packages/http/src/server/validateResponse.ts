/** Checks that what is answered is what is declared, for tests: services show resources in their final shape. */
import { fieldsOf } from "@lectern/core"
import { Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

/** A check of an operation's answers: it dies with all that differs from the declaration, fields too many included. */
export const make = (endpoint: HttpApiEndpoint.Top): ((body: string) => Effect.Effect<void>) => {
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
      new Error(`${endpoint.identifier} answers what it does not declare: ${differences.join("; ")}`)
    )
  }
}
