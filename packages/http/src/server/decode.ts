/** Decodes requests by the schemas of their operations, and reports all invalid fields in one error. */
import { type InputDecoder, type InvalidField, InvalidInput, makeInputDecoder } from "@lectern/core"
import { jsonBoundsOf } from "@lectern/model/schema"
import { Data, Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { DecodedRequest } from "../handlers/shared/Handlers.ts"
import { type BodyTooLarge, NotJson } from "./messages/failures.ts"
import { parseJson } from "./messages/json.ts"
import type { ApiRequest } from "./messages/Message.ts"

/** A request is invalid. `target` is the request with only its path parameters, if these are valid. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{
  readonly error: InvalidInput
  readonly target: DecodedRequest | undefined
}> {}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Whether the headers declare a JSON body. The encodings that the server supports have been removed. */
const isJson = (type: string | undefined, encoding: string | undefined): boolean =>
  (type === undefined || jsonType.test(type)) && (encoding === undefined || encoding === "identity")

/**
 * Creates the decoder of an operation's requests. It fails with `InvalidRequest` for invalid fields, `NotJson` for a body of
 * another content type, and `BodyTooLarge` for a body over the limit.
 */
export const makeRequestDecoder = (endpoint: HttpApiEndpoint.Top) => {
  const decodeParams = endpoint.params === undefined ? undefined : makeInputDecoder(endpoint.params)
  const decodeQuery =
    endpoint.query === undefined ? undefined : makeInputDecoder(Schema.toCodecArrayFromSingle(endpoint.query))
  const payload = endpoint.payload.get("application/json")?.schemas[0]
  const decodePayload = payload === undefined ? undefined : makeInputDecoder(payload)
  const bounds = jsonBoundsOf(payload ?? Schema.Struct({}))

  const targetOf = (path: ReturnType<InputDecoder> | undefined): DecodedRequest | undefined =>
    path === undefined ? {} : Result.isFailure(path) ? undefined : { params: path.success }

  const decodeParts = (
    params: unknown,
    query: unknown,
    body: Result.Result<unknown, InvalidField> | undefined
  ): Effect.Effect<DecodedRequest, InvalidRequest> => {
    const results = [
      decodeParams?.(params),
      decodeQuery?.(query),
      body === undefined
        ? undefined
        : Result.isFailure(body)
          ? Result.fail([body.failure])
          : decodePayload?.(body.success)
    ] as const
    const [decodedParams, decodedQuery, decodedPayload] = results.map((part) =>
      part === undefined ? undefined : Result.getOrUndefined(part)
    )
    const invalidFields = results.flatMap((part) =>
      part !== undefined && Result.isFailure(part) ? part.failure : []
    )
    if (invalidFields.length === 0) {
      return Effect.succeed({ params: decodedParams, query: decodedQuery, payload: decodedPayload })
    }
    const [path] = results
    return Effect.fail(new InvalidRequest({ error: InvalidInput.of(invalidFields), target: targetOf(path) }))
  }

  return (
    request: ApiRequest,
    params: unknown,
    query: unknown
  ): Effect.Effect<DecodedRequest, InvalidRequest | NotJson | BodyTooLarge> => {
    if (decodePayload === undefined) return decodeParts(params, query, undefined)
    const isDeclaredJson = isJson(request.header("content-type"), request.header("content-encoding"))
    const body = Effect.mapError(request.body, (error) =>
      error._tag === "InvalidInput"
        ? new InvalidRequest({ error, target: targetOf(decodeParams?.(params)) })
        : error
    )
    return Effect.flatMap(
      body,
      (bytes): Effect.Effect<DecodedRequest, InvalidRequest | NotJson> =>
        bytes.length > 0 && !isDeclaredJson
          ? Effect.fail(new NotJson())
          : decodeParts(params, query, parseJson(bytes, bounds))
    )
  }
}
