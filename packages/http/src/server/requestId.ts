/** Ids of requests: to find in the log what a caller speaks of. */
import type { ApiResponse } from "./Message.ts"

const sane = /^[\w.:-]{1,100}$/

/** Tells the ids of one process from those of another. */
const prefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
  byte.toString(36).padStart(2, "0")
).join("")

let count = 0

/** The id that a request carries, where it is one that a log can hold, else a new one. */
export const of = (given: string | undefined): string =>
  given !== undefined && sane.test(given) ? given : `${prefix}-${(count++).toString(36)}`

/** Gives a response the id of its request, where it has none. */
export const give = (response: ApiResponse, given: string | undefined): ApiResponse => {
  response.headers["x-request-id"] ??= of(given)
  return response
}
