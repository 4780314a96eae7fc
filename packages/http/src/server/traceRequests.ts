/** The span of a request, which continues the trace of the client. Without a tracer, requests have no span. */
import { Context, Data, Effect, type Fiber, Option, References, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"
import type { ApiRequest, ApiResponse } from "./messages/Message.ts"

/** The headers of W3C Trace Context and of B3. */
const traceHeaders = [
  "traceparent",
  "b3",
  "x-b3-traceid",
  "x-b3-spanid",
  "x-b3-sampled",
  "x-b3-flags"
] as const

/** Fails the span of a response with a status of 500 or higher. */
class ServerError extends Data.TaggedError("ServerError")<{ readonly response: ApiResponse }> {
  override get message(): string {
    return `The response has the status ${this.response.status}.`
  }
}

/** Whether a tracer is installed and enabled. The native tracer, which is the default, exports no span. */
const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  Context.getOrUndefined(fiber.context, Tracer.Tracer) !== undefined && fiber.getRef(References.TracerEnabled)

/** Returns the span of the client that `traceparent` or `b3` names, or `undefined`. */
const remoteParentOf = ({ header }: ApiRequest): Tracer.ExternalSpan | undefined => {
  const headers = traceHeaders.flatMap((name): ReadonlyArray<readonly [string, string]> => {
    const value = header(name)
    return value === undefined ? [] : [[name, value]]
  })
  return Option.getOrUndefined(HttpTraceContext.fromHeaders(Headers.fromInput(headers)))
}

/**
 * Runs the handling of a request in a span of the kind `server`. Its parent is the span of the host, if there is one, or
 * that of the client.
 */
export const traceRequest = (
  fiber: Fiber.Fiber<unknown, unknown>,
  request: ApiRequest,
  handled: Effect.Effect<ApiResponse>
): Effect.Effect<ApiResponse> => {
  if (!isTraced(fiber)) return handled
  const { id, method, url, remoteAddress } = request
  const hasParent = Context.getOrUndefined(fiber.context, Tracer.ParentSpan) !== undefined
  const remoteParent = hasParent ? undefined : remoteParentOf(request)
  const attributes = {
    "http.request.method": method,
    // Without the query, which can contain signatures and keys.
    "url.path": url.split("?", 1)[0],
    "lectern.request": id,
    ...(remoteAddress === undefined ? {} : { "client.address": remoteAddress })
  }
  const options = {
    kind: "server",
    attributes,
    ...(remoteParent === undefined ? {} : { parent: remoteParent })
  } as const
  return Effect.useSpan(`http.server ${method}`, options, (span) =>
    Effect.flatMap(Effect.withParentSpan(handled, span, { captureStackTrace: false }), (response) => {
      span.attribute("http.response.status_code", response.status)
      if (response.outcome?.route !== undefined) span.attribute("http.route", response.outcome.route)
      return response.status >= 500 ? Effect.fail(new ServerError({ response })) : Effect.succeed(response)
    })
  ).pipe(Effect.catch(({ response }) => Effect.succeed(response)))
}
