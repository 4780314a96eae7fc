/** Decodes requests by the schemas of their operations. Reports all invalid fields at once. */
import { fieldsOf, type InvalidField, InvalidInput } from "@lectern/core"
import { Data, Effect, Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { DecodedRequest } from "../handlers/shared/Handlers.ts"
import { readJson } from "./json.ts"
import { type BodyTooLarge, NotJson } from "./messages/failures.ts"
import type { ApiRequest } from "./messages/Message.ts"

/** A request is invalid. `target` is the request with its path alone, where that has been decoded. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{
  readonly error: InvalidInput
  readonly target: DecodedRequest | undefined
}> {}

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

  const targetOf = (path: ReturnType<Parse> | undefined): DecodedRequest | undefined =>
    path === undefined ? {} : Result.isFailure(path) ? undefined : { params: path.success }

  const together = (
    params: unknown,
    query: unknown,
    body: Result.Result<unknown, InvalidField> | undefined
  ): Effect.Effect<DecodedRequest, InvalidRequest> => {
    const parsed = [
      parseParams?.(params),
      parseQuery?.(query),
      body === undefined
        ? undefined
        : Result.isFailure(body)
          ? Result.fail([body.failure])
          : parsePayload?.(body.success)
    ] as const
    const [theParams, theQuery, thePayload] = parsed.map((part) =>
      part === undefined ? undefined : Result.getOrUndefined(part)
    )
    const problems = parsed.flatMap((part) =>
      part !== undefined && Result.isFailure(part) ? part.failure : []
    )
    if (problems.length === 0) {
      return Effect.succeed({ params: theParams, query: theQuery, payload: thePayload })
    }
    const [path] = parsed
    return Effect.fail(new InvalidRequest({ error: InvalidInput.of(problems), target: targetOf(path) }))
  }

  return (
    request: ApiRequest,
    params: unknown,
    query: unknown
  ): Effect.Effect<DecodedRequest, InvalidRequest | NotJson | BodyTooLarge> => {
    if (parsePayload === undefined) return together(params, query, undefined)
    const declared = isJson(request.header("content-type"), request.header("content-encoding"))
    const body = Effect.mapError(request.body, (error) =>
      error._tag === "InvalidInput"
        ? new InvalidRequest({ error, target: targetOf(parseParams?.(params)) })
        : error
    )
    return Effect.flatMap(
      body,
      (bytes): Effect.Effect<DecodedRequest, InvalidRequest | NotJson> =>
        bytes.length > 0 && !declared ? Effect.fail(new NotJson()) : together(params, query, readJson(bytes))
    )
  }
}
