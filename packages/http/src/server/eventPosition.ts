/**
 * Adds the position of the event log to `GET /v1/user`, the first request of an application: a stream of changes that starts at the position
 * contains every change of the resources that are requested afterwards.
 */
import { EventLog } from "@lectern/core"
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { toResponse } from "./messages/failures.ts"

/** The name of the header. */
export const eventPositionHeader = "event-position"

const isSession = (method: string, url: string): boolean =>
  method === "GET" && url.split("?", 1)[0] === "/v1/user"

/** Adds the header to the responses of a dispatcher. Without the position, the response is the error of the store. */
export const withEventPosition = (dispatch: Dispatcher): Effect.Effect<Dispatcher, never, EventLog> =>
  Effect.map(
    EventLog,
    (log): Dispatcher =>
      (request) => {
        const responding = dispatch(request)
        if (!isSession(request.method, request.url)) return responding
        return Effect.flatMap(responding, (response) =>
          response.status >= 300
            ? Effect.succeed(response)
            : log.position.pipe(
                Effect.map((position) => {
                  response.headers[eventPositionHeader] = String(position)
                  return response
                }),
                Effect.catch((error) => Effect.succeed(toResponse(error)))
              )
        )
      }
  )
