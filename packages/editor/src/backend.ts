/** The backend of a page of Lectern: `@lectern/editor/backend`. Every import of the client is in `backend`. */
import { createClient, type FetchClientOptions } from "@lectern/client/fetch"
import { ClientBackend, type ClientBackendOptions } from "./backend/ClientBackend.ts"
import type { EditorBackend } from "./EditorBackend.ts"

export { ClientBackend, type ClientBackendOptions } from "./backend/ClientBackend.ts"

/** Options of {@link createServerBackend}: the server, the credentials, and the page. */
export interface ServerBackendOptions
  extends Omit<ClientBackendOptions, "client" | "head">,
    Pick<FetchClientOptions, "baseUrl" | "token" | "credentials" | "headers" | "fetch"> {}

/** The longest body that browsers send after the page was closed. The limit of 64 KiB is shared by all requests of a page. */
const maximumKeepaliveBytes = 60_000

/** Sends a request whose body is short so that it continues when the page is closed: the last save. */
const keepAlive =
  (send: typeof globalThis.fetch): typeof globalThis.fetch =>
  (url, init) => {
    const { body } = init ?? {}
    const isShort = typeof body === "string" && new Blob([body]).size <= maximumKeepaliveBytes
    return send(url, isShort ? { ...init, keepalive: true } : init)
  }

/**
 * Creates the backend of a page. Without a token, requests carry the session cookie.
 *
 * @example
 * const backend = createServerBackend({ baseUrl: "https://docs.example.com", token, organization, space, page })
 */
export const createServerBackend = (options: ServerBackendOptions): EditorBackend => {
  const { baseUrl = "", token, headers } = options
  const { credentials = token === undefined ? "same-origin" : "omit" } = options
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const head = (path: string, signal: AbortSignal): Promise<Response> => {
    const current = typeof token === "function" ? token() : token
    const authorization: Record<string, string> =
      current === undefined ? {} : { authorization: `Bearer ${current}` }
    return send(`${baseUrl.replace(/\/+$/, "")}/v1${path}`, {
      method: "HEAD",
      credentials,
      signal,
      headers: { accept: "application/json", ...authorization, ...headers?.() }
    })
  }
  const client = createClient({ ...options, fetch: keepAlive(send) })
  return new ClientBackend({ ...options, client, head })
}
