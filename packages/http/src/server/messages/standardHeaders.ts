/** The headers of every response: security, and caching where the route does not declare it. */
import type { ApiResponse } from "./Message.ts"

/** One year, the minimum that browsers require of preloaded sites. Subdomains are the decision of the host. */
const strictTransportSecurity = "max-age=31536000"

/** Pages without a policy of their own load nothing and cannot be framed. */
const pagePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const safeMethods = new Set(["GET", "HEAD"])

/**
 * Adds the headers of every response that it does not have yet.
 *
 * A successful GET is stored by the client only, and revalidated before each use, because permissions can change. All other
 * responses are not stored: responses to commands can contain new tokens, and errors depend on the caller.
 */
export const addStandardHeaders = (
  { status, headers }: ApiResponse,
  method: string,
  isHttps: boolean
): void => {
  headers["x-content-type-options"] = "nosniff"
  headers["referrer-policy"] ??= "no-referrer"
  headers["cache-control"] ??=
    safeMethods.has(method) && (status < 300 || status === 304) ? "private, no-cache" : "no-store"
  if (isHttps) headers["strict-transport-security"] ??= strictTransportSecurity
  if (headers["content-type"]?.startsWith("text/html")) headers["content-security-policy"] ??= pagePolicy
}
