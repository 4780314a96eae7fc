/** The backend of a page of Lectern: `@lectern/editor/backend`. Every import of the client is below `backend`. */
import { createClient } from "@lectern/client"
import { ClientBackend, type ClientBackendOptions } from "./backend/ClientBackend.ts"
import type { EditorBackend } from "./EditorBackend.ts"

export { ClientBackend, type ClientBackendOptions } from "./backend/ClientBackend.ts"

/** Options of {@link createServerBackend}. */
export interface ServerBackendOptions extends Omit<ClientBackendOptions, "client" | "send"> {
  /** The absolute URL of the server, without `/v1`. */
  readonly baseUrl: string
  /** The API token of the user. */
  readonly token: string
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Creates the backend of a page with an API token.
 *
 * @example
 * const backend = createServerBackend({ baseUrl: "https://docs.example.com", token, organization, space, page })
 */
export const createServerBackend = ({
  baseUrl,
  token,
  fetch,
  ...options
}: ServerBackendOptions): EditorBackend => {
  const call = fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(input, init))
  return new ClientBackend({
    ...options,
    client: createClient({ baseUrl, token, fetch: call }),
    send: (path, init) =>
      call(`${baseUrl.replace(/\/$/, "")}/v1${path}`, {
        ...init,
        headers: { accept: "application/json", authorization: `Bearer ${token}` }
      })
  })
}
