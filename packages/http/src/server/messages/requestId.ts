/** Request ids: they connect a response with the lines that the server logged for it. */
import type { ApiResponse } from "./Message.ts"

const requestIdPattern = /^[\w.:-]{1,100}$/

/** Distinguishes the ids of one process from those of another. */
const prefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
  byte.toString(36).padStart(2, "0")
).join("")

let count = 0

/** Returns the id that the request carries if it is valid, else a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && requestIdPattern.test(given) ? given : `${prefix}-${(count++).toString(36)}`

/** Sets the request id of a response that has none. */
export const withRequestId = (response: ApiResponse, given: string | undefined): ApiResponse => {
  response.headers["x-request-id"] ??= requestIdOf(given)
  return response
}
