/** A server with an authorization server, programs that are registered there, and people who authorize them. */
import { createHash, randomBytes } from "node:crypto"
import { SignIns } from "@lectern/core"
import { programAuthorization } from "@lectern/http/server"
import { Effect, Redacted } from "effect"
import type { memory } from "../stores.ts"
import { openBrowser, type PageResult, type TestBrowser } from "./browser.ts"
import { startWorkspace, type WorkspaceServer } from "./workspaceServer.ts"

/** The tokens that a program receives. */
export interface ProgramTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly expires_in: number
}

/** The response of an endpoint. */
export interface EndpointResult {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** A server with an authorization server. */
export interface ProgramServer extends WorkspaceServer {
  readonly open: () => TestBrowser
  readonly signIn: (email: string) => Promise<TestBrowser>
  /** Sends a form to an endpoint. */
  readonly post: (path: string, form: Readonly<Record<string, string>>) => Promise<EndpointResult>
  /** Registers a program. */
  readonly register: (metadata: Readonly<Record<string, unknown>>) => Promise<EndpointResult>
}

/** The redirect URI of programs of tests. */
export const callback = "https://program.example.com/callback"

/** Starts a server; with the host name `localhost` if passkeys are needed. */
export const startProgramServer = async (
  store: Pick<typeof memory, "make">,
  host: "127.0.0.1" | "localhost" = "127.0.0.1"
): Promise<ProgramServer> => {
  const named = (url: string) => url.replace("127.0.0.1", host)
  const started = await startWorkspace(store, (url) => ({ publicUrl: named(url) }), {
    programs: programAuthorization
  })
  const server = { ...started, url: named(started.url) }
  const endpoint = async (path: string, init: RequestInit): Promise<EndpointResult> => {
    const response = await fetch(server.url + path, init)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>)
    }
  }
  const open = () => openBrowser(server)
  return {
    ...server,
    open,
    signIn: async (email) => {
      const create = Effect.flatMap(SignIns, (signIns) => signIns.createLink({ input: { email } }))
      const { secret } = await server.workspace.runtime.runPromise(create)
      const browser = open()
      const response = await browser.request(`/~/sign-in/${Redacted.value(secret)}`, { method: "POST" })
      if (response.status !== 303) throw new Error(`The sign-in failed: ${response.text}`)
      return browser
    },
    post: (path, form) => endpoint(path, { method: "POST", body: new URLSearchParams(form) }),
    register: (metadata) =>
      endpoint("/~/oauth/register", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(metadata)
      })
  }
}

/** Registers a program that returns to {@link callback}, and returns its id. */
export const registerProgram = async (
  server: ProgramServer,
  metadata: Readonly<Record<string, unknown>> = {}
): Promise<string> => {
  const { status, body } = await server.register({
    client_name: "Program",
    redirect_uris: [callback],
    ...metadata
  })
  if (status !== 201) throw new Error(`The registration failed: ${JSON.stringify(body)}`)
  return String(body.client_id)
}

/** An authorization request, with the secret that proves its program. */
export interface Started {
  readonly verifier: string
  readonly path: string
}

/** Creates an authorization request. `parameters` replace the parameters of a valid one; an empty value removes one. */
export const startAuthorization = (
  program: string,
  parameters: Readonly<Record<string, string>> = {}
): Started => {
  const verifier = randomBytes(32).toString("base64url")
  const query = new URLSearchParams({
    response_type: "code",
    client_id: program,
    redirect_uri: callback,
    state: "state of the program",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...parameters
  })
  for (const [name, value] of [...query]) if (value === "") query.delete(name)
  return { verifier, path: `/~/oauth/authorize?${query}` }
}

/** Opens an authorization request, and returns the page of the consent. */
export const openConsent = async (
  browser: TestBrowser,
  { path }: Started
): Promise<PageResult & { readonly at: string }> => {
  const { location, text } = await browser.request(path, { from: "cross-site" })
  if (location === undefined) throw new Error(`The request was rejected: ${text}`)
  return { ...(await browser.request(location, { from: "cross-site" })), at: location }
}

/** The URL to which a page returns the browser. */
export const returnedTo = ({ text }: Pick<PageResult, "text">): URL => {
  const found = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1]
  if (found === undefined) throw new Error(`The page does not return to the program: ${text}`)
  return new URL(found.replaceAll("&amp;", "&"))
}

/** Decides an authorization request, and returns the URL that the program receives. */
export const decide = async (
  browser: TestBrowser,
  started: Started,
  decision: "allow" | "deny" = "allow"
): Promise<URL> => {
  const { at } = await openConsent(browser, started)
  return returnedTo(await browser.request(at, { form: { decision } }))
}

/** Exchanges a code for tokens. */
export const exchange = (
  server: ProgramServer,
  program: string,
  code: string,
  verifier: string,
  parameters: Readonly<Record<string, string>> = {}
): Promise<EndpointResult> =>
  server.post("/~/oauth/token", {
    grant_type: "authorization_code",
    client_id: program,
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    ...parameters
  })

/** Exchanges a refresh token for new tokens. */
export const refresh = (
  server: ProgramServer,
  program: string,
  token: string,
  parameters: Readonly<Record<string, string>> = {}
): Promise<EndpointResult> =>
  server.post("/~/oauth/token", {
    grant_type: "refresh_token",
    client_id: program,
    refresh_token: token,
    ...parameters
  })

/** Authorizes a program in a browser, and returns its tokens. */
export const authorizeIn = async (
  server: ProgramServer,
  browser: TestBrowser,
  program: string,
  parameters: Readonly<Record<string, string>> = {}
): Promise<ProgramTokens> => {
  const started = startAuthorization(program, parameters)
  const returned = await decide(browser, started)
  const { status, body } = await exchange(
    server,
    program,
    returned.searchParams.get("code") ?? "",
    started.verifier
  )
  if (status !== 200) throw new Error(`The exchange failed: ${JSON.stringify(body)}`)
  return body as unknown as ProgramTokens
}
