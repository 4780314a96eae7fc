/**
 * The cookie of sessions. On https it is `__Host-lectern`, which other hosts of the domain cannot set. On plain http it is
 * `lectern_session`, which is accepted only on loopback addresses. A server never accepts both. Servers that are mounted at
 * several paths of one host have cookies of their own, because the path is a part of the name.
 */
import { Context } from "effect"

/** Whether sessions are accepted over plain http on addresses other than loopback addresses; `false` by default. */
export const InsecureSessions = Context.Reference<boolean>("@lectern/core/InsecureSessions", {
  defaultValue: () => false
})

/** The secret of a session: 256 random bits. */
const secretPattern = /^[\w-]{43}$/

/** The maximum length of a `Cookie` header that is parsed, in characters. */
const maximumHeaderLength = 16_384

const loopbackPattern = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** Whether a host, with or without a port, is one of this machine. Pages of other machines cannot have its cookies. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  host !== undefined && loopbackPattern.test(host)

/** How sessions are sent to a server. */
export interface SessionCookie {
  /** The name of the cookie. */
  readonly name: string
  /** Whether browsers send the cookie only over https. */
  readonly isSecure: boolean
}

/** Returns the cookie of a server with this base URL. */
export const sessionCookieOf = (baseUrl: string): SessionCookie => {
  const { protocol, pathname } = new URL(baseUrl)
  const isSecure = protocol === "https:"
  const path = pathname.replace(/\/+$/, "")
  return { name: `${isSecure ? "__Host-lectern" : "lectern_session"}${encodeURIComponent(path)}`, isSecure }
}

/** Whether a server accepts sessions of requests to a host: on https always, on plain http by the setting. */
export const acceptsSessions = (
  { isSecure }: SessionCookie,
  host: string | undefined,
  isInsecureAllowed: boolean
): boolean => isSecure || isInsecureAllowed || isLoopbackHost(host)

/** Returns the secret in the header `Cookie`; undefined without one, and if there are several, of which one may be planted. */
export const readSessionCookie = (
  { name }: SessionCookie,
  header: string | undefined
): string | undefined => {
  if (header === undefined || header.length > maximumHeaderLength) return undefined
  const values = header.split(";").flatMap((part) => {
    const at = part.indexOf("=")
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
  return values.length === 1 && secretPattern.test(values[0]!) ? values[0] : undefined
}

/** Formats the header `Set-Cookie` of a session; an empty secret removes the cookie. */
export const formatSessionCookie = (
  { name, isSecure }: SessionCookie,
  secret: string,
  maxAgeSeconds: number
): string =>
  `${name}=${secret}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}; Max-Age=${maxAgeSeconds}`
