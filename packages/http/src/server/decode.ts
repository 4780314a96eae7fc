/** Takes a request apart by the schemas of its operation. All that is wrong with it is said at once. */
import { fieldsOf, InvalidInput } from "@lectern/core"
import { Effect, Result, Schema, type SchemaIssue } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { type BodyTooLarge, NotJson } from "./failures.ts"
import type { ApiRequest } from "./Message.ts"

/** What a handler gets. */
export interface Decoded {
  readonly params?: unknown
  readonly query?: unknown
  readonly payload?: unknown
}

type Parse = (input: unknown) => Result.Result<unknown, SchemaIssue.Issue>

const parser = (schema: Schema.Top): Parse => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown, unknown>, { errors: "all" })
  return (input) => Result.mapError(decode(input), (error) => error.issue)
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

const utf8 = new TextDecoder("utf-8", { fatal: true })

const readJson = (bytes: Uint8Array): Result.Result<unknown, InvalidInput> => {
  // Where every field may be left out, so may the body.
  if (bytes.length === 0) return Result.succeed({})
  try {
    return Result.succeed(JSON.parse(utf8.decode(bytes)))
  } catch {
    return Result.fail(new InvalidInput({ message: "The body is not well-formed JSON.", details: [] }))
  }
}

/** The decoder of an operation: made once, from its schemas. */
export const make = (endpoint: HttpApiEndpoint.Top) => {
  const parseParams = endpoint.params === undefined ? undefined : parser(endpoint.params)
  const parseQuery =
    endpoint.query === undefined ? undefined : parser(Schema.toCodecArrayFromSingle(endpoint.query))
  const payload = endpoint.payload.get("application/json")?.schemas[0]
  const parsePayload = payload === undefined ? undefined : parser(payload)

  const together = (
    params: unknown,
    query: unknown,
    body: Result.Result<unknown, InvalidInput> | undefined
  ): Effect.Effect<Decoded, InvalidInput> => {
    if (body !== undefined && Result.isFailure(body)) return Effect.fail(body.failure)
    const parsed = [
      parseParams?.(params),
      parseQuery?.(query),
      body === undefined ? undefined : parsePayload?.(body.success)
    ] as const
    const problems = parsed.flatMap((part) =>
      part !== undefined && Result.isFailure(part) ? fieldsOf(part.failure) : []
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
    const type = request.header("content-type")
    return Effect.flatMap(
      request.body,
      (bytes): Effect.Effect<Decoded, InvalidInput | NotJson> =>
        bytes.length > 0 && type !== undefined && !jsonType.test(type)
          ? Effect.fail(new NotJson())
          : together(params, query, readJson(bytes))
    )
  }
}
