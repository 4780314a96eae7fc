/** Reads the forms of the pages for signing in. */
import { Effect } from "effect"
import type { ApiRequest } from "../server/messages/Message.ts"

/** The maximum size of a form, in bytes. */
const formLimit = 8 * 1024

/** Returns the form of a request; empty if it is too large or cannot be read. */
export const readForm = (request: ApiRequest): Effect.Effect<URLSearchParams> =>
  Number(request.header("content-length") ?? formLimit + 1) > formLimit
    ? Effect.succeed(new URLSearchParams())
    : request.body.pipe(
        Effect.map((body) => new URLSearchParams(new TextDecoder().decode(body))),
        Effect.catch(() => Effect.succeed(new URLSearchParams()))
      )
