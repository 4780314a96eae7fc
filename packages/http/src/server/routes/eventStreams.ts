/**
 * Streams the events of an organization as server-sent events: `/v1/orgs/:organizationId/events/stream`. It is not in the
 * OpenAPI document, because its response never ends.
 */
import { CurrentUser, type Event, Events } from "@lectern/core"
import { Duration, Effect, Schedule, Stream } from "effect"
import { makeAuthenticateRequest } from "../authentication/authenticateRequest.ts"
import { toResponse } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"

const pathPattern = /^\/v1\/orgs\/([^/]+)\/events\/stream$/

/** Whether a path is that of a stream of events. */
export const isEventStream = (path: string): boolean => pathPattern.test(path)

/** How often a comment is sent, so that proxies do not close an idle connection. */
const keepAlive = Duration.seconds(15)

/** How often a stream checks whether the server stops. */
const drainCheck = Duration.millis(500)

const encoder = new TextEncoder()

const encodeEvent = (event: Event): Uint8Array =>
  encoder.encode(`id: ${event.cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)

const comment = encoder.encode(": keep-alive\n\n")

/** Returns the segment of a path, decoded; unchanged if it is malformed. */
const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Creates the route of streams of events. `Last-Event-ID` or the parameter `after` is the cursor to continue from; without
 * them, the stream starts with events that are committed from now on. It ends when the server stops.
 */
export const makeEventStreams = Effect.fnUntraced(function* (isDraining: () => boolean) {
  const authenticate = yield* makeAuthenticateRequest
  const events = yield* Events

  const drained = Effect.repeat(Effect.void, {
    schedule: Schedule.spaced(drainCheck),
    until: () => isDraining()
  })

  return (request: ApiRequest): Effect.Effect<ApiResponse> => {
    const { header, url } = request
    const [path, search] = url.split("?", 2)
    const query = new URLSearchParams(search)
    const after = header("last-event-id") ?? query.get("after")
    const types = query.get("types")
    return Effect.gen(function* () {
      const user = yield* authenticate(request)
      const organization = decodeSegment(pathPattern.exec(path!)![1]!)
      const input = { ...(after === null ? {} : { after }), ...(types === null ? {} : { types }) }
      const followed = yield* Effect.provideService(events.follow({ organization, input }), CurrentUser, user)
      const stream = Stream.merge(
        Stream.map(followed, encodeEvent),
        Stream.map(Stream.tick(keepAlive), () => comment)
      ).pipe(Stream.interruptWhen(drained))
      const response: ApiResponse = {
        status: 200,
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-store",
          // Proxies of the nginx family buffer responses otherwise.
          "x-accel-buffering": "no"
        },
        body: { stream, length: undefined }
      }
      return response
    }).pipe(Effect.catch((error) => Effect.succeed(toResponse(error))))
  }
})
