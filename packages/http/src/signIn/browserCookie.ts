/**
 * The cookie of a browser that starts a sign-in at an identity provider. Its secret binds the sign-in to the browser: otherwise
 * another website could sign a visitor in to an account of its own.
 */
import { randomBytes } from "node:crypto"

/** The lifetime of the cookie, in seconds: that of a sign-in at an identity provider. */
const lifetimeSeconds = 10 * 60

const nameOf = (isSecure: boolean): string => (isSecure ? "__Host-lectern-login" : "lectern_login")

/** Generates the secret of a browser. */
export const newBrowserSecret = (): string => randomBytes(32).toString("base64url")

/** Formats the header that stores the secret of the browser, and the path to return to. */
export const formatBrowserCookie = (secret: string, returnTo: string, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${secret}.${encodeURIComponent(returnTo)}; Path=/; HttpOnly; SameSite=Lax${
    isSecure ? "; Secure" : ""
  }; Max-Age=${lifetimeSeconds}`

/** The sign-in that a browser has started. */
export interface BrowserSignIn {
  readonly secret: string
  readonly returnTo: string
}

/** Returns the sign-in that a browser has started; undefined for none. */
export const readBrowserCookie = (
  header: string | undefined,
  isSecure: boolean
): BrowserSignIn | undefined => {
  if (header === undefined || header.length > 16_384) return undefined
  for (const part of header.split(";")) {
    const at = part.indexOf("=")
    if (at < 1 || part.slice(0, at).trim() !== nameOf(isSecure)) continue
    const [secret = "", returnTo = ""] = part
      .slice(at + 1)
      .trim()
      .split(".", 2)
    if (!/^[\w-]{43}$/.test(secret)) return undefined
    try {
      return { secret, returnTo: decodeURIComponent(returnTo) }
    } catch {
      return undefined
    }
  }
  return undefined
}

/** Formats the header that removes the cookie, after a login has failed. */
export const expiredBrowserCookie = (isSecure: boolean): string =>
  `${nameOf(isSecure)}=; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}; Max-Age=0`
