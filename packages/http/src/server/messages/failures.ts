/** Maps errors to responses. Their statuses are declared with their classes. */
import { type InvalidInput, type LecternError, type StorageUnavailable, statusOf } from "@lectern/core"
import { Schema } from "effect"
import { type ApiResponse, json } from "./Message.ts"

/** The body of a request is over the limit. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Int }) {}

/** The body of a request is not JSON, by its content type, or it is compressed. */
export class NotJson extends Schema.TaggedError<NotJson>()("NotJson", {}) {}

/** Everything that a request can fail with. */
export type Failure = LecternError | BodyTooLarge | NotJson

/** How long a client waits before it tries again when the database is away, in seconds. */
const retryAfterSeconds = "1"

/** The body of an error, as the public contract has it, with the reason beside the message. */
const failure = (
  code: number,
  reason: string,
  message: string,
  headers?: Record<string, string>,
  details?: InvalidInput["details"]
): ApiResponse =>
  json(
    code,
    JSON.stringify({ error: { code, reason, message, ...(details === undefined ? {} : { details }) } }),
    headers
  )

/** What clients read when the database is unavailable, by reason. */
const unavailable: Record<StorageUnavailable["reason"], string> = {
  Unreachable: "The database does not respond. Try again later.",
  Contention: "Too many clients are changing the same content at once. Try again.",
  DeadlineExceeded: "The operation took longer than its deadline. Try again later, or request less at once.",
  ReadOnly: "The database accepts no changes at the moment. Try again later."
}

/** The response to a failure, with the status that the class of the error declares. */
export const toResponse = (error: Failure): ApiResponse => {
  switch (error._tag) {
    case "BodyTooLarge":
      return failure(
        413,
        "BodyTooLarge",
        `The body is too large: the limit is ${error.limit} bytes. Send less at once.`
      )
    case "NotJson":
      return failure(
        415,
        "NotJson",
        "The body must be uncompressed JSON, with the content type application/json."
      )
    case "StorageUnavailable":
      return failure(statusOf(error), error.reason, unavailable[error.reason], {
        "retry-after": retryAfterSeconds
      })
    case "Unauthenticated":
      return failure(statusOf(error), error.reason, error.message, { "www-authenticate": "Bearer" })
    case "InvalidInput":
      return failure(statusOf(error), error.reason, error.message, {}, error.details)
    default:
      return failure(statusOf(error), error.reason, error.message)
  }
}

/** No operation has this path. */
export const unknownPath = (): ApiResponse =>
  failure(404, "UnknownPath", "There is nothing at this address; see /docs for what there is.")

/** The path is known, the method is not. */
export const unknownMethod = (method: string, allowed: ReadonlyArray<string>): ApiResponse =>
  failure(
    405,
    "MethodNotAllowed",
    `${method} is not possible here; ${allowed.join(", ")} ${allowed.length === 1 ? "is" : "are"}.`,
    {
      allow: allowed.join(", ")
    }
  )

/** The workspace could not be opened. */
export const notStarted = (): ApiResponse =>
  failure(503, "NotStarted", "The workspace could not be started; try again later.", {
    "retry-after": retryAfterSeconds
  })

/** The client takes no JSON. */
export const notAcceptable = (): ApiResponse =>
  failure(406, "NotAcceptable", "Answers are JSON; accept application/json.")

/** Something that must not happen did. The log has the cause under the request's id. */
export const defect = (requestId: string): ApiResponse =>
  failure(
    500,
    "Defect",
    `Something went wrong on our side. The log has more under the request id ${requestId}.`
  )
