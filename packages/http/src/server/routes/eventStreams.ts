/**
 * Streams the events of an organization as server-sent events, to administrators: `/v1/orgs/:organizationId/events/stream`, and
 * to each member the changes that they may learn of: `/v1/orgs/:organizationId/changes/stream`. They are not in the OpenAPI
 * document, because their responses never end. A stream is not a request in progress, so it does not count among them.
 */
import {
  type AnnouncedChange,
  CurrentUser,
  type Event,
  Events,
  type Forbidden,
  type Gone,
  type InvalidInput,
  type NotFound,
  type OrganizationId,
  type StorageUnavailable
} from "@lectern/core"
import { Duration, Effect, Schedule, Stream } from "effect"
import { makeAuthenticateRequest } from "../authentication/authenticateRequest.ts"
import { decodePath } from "../messages/decodePath.ts"
import { tooManyStreams, toResponse } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { makeStreamCounts } from "./streamCounts.ts"

const pathPattern = /^\/v1\/orgs\/([^/]+)\/(events|changes)\/stream$/

/** Whether a path is that of a stream of events or changes. */
export const isEventStream = (path: string): boolean => pathPattern.test(path)

/** How often a comment is sent, so that proxies do not close an idle connection. */
const keepAlive = Duration.seconds(15)

/** How often an idle stream is authorized again. */
const authorizationCheck = Duration.seconds(5)

/** How often a stream checks whether the server stops. */
const drainCheck = Duration.millis(500)

const encoder = new TextEncoder()

const encodeMessage = (message: Event | AnnouncedChange): Uint8Array =>
  encoder.encode(`id: ${message.cursor}\nevent: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`)

const comment = encoder.encode(": keep-alive\n\n")

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  // Proxies of the nginx family buffer responses otherwise.
  "x-accel-buffering": "no"
}

type OpenStream = Effect.Effect<
  Stream.Stream<Event | AnnouncedChange, NotFound | Forbidden | Gone | StorageUnavailable>,
  NotFound | Forbidden | Gone | InvalidInput | StorageUnavailable,
  CurrentUser
>

/**
 * Creates the route of both streams. `Last-Event-ID` or the parameter `after` is the cursor to continue from; without them, the stream
 * starts from now on. It ends when the server stops, and when its credentials or the access of
 * its user end: both are checked before each message, and every five seconds.
 */
export const makeEventStreams = Effect.fnUntraced(function* (isDraining: () => boolean) {
  const authenticate = yield* makeAuthenticateRequest
  const events = yield* Events
  const counts = makeStreamCounts()

  const drained = Effect.repeat(Effect.void, {
    schedule: Schedule.spaced(drainCheck),
    until: () => isDraining()
  })

  const openStream = (request: ApiRequest, organization: OrganizationId, kind: string): OpenStream => {
    const query = new URLSearchParams(request.url.split("?", 2)[1])
    const after = request.header("last-event-id") ?? query.get("after")
    if (kind === "changes") {
      const input = after === null ? {} : { after }
      return Effect.map(events.followChanges({ organization, input }), (changes) =>
        Stream.flattenIterable(changes)
      )
    }
    const types = query.get("types")
    const input = { ...(after === null ? {} : { after }), ...(types === null ? {} : { types }) }
    return events.follow({ organization, input })
  }

  /** Fails once the credentials of the request or the access of its user have ended. */
  const authorizeAgain = (request: ApiRequest, organization: OrganizationId, kind: string) =>
    Effect.flatMap(authenticate(request), (user) =>
      Effect.provideService(
        kind === "changes"
          ? events.followChanges.authorize({ organization })
          : events.follow.authorize({ organization }),
        CurrentUser,
        user
      )
    )

  return (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.gen(function* () {
      const [path] = request.url.split("?", 1)
      const [, segment, kind] = pathPattern.exec(path!)!
      const organization = (decodePath(segment!) ?? segment!) as OrganizationId
      const user = yield* authenticate(request)
      if (counts.isFull(user.id)) return tooManyStreams(counts.maximum)
      const followed = yield* Effect.provideService(
        openStream(request, organization, kind!),
        CurrentUser,
        user
      )
      const authorized = authorizeAgain(request, organization, kind!)
      const messages = Stream.mergeAll(
        [
          Stream.mapEffect(followed, (message) => Effect.as(authorized, encodeMessage(message))),
          Stream.map(Stream.tick(keepAlive), () => comment),
          Stream.drain(Stream.mapEffect(Stream.tick(authorizationCheck), () => authorized))
        ],
        { concurrency: "unbounded" }
      ).pipe(
        Stream.interruptWhen(drained),
        // The client reconnects, and receives the error instead of a stream.
        Stream.catchTag(["NotFound", "Forbidden", "Unauthenticated"], () => Stream.empty)
      )
      const stream = Stream.unwrap(Effect.as(counts.open(user.id), messages))
      return { status: 200, headers, body: { stream, length: undefined } } satisfies ApiResponse
    }).pipe(Effect.catch((error) => Effect.succeed(toResponse(error))))
})
