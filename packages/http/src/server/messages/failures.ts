/** Maps errors to responses. The class of an error declares its status. */
import { InvalidInput, type LecternError, statusOf } from "@lectern/core"
import { Schema } from "effect"
import { type ApiResponse, jsonResponse } from "./Message.ts"
import { serverReasons, unavailableReasons } from "./unavailable.ts"

/** The body of a request is over the limit, in bytes. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { limit: Schema.Int }) {}

/** The body of a request ended early, because the client disconnected, or could not be read a second time. */
export const incompleteBody = new InvalidInput({
  reason: "InvalidFields",
  message: "The request body ended before its declared length.",
  details: []
})

/** The headers of a request declare a body that is not JSON, or an unsupported encoding. */
export class NotJson extends Schema.TaggedError<NotJson>()("NotJson", {}) {}

/** The server has as many requests in progress as it accepts. */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {}) {}

/** Everything that a request can fail with. */
export type Failure = LecternError | BodyTooLarge | NotJson | Overloaded

/** The `Retry-After` header when the database is unavailable, in seconds. */
const retryAfterSeconds = "1"

/** The `Retry-After` header while exports are produced, in seconds. */
const exportRetrySeconds = "10"

/** Creates the response of an error, with the body that the API declares. */
const errorResponse = (
  code: number,
  reason: string,
  message: string,
  headers?: Record<string, string>,
  details?: InvalidInput["details"]
): ApiResponse =>
  jsonResponse(
    code,
    JSON.stringify({ error: { code, reason, message, ...(details === undefined ? {} : { details }) } }),
    headers
  )

/** Creates a response with the status 503. Clients can repeat the request after a second. */
const unavailable = (reason: string, message: string): ApiResponse =>
  errorResponse(503, reason, message, { "retry-after": retryAfterSeconds })

/** The response to a failure, with the status that the class of the error declares. */
export const toResponse = (error: Failure): ApiResponse => {
  switch (error._tag) {
    case "BodyTooLarge":
      return errorResponse(
        413,
        "BodyTooLarge",
        `The request body exceeds the limit of ${error.limit} bytes. Split it into smaller requests.`
      )
    case "NotJson":
      return errorResponse(
        415,
        "NotJson",
        "The request body must be JSON with the content type application/json, uncompressed or with one of the encodings br, zstd and gzip.",
        { "accept-encoding": "br, zstd, gzip" }
      )
    case "Overloaded":
      return unavailable("Overloaded", serverReasons.Overloaded)
    case "StorageUnavailable":
      return unavailable(error.reason, unavailableReasons[error.reason].message)
    case "FeatureError":
      return errorResponse(error.status, error.reason, error.message)
    case "Unauthenticated":
      return errorResponse(statusOf(error), error.reason, error.message, { "www-authenticate": "Bearer" })
    case "InvalidInput":
      return errorResponse(statusOf(error), error.reason, error.message, {}, error.details)
    case "Conflict": {
      const { reason, message, failingRules } = error
      return jsonResponse(
        statusOf(error),
        JSON.stringify({
          error: {
            code: statusOf(error),
            reason,
            message,
            ...(failingRules === undefined ? {} : { failingRules })
          }
        })
      )
    }
    case "UpstreamTimeout": {
      const { reason, message, run } = error
      if (run === undefined) return errorResponse(statusOf(error), reason, message)
      return jsonResponse(
        statusOf(error),
        JSON.stringify({ error: { code: statusOf(error), reason, message, run: run.id } }),
        run.location === undefined ? {} : { location: run.location }
      )
    }
    default:
      return errorResponse(statusOf(error), error.reason, error.message)
  }
}

/** Creates the response to a request over a rate limit, which `retryAfter` seconds later is below it. */
export const rateLimited = (retryAfter: number): ApiResponse =>
  errorResponse(
    429,
    "RateLimitExceeded",
    `Too many requests in one minute. Try again in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`,
    { "retry-after": String(retryAfter) }
  )

/** Creates the response to a stream of a user who has as many open streams as permitted. */
export const tooManyStreams = (maximum: number): ApiResponse =>
  errorResponse(
    429,
    "TooManyStreams",
    `You have ${maximum} open streams of events or changes, which is the maximum. Close one first.`,
    { "retry-after": "15" }
  )

/** Creates the response to a request whose body does not arrive. */
export const idleBody = (idleMs: number): ApiResponse =>
  errorResponse(
    408,
    "BodyTimeout",
    `No part of the request body arrived for ${idleMs / 1000} s. Nothing was stored. Send the request again.`
  )

/** Creates the response to an upload while `maximum` others of the same URL, user or address are received. */
export const tooManyUploads = (maximum: number, noun: string): ApiResponse =>
  errorResponse(
    429,
    "TooManyUploads",
    `At most ${maximum} ${maximum === 1 ? "upload" : "uploads"} of one ${noun} can be in progress. Try again when another one has ended.`,
    { "retry-after": retryAfterSeconds }
  )

/** Creates the response to the download of an export while too many others of its organization are produced. */
export const tooManyExports = (): ApiResponse =>
  errorResponse(
    429,
    "TooManyExports",
    "Too many exports of this organization are in progress. Try again when one has ended.",
    { "retry-after": exportRetrySeconds }
  )

/** Creates the response to bytes that are not a valid HTTP request. */
export const malformedRequest = (code: number, message: string): ApiResponse =>
  errorResponse(code, "MalformedRequest", message)

/** Creates the response to a request for metrics without their token. */
export const unauthenticatedMetrics = (): ApiResponse =>
  errorResponse(401, "TokenInvalid", "The token of the metrics is missing or wrong.", {
    "www-authenticate": "Bearer"
  })

/** Creates the response for a path that no route has. */
export const unknownPath = (): ApiResponse =>
  errorResponse(404, "UnknownPath", "Not found. See /docs for the API reference.")

/** Creates the response for a method that the path does not allow. */
export const unknownMethod = (method: string, allowed: ReadonlyArray<string>): ApiResponse =>
  errorResponse(405, "MethodNotAllowed", `The method ${method} is not allowed. Use ${allowed.join(", ")}.`, {
    allow: allowed.join(", ")
  })

/** Creates the response while the workspace cannot be opened. */
export const notStarted = (): ApiResponse => unavailable("NotStarted", serverReasons.NotStarted)

/** Creates the response to a range that a body of `length` bytes does not have. */
export const rangeNotSatisfiable = (length: number): ApiResponse =>
  errorResponse(416, "RangeNotSatisfiable", `The range is outside of the ${length} bytes of the file.`, {
    "content-range": `bytes */${length}`
  })

/** Creates the response for a client that does not accept JSON. */
export const notAcceptable = (): ApiResponse =>
  errorResponse(406, "NotAcceptable", "Responses are JSON. Accept application/json.")

/** Creates the response for a defect. The cause is logged with the request id, and not revealed. */
export const defect = (requestId: string): ApiResponse =>
  errorResponse(
    500,
    "Defect",
    `Internal server error. The server logged its cause with the request id ${requestId}.`
  )
