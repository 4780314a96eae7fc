/** Reads the forms of the pages for signing in. */
import { Effect } from "effect"
import type { ApiRequest } from "../server/messages/Message.ts"
import { readBytes } from "../server/messages/readBytes.ts"

/** The maximum size of a form, in bytes. */
const formLimit = 8 * 1024

/** Returns the form of a request, also of one without a length; empty if it is too large or cannot be read. */
export const readForm = (request: ApiRequest): Effect.Effect<URLSearchParams> =>
  readBytes(request, formLimit).pipe(
    Effect.map((body) => new URLSearchParams(body.toString())),
    Effect.catch(() => Effect.succeed(new URLSearchParams()))
  )
