/** Decodes requests by the schemas of their operations. Reports all invalid fields at once. */
import { fieldsOf, type InvalidField, InvalidInput } from "@lectern/core"
import { Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { readJson } from "./json.ts"
import { type BodyTooLarge, NotJson } from "./messages/failures.ts"
import type { ApiRequest } from "./messages/Message.ts"

/** A decoded request, as handlers take it. */
export interface Decoded {
  readonly params?: unknown
  readonly query?: unknown
  readonly payload?: unknown
}

type Parse = (input: unknown) => Result.Result<unknown, ReadonlyArray<InvalidField>>

const parser = (schema: Schema.Top): Parse => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, { errors: "all" })
  return (input) => Result.mapError(decode(input), (error) => fieldsOf(error.issue))
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Whether a body is declared as JSON. A compressed body would only look malformed. */
const isJson = (type: string | undefined, encoding: string | undefined): boolean =>
  (type === undefined || jsonType.test(type)) && (encoding === undefined || encoding === "identity")

/** Creates the decoder of an operation from its schemas. */
export const makeRequestDecoder = (endpoint: HttpApiEndpoint.Top) => {
  const parseParams = endpoint.params === undefined ? undefined : parser(endpoint.params)
  const parseQuery =
    endpoint.query === undefined ? undefined : parser(Schema.toCodecArrayFromSingle(endpoint.query))
  const payload = endpoint.payload.get("application/json")?.schemas[0]
  const parsePayload = payload === undefined ? undefined : parser(payload)

  const together = (
    params: unknown,
    query: unknown,
    body: Result.Result<unknown, InvalidField> | undefined
  ): Effect.Effect<Decoded, InvalidInput> => {
    const parsed = [
      parseParams?.(params),
      parseQuery?.(query),
      body === undefined
        ? undefined
        : Result.isFailure(body)
          ? Result.fail([body.failure])
          : parsePayload?.(body.success)
    ] as const
    const problems = parsed.flatMap((part) =>
      part !== undefined && Result.isFailure(part) ? part.failure : []
    )
    if (problems.length > 0) return Effect.fail(InvalidInput.of(problems))
    const [theParams, theQuery, thePayload] = parsed.map((part) =>
      part === undefined ? undefined : Result.getOrThrow(part)
    )
    return Effect.succeed({ params: theParams, query: theQuery, payload: thePayload })
  }

  return (
    request: ApiRequest,
    params: unknown,
    query: unknown
  ): Effect.Effect<Decoded, InvalidInput | NotJson | BodyTooLarge> => {
    if (parsePayload === undefined) return together(params, query, undefined)
    const declared = isJson(request.header("content-type"), request.header("content-encoding"))
    return Effect.flatMap(
      request.body,
      (bytes): Effect.Effect<Decoded, InvalidInput | NotJson> =>
        bytes.length > 0 && !declared ? Effect.fail(new NotJson()) : together(params, query, readJson(bytes))
    )
  }
}
