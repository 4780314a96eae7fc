/** The redirect to the backend that authenticates visitors of a site. */

/** The query parameter with the path that the visitor requested, to which the backend returns them. */
const locationParameter = "location"

/**
 * Returns the fallback URL with the path that the visitor requested. The path is below the site and never names another
 * host: it starts with one slash, and its segments are encoded.
 */
export const fallbackRedirect = (fallbackURL: string, path: string): string => {
  const url = new URL(fallbackURL)
  url.searchParams.set(locationParameter, path === "" ? "/" : path)
  return url.toString()
}
