/** Completes the responses of all routes: ranges, the headers of every response, the response to HEAD, and the log. */
import { type Cause, Clock, Effect, type Fiber, LogLevel, References } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import {
  decodeRequest,
  encodeResponse,
  selectCoding,
  withoutCodingsInTags
} from "./messages/contentEncoding.ts"
import { type ApiRequest, type ApiResponse, byteLengthOf } from "./messages/Message.ts"
import { applyRange } from "./messages/ranges.ts"
import { requestIdOf } from "./messages/requestId.ts"
import { addStandardHeaders } from "./messages/standardHeaders.ts"
import { recordRequest } from "./metrics/requestMetrics.ts"
import { type LoggedRequest, RequestLog } from "./RequestLog.ts"
import { traceRequest } from "./traceRequests.ts"

/** Options of {@link completeResponses}. */
export interface CompletionOptions {
  /** Whether to log each request, at the level `Info`. */
  readonly logRequests: boolean
  /** The maximum size of a request body, in bytes. */
  readonly bodyLimit: number
  /** Whether to compress responses. */
  readonly compression: boolean
  /** Whether clients connect with HTTPS, also in the future. */
  readonly isHttps: boolean
}

/** Returns the response to HEAD: that to GET, with its `Content-Length`, without its body. */
const withoutBody = (response: ApiResponse): ApiResponse => {
  if (response.body === undefined) return response
  const length = byteLengthOf(response.body)
  if (length !== undefined) response.headers["content-length"] = String(length)
  return { ...response, body: undefined }
}

const logRequest = (
  fiber: Fiber.Fiber<unknown, unknown>,
  request: ApiRequest,
  { status, outcome }: ApiResponse,
  durationMillis: number
): Effect.Effect<void> | void => {
  const { id, method, remoteAddress } = request
  const log: LoggedRequest = {
    method,
    route: outcome?.route ?? "none",
    status,
    durationMillis,
    requestId: id,
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
    ...(outcome?.reason === undefined ? {} : { reason: outcome.reason })
  }
  if (outcome?.cause === undefined) {
    const write = fiber.getRef(RequestLog)
    return write === undefined ? Effect.annotateLogs(Effect.logInfo("request"), { ...log }) : write(log)
  }
  return Effect.annotateLogs(Effect.logError("request", outcome.cause satisfies Cause.Cause<unknown>), {
    ...log
  })
}

/** Completes the responses of a dispatcher. */
export const completeResponses =
  (dispatch: Dispatcher, { logRequests, bodyLimit, compression, isHttps }: CompletionOptions): Dispatcher =>
  (request) =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const started = clock.monotonicTimeNanosUnsafe()
      const isQuiet = !logRequests || LogLevel.isGreaterThan(fiber.getRef(References.MinimumLogLevel), "Info")
      const decoded = withoutCodingsInTags(decodeRequest(request, bodyLimit))
      return Effect.flatMap(traceRequest(fiber, decoded, dispatch(decoded)), (whole) => {
        const response = applyRange(request, whole)
        response.headers["x-request-id"] = request.id
        addStandardHeaders(
          response,
          request.method,
          request.baseUrl === undefined ? isHttps : request.baseUrl.startsWith("https:")
        )
        const coding = compression ? selectCoding(request, response) : undefined
        const hasBody = request.method !== "HEAD"
        const sent =
          coding === undefined
            ? Effect.succeed(hasBody ? response : withoutBody(response))
            : encodeResponse(response, coding, hasBody)
        const millis = Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
        recordRequest(fiber, request, response, millis)
        if (isQuiet && response.outcome?.cause === undefined) return sent
        const logged = logRequest(fiber, request, response, millis)
        return logged === undefined ? sent : Effect.andThen(logged, sent)
      })
    })

/**
 * Completes a response that no dispatcher has handled: outside of the prefix, and while the workspace cannot be opened.
 * `id` is the `X-Request-Id` header of the request.
 */
export const withoutDispatch = (response: ApiResponse, id: string | undefined): ApiResponse => {
  response.headers["x-request-id"] = requestIdOf(id)
  addStandardHeaders(response, "GET", false)
  return response
}
