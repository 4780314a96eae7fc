/**
 * The authorization requests that a browser has started, in a cookie. Only the browser that has started one can decide it and receive
 * its code: otherwise the code of a person could be sent to the browser of another one.
 */

/** The maximum number of requests of a browser. The oldest one ends. */
const maximumRequests = 5

/** The lifetime of the cookie, in seconds. */
const lifetimeSeconds = 15 * 60

const nameOf = (isSecure: boolean): string => (isSecure ? "__Host-lectern-programs" : "lectern_programs")

const idPattern = /^[\w-]{21,64}$/

/** Returns the ids of the requests that a browser has started, newest first. */
export const readBrowserRequests = (header: string | undefined, isSecure: boolean): ReadonlyArray<string> => {
  if (header === undefined || header.length > 16_384) return []
  const values = header.split(";").flatMap((part) => {
    const at = part.indexOf("=")
    return at > 0 && part.slice(0, at).trim() === nameOf(isSecure) ? [part.slice(at + 1).trim()] : []
  })
  // One of two cookies of the same name can be planted by a page of another port or a parent domain.
  if (values.length !== 1) return []
  return values[0]!
    .split(".")
    .filter((id) => idPattern.test(id))
    .slice(0, maximumRequests)
}

/** Formats the header that adds a request to the requests of a browser. */
export const addBrowserRequest = (former: ReadonlyArray<string>, id: string, isSecure: boolean): string => {
  const ids = [id, ...former.filter((one) => one !== id)].slice(0, maximumRequests)
  return `${nameOf(isSecure)}=${ids.join(".")}; Path=/; HttpOnly; SameSite=Lax${
    isSecure ? "; Secure" : ""
  }; Max-Age=${lifetimeSeconds}`
}
