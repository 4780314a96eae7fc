/** From an error to what the wire says of it: the one table of statuses (decision D1). */
import type { InvalidInput } from "@lectern/core"
import { Schema } from "effect"
import type { OperationError } from "../../handlers/shared/Handlers.ts"
import { type ApiResponse, json } from "./Message.ts"

/** The body of a request is over the limit. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Int }) {}

/** The body of a request is not JSON, by its content type, or it is compressed. */
export class NotJson extends Schema.TaggedError<NotJson>()("NotJson", {}) {}

/** Everything that a request can fail with. */
export type Failure = OperationError | BodyTooLarge | NotJson

/** How long a client waits before it tries again when the database is away, in seconds. */
const retryAfterSeconds = "1"

const failure = (code: number, message: string, headers?: Record<string, string>): ApiResponse =>
  json(code, JSON.stringify({ error: { code, message } }), headers)

const invalid = ({ message, details }: InvalidInput): ApiResponse =>
  json(400, JSON.stringify({ error: { code: 400, message, details } }))

/** The response to a failure. */
export const toResponse = (error: Failure): ApiResponse => {
  switch (error._tag) {
    case "InvalidInput":
      return invalid(error)
    case "Unauthenticated":
      return failure(401, error.message, { "www-authenticate": "Bearer" })
    case "Forbidden":
      return failure(403, error.message)
    case "NotFound":
      return failure(404, error.message)
    case "Conflict":
      return failure(409, error.message)
    case "Gone":
      return failure(410, error.message)
    case "PreconditionFailed":
      return failure(412, error.message)
    case "BodyTooLarge":
      return failure(413, `The body is too large: at most ${error.limit} bytes are taken.`)
    case "NotJson":
      return failure(415, "The body must be JSON, not compressed, with the content type application/json.")
    case "UpstreamFailed":
      return failure(502, error.message)
    case "UpstreamTimeout":
      return failure(504, error.message)
    case "StorageUnavailable":
      return failure(503, "The database cannot be reached at the moment; try again later.", {
        "retry-after": retryAfterSeconds
      })
  }
}

/** No operation has this path. */
export const unknownPath = (): ApiResponse =>
  failure(404, "There is nothing at this address; see /docs for what there is.")

/** The path is known, the method is not. */
export const unknownMethod = (method: string, allowed: ReadonlyArray<string>): ApiResponse =>
  failure(
    405,
    `${method} is not possible here; ${allowed.join(", ")} ${allowed.length === 1 ? "is" : "are"}.`,
    {
      allow: allowed.join(", ")
    }
  )

/** The workspace could not be opened. */
export const notStarted = (): ApiResponse =>
  failure(503, "The workspace could not be started; try again later.", { "retry-after": retryAfterSeconds })

/** The client takes no JSON. */
export const notAcceptable = (): ApiResponse => failure(406, "Answers are JSON; accept application/json.")

/** Something that must not happen did. The log has the cause under the request's id. */
export const defect = (requestId: string): ApiResponse =>
  failure(500, `Something went wrong on our side. The log has more under the request id ${requestId}.`)
