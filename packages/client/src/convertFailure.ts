/** Converts failures of `HttpApiClient` to the errors that the promise client rejects with. */

import { ConnectionFailed, UnexpectedResponse } from "@lectern/model/api"
import { InvalidInput } from "@lectern/model/errors"
import { fieldsOf } from "@lectern/model/schema"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpClientError from "effect/http/HttpClientError"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const FailureBody = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))

/** Creates the error of a response that the operation does not declare, with the server's message if there is one. */
const unexpectedResponse = (
  response: NonNullable<HttpClientError.HttpClientError["response"]>
): Effect.Effect<UnexpectedResponse> =>
  Effect.map(
    Effect.option(Effect.flatMap(response.text, Schema.decodeUnknownEffect(FailureBody))),
    (body) => {
      const requestId = response.headers["x-request-id"]
      return new UnexpectedResponse({
        message: Option.match(body, {
          onNone: () =>
            `The server responded with status ${response.status} and a body that is not an error of the API.`,
          onSome: ({ error }) => error.message
        }),
        status: response.status,
        ...(requestId === undefined ? {} : { requestId })
      })
    }
  )

/** Converts the failure to decode a response. Applied before {@link convertFailure}, which treats it as an invalid request. */
export const convertResponseFailure = <A, E, R>(
  decoded: Effect.Effect<A, E, R>
): Effect.Effect<A, E | UnexpectedResponse, R> =>
  Effect.mapError(decoded, (error) =>
    Schema.isSchemaError(error)
      ? new UnexpectedResponse({ message: `The response does not match its declaration: ${error.message}` })
      : error
  )

/** Converts all other failures. Does not convert interruption. */
export const convertFailure = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, unknown, R> =>
  Effect.catchCause(effect, (cause): Effect.Effect<never, unknown> => {
    if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
    const error = Cause.squash(cause)
    if (Schema.isSchemaError(error)) return Effect.fail(InvalidInput.of(fieldsOf(error.issue)))
    if (!HttpClientError.isHttpClientError(error)) return Effect.failCause(cause)
    return error.response === undefined
      ? Effect.fail(
          new ConnectionFailed({
            message: `No response from ${error.request.url}: the server cannot be reached, or the request was blocked.`,
            cause: error.reason.cause
          })
        )
      : Effect.flatMap(unexpectedResponse(error.response), Effect.fail)
  })
