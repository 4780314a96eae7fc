/** Request ids, which relate a response to the lines that the server logged for it. */

const requestIdPattern = /^[\w.:-]{1,100}$/

/** Random, so that the ids of different processes differ. */
const processPrefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) =>
  byte.toString(36).padStart(2, "0")
).join("")

let requestCount = 0

/** Returns the `X-Request-Id` header of a request if it is 1 to 100 letters, digits and `_.:-`, else a new id. */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && requestIdPattern.test(header)
    ? header
    : `${processPrefix}-${(requestCount++).toString(36)}`
