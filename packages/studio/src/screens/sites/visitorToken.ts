/** Tokens of visitors, for a test login: JSON Web Tokens that are signed with the key of the site (HS256). */

/** How long a test login is valid, in seconds. */
const lifetimeSeconds = 3_600

const encodeBytes = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "")

const encodeJson = (value: unknown): string => encodeBytes(new TextEncoder().encode(JSON.stringify(value)))

/** Whether the browser can sign tokens: only on pages with HTTPS, or of this computer. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined

/** Signs a token with claims of a visitor. */
export const signVisitorToken = async (
  privateKey: string,
  claims: Readonly<Record<string, unknown>>
): Promise<string> => {
  const now = Math.floor((performance.timeOrigin + performance.now()) / 1_000)
  const payload = { ...claims, iat: now, exp: now + lifetimeSeconds }
  const signed = `${encodeJson({ alg: "HS256", typ: "JWT" })}.${encodeJson(payload)}`
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(privateKey),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"]
  )
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed))
  return `${signed}.${encodeBytes(new Uint8Array(signature))}`
}

/** Returns the URL of a site with the token of a visitor. */
export const withVisitorToken = (url: string, token: string): string => {
  const changed = new URL(url, window.location.href)
  changed.searchParams.set("jwt_token", token)
  return changed.href
}
