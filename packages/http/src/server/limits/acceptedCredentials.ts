/** The credentials of requests of the API, and the credentials that the authenticator has accepted lately. */
import { hash } from "node:crypto"
import { type Identity, isVisitorToken, readSessionCookie, scimPath, sessionCookieOf } from "@lectern/core"
import type { ApiRequest } from "../messages/Message.ts"

/** The maximum number of credentials that are remembered as accepted. */
const maximumAccepted = 20_000

/** The maximum length of a header that is a credential, in characters. */
const maximumHeaderLength = 16_384

const bearer = /^bearer +(\S+)$/i

/** Returns the bearer token of a request. */
export const tokenOf = ({ header }: Pick<ApiRequest, "header">): string | undefined =>
  bearer.exec(header("authorization") ?? "")?.[1]

/**
 * Whether the authenticator reads the credentials of a request. Other requests, such as a login with a form, must not escape the limits of
 * their address by a header that nothing examines.
 */
const isAuthenticated = ({ url }: ApiRequest): boolean =>
  url.startsWith("/v1/") || url.startsWith(`${scimPath}/`)

/**
 * Returns the digest of the credentials of a request of the API that the authenticator examines: a bearer token, the cookie of a session, or all cookies,
 * which a host with its own sessions reads. Undefined for other requests, and for requests without credentials.
 */
export const credentialOf = (request: ApiRequest, publicUrl: string): string | undefined => {
  if (!isAuthenticated(request)) return undefined
  const token = tokenOf(request)
  const cookies = request.header("cookie")
  if (request.header("authorization") !== undefined)
    return token === undefined || isVisitorToken(token) ? undefined : digestOf("token", token)
  if (cookies === undefined || cookies.length > maximumHeaderLength) return undefined
  return digestOf("cookie", sessionOf(request, publicUrl) ?? cookies)
}

const sessionOf = (request: ApiRequest, publicUrl: string): string | undefined =>
  readSessionCookie(sessionCookieOf(request.baseUrl ?? publicUrl), request.header("cookie"))

const digestOf = (kind: string, secret: string): string => hash("sha256", `${kind} ${secret}`, "base64url")

/**
 * Whether a request that fails to authenticate was an attempt to guess credentials. A request without any was not: a client that is not
 * signed in must not use up the attempts of its address. Of cookies, only the cookies of sessions are credentials of Lectern.
 */
export const hasCredentials = (request: ApiRequest, publicUrl: string): boolean =>
  request.header("authorization") !== undefined ||
  (isAuthenticated(request)
    ? sessionOf(request, publicUrl) !== undefined
    : // Forms and signed URLs contain their credentials.
      request.method !== "GET" || request.url.includes("?"))

/** Returns the key of the limit of a user: their API token, or all of their sessions. A host can accept a user by any token in a request. */
export const limitKeyOf = (credential: string, { id, token }: Identity): string =>
  token === undefined ? `user:${id}` : `token:${credential}`

/** Remembers the credentials that were accepted lately, by their digests, with the keys of their limits. The oldest are forgotten. */
export const makeAcceptedCredentials = () => {
  const accepted = new Map<string, string>()
  return {
    keyOf: (credential: string): string | undefined => accepted.get(credential),
    add: (credential: string, key: string): void => {
      if (!accepted.has(credential) && accepted.size >= maximumAccepted) {
        const [oldest] = accepted.keys()
        accepted.delete(oldest!)
      }
      accepted.set(credential, key)
    },
    remove: (credential: string): boolean => accepted.delete(credential)
  }
}
