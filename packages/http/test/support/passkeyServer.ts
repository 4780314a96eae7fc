/** A server with a host name, at which browsers offer passkeys, and signed-in browsers. */
import { SignIns } from "@lectern/core"
import { Effect, Redacted } from "effect"
import type { memory } from "../stores.ts"
import { openBrowser, type TestBrowser } from "./browser.ts"
import { startWorkspace, type WorkspaceServer } from "./workspaceServer.ts"

/** A server at `localhost`. */
export interface PasskeyServer extends WorkspaceServer {
  /** The origin of its pages. */
  readonly origin: string
  readonly open: () => TestBrowser
  /** Opens a browser in which a user has signed in by a link of the operator. */
  readonly signIn: (email: string) => Promise<TestBrowser>
  /** Calls the API with a token or with the session of a browser, and returns the status and the body. */
  readonly call: (
    as: TestBrowser | string,
    method: string,
    path: string,
    body?: unknown
  ) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>
}

/** Starts a server. */
export const startPasskeyServer = async (store: Pick<typeof memory, "make">): Promise<PasskeyServer> => {
  const server = await startWorkspace(store, (url) => ({ publicUrl: url.replace("127.0.0.1", "localhost") }))
  const origin = server.url.replace("127.0.0.1", "localhost")
  const open = () => openBrowser({ url: origin })
  return {
    ...server,
    origin,
    open,
    signIn: async (email) => {
      const create = Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email } }))
      const { secret } = await server.workspace.runtime.runPromise(create)
      const browser = open()
      const response = await browser.request(`/~/sign-in/${Redacted.value(secret)}`, { method: "POST" })
      if (response.status !== 303) throw new Error(`The sign-in failed: ${response.text}`)
      return browser
    },
    call: async (as, method, path, body) => {
      const init = {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      }
      const headers = { "content-type": "application/json" }
      const [status, text] =
        typeof as === "string"
          ? await server
              .fetch(`/v1${path}`, { ...init, token: as })
              .then(async (response) => [response.status, await response.text()] as const)
          : await as
              .request(`/v1${path}`, { ...init, headers })
              .then((response) => [response.status, response.text] as const)
      return { status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) }
    }
  }
}
