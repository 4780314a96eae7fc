/**
 * The base URL of links in the response to a request that a proxy has forwarded: `Forwarded` (RFC 7239), or
 * `X-Forwarded-Proto`, `-Host` and `-Prefix`. Many proxies pass these headers on as the client has sent them. So they apply
 * only if the connection is from a trusted proxy and the operator has listed the host: otherwise a client could choose the
 * host of links that others receive.
 */
import { farthestTrusted, makeProxyTrust, parseForwarded, type TrustedProxies } from "./proxies.ts"

/** Returns the base URL of a request, without a trailing slash, or `undefined` if that of the workspace applies. */
export type BaseUrlResolver = (
  peer: string | undefined,
  header: (name: string) => string | undefined,
  mountPath: string
) => string | undefined

/** A host name or an IPv6 address, with an optional port. */
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/

/** A path without empty and dot segments, and without characters that have a meaning in a URL. */
const prefixPattern = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]{1,100}){1,10}$/

/**
 * Parses the hosts of an operator: host names with an optional port, `*.example.com` for all subdomains, and `*` for all hosts.
 * Throws a `RangeError` for a malformed one.
 */
export const parsePublicHosts = (entries: ReadonlyArray<string>): ((host: string) => boolean) => {
  const patterns = entries.map((entry) => {
    const host = entry.toLowerCase()
    if (host !== "*" && !hostPattern.test(host.replace(/^\*\./, "")))
      throw new RangeError(`"${entry}" is not a host name.`)
    return host
  })
  return (host) =>
    patterns.some((pattern) =>
      pattern === "*"
        ? true
        : pattern.startsWith("*.")
          ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
          : host === pattern
    )
}

/** Returns the last entry of a comma-separated list, which is that of the nearest proxy. */
const lastEntry = (value: string | undefined): string | undefined => value?.split(",").at(-1)?.trim()

/** Returns the value that both kinds of headers report, or `undefined` if they differ. */
const agreed = (...reports: ReadonlyArray<string | undefined>): string | undefined => {
  const distinct = new Set(reports.flatMap((value) => (value === undefined ? [] : [value.toLowerCase()])))
  return distinct.size === 1 ? [...distinct][0] : undefined
}

/** Creates the function that determines the base URL of requests. `publicHosts` are the hosts that it can have. */
export const makeBaseUrlResolver = (
  trustedProxies: TrustedProxies = [],
  publicHosts: ReadonlyArray<string> = []
): BaseUrlResolver => {
  const isPublic = parsePublicHosts(publicHosts)
  const isTrusted = makeProxyTrust(trustedProxies)
  if (publicHosts.length === 0) return () => undefined
  return (peer, header, mountPath) => {
    if (!isTrusted(peer, 0)) return undefined
    const elements = parseForwarded(header("forwarded") ?? "") ?? []
    const element =
      elements[
        farthestTrusted(
          peer,
          elements.map((reported) => reported.get("for")),
          isTrusted
        )
      ]
    const reported = [element?.get("host"), lastEntry(header("x-forwarded-host"))]
    const host = reported.every((value) => value === undefined)
      ? header("host")?.toLowerCase()
      : agreed(...reported)
    if (host === undefined || !hostPattern.test(host) || !isPublic(host)) return undefined
    const scheme = agreed(element?.get("proto"), lastEntry(header("x-forwarded-proto")))
    const prefix = lastEntry(header("x-forwarded-prefix"))?.replace(/\/$/, "") ?? ""
    if (prefix !== "" && !prefixPattern.test(prefix)) return undefined
    return `${scheme === "https" ? "https" : "http"}://${host}${prefix}${mountPath}`
  }
}
