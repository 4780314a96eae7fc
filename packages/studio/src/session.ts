/**
 * The session of the person: the only module that authenticates requests. A token that was pasted is stored in the tabs of the
 * browser, until they close; without one, the browser sends the cookie of a session.
 */
import { ApiError, createClient, type User } from "@lectern/client/fetch"
import { config } from "./config.ts"
import { announceSession, fetchAfterSignIn } from "./recentSignIn.ts"
import { createStore } from "./store/store.ts"

const tokenKey = "lectern.token"

const readToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? undefined

/** The state of the session. */
export type Session =
  | { readonly state: "loading" }
  | { readonly state: "signed-out"; readonly hasExpired: boolean }
  | { readonly state: "signed-in"; readonly user: User }
  | { readonly state: "failed"; readonly error: unknown }

/** The current session. */
export const sessionStore = createStore<Session>({ state: "loading" })

/** The credentials of requests: the pasted token, or the cookie of the session. */
export const credentials = { baseUrl: config.api, token: readToken, credentials: "same-origin" } as const

/** The position of the event log that everything which was loaded contains. */
let loadedPosition: string | undefined

/** Returns the position after which changes can be missing from the displayed resources; `undefined` if the server does not report it. */
export const readPosition = (): string | undefined => loadedPosition

/** Notes the position of the first response that has one: nothing was loaded before it. */
const notePosition: typeof globalThis.fetch = async (url, init) => {
  const response = await fetchAfterSignIn(url, init)
  loadedPosition ??= response.headers.get("event-position") ?? undefined
  return response
}

/** The client of the API, which sends the credentials of the session. */
export const client = createClient({
  ...credentials,
  fetch: notePosition,
  onError: ({ _tag, code }) => {
    if (sessionStore.get().state !== "signed-in") return
    leaveForSecondFactor(code)
    if (_tag === "Unauthenticated") sessionStore.set({ state: "signed-out", hasExpired: true })
  }
})

/** The screen on which people add the passkey that an organization requires. It is displayed without access to the organization. */
const passkeysPath = "/me/passkeys"

/** Opens the page of the server on which the person proves a second factor, and which returns to the current address. */
const leaveForSecondFactor = (code: string): void => {
  if (code === "SecondFactorRequired" && window.location.pathname !== config.basePath + passkeysPath)
    window.location.assign(serverPage("second-factor"))
}

/** Passes a request to a page of the server on, and opens the page of the second factor if the request requires it. */
export const onSensitiveError = async <Result>(request: Promise<Result>): Promise<Result> => {
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError) leaveForSecondFactor(error.code)
    throw error
  }
}

/**
 * Returns the entity tag of a resource of the API without its content, at a path below `/v1`. Rejects with `ApiError` if the server
 * cannot be reached, or returns no tag.
 */
export const loadEntityTag = async (path: string): Promise<string> => {
  const token = readToken()
  const response = await fetch(`${config.api}/v1${path}`, {
    method: "HEAD",
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    }
  }).catch((cause: unknown) => {
    throw new ApiError(String(cause), { status: 0, code: "ConnectionFailed" })
  })
  const tag = response.headers.get("etag")
  if (response.ok && tag !== null) return tag
  throw new ApiError(response.statusText, { status: response.status, code: "Unknown" })
}

/** Sends a GET request to a path below `/v1` whose response is not in the client, such as a stream. */
export const requestStream = (path: string, signal: AbortSignal): Promise<Response> => {
  const token = readToken()
  return fetch(`${config.api}/v1${path}`, {
    credentials: "same-origin",
    signal,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  })
}

/** The maximum wait for the token of another tab, in milliseconds. */
const maximumTokenWaitMs = 200

type SessionMessage =
  | { readonly type: "ask" }
  | { readonly type: "token"; readonly token: string }
  | { readonly type: "signed-out" }

const isMessage = (value: unknown): value is SessionMessage =>
  typeof value === "object" && value !== null && "type" in value

/**
 * Connects the tabs of this browser at the address of the application: a new tab receives the pasted token of another one, so that it
 * continues where that one is, and all of them end with it.
 */
const tabs = new BroadcastChannel(`lectern.session ${config.basePath}`)

tabs.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  if (!isMessage(data)) return
  const token = readToken()
  if (data.type === "ask" && token !== undefined && sessionStore.get().state === "signed-in") {
    tabs.postMessage({ type: "token", token } satisfies SessionMessage)
  }
  if (data.type === "signed-out" && token !== undefined) {
    sessionStorage.removeItem(tokenKey)
    sessionStore.set({ state: "signed-out", hasExpired: false })
  }
})

/** Requests the token of another tab. Resolves with `undefined` without a response. */
const requestToken = (): Promise<string | undefined> =>
  new Promise((resolve) => {
    const finish = (token: string | undefined) => {
      clearTimeout(timer)
      tabs.removeEventListener("message", onMessage)
      resolve(token)
    }
    const onMessage = ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && data.type === "token" && typeof data.token === "string") finish(data.token)
    }
    const timer = setTimeout(finish, maximumTokenWaitMs, undefined)
    tabs.addEventListener("message", onMessage)
    tabs.postMessage({ type: "ask" } satisfies SessionMessage)
  })

const readSession = async (): Promise<Session> => {
  try {
    const user = await client.users.getAuthenticatedUser()
    announceSession()
    return { state: "signed-in", user }
  } catch (error) {
    const isSignedOut =
      typeof error === "object" && error !== null && "_tag" in error && error._tag === "Unauthenticated"
    if (isSignedOut) sessionStorage.removeItem(tokenKey)
    return isSignedOut ? { state: "signed-out", hasExpired: false } : { state: "failed", error }
  }
}

/** Loads the user of the session: of the token of this tab, of the cookie, or of the token of another tab. */
export const loadSession = async (): Promise<void> => {
  const own = await readSession()
  const token = own.state === "signed-out" ? await requestToken() : undefined
  if (token === undefined) return sessionStore.set(own)
  sessionStorage.setItem(tokenKey, token)
  sessionStore.set(await readSession())
}

/** Continues with the session of the cookie, if the person has signed in in another tab. */
export const resumeSession = async (): Promise<void> => {
  if (sessionStore.get().state !== "signed-out") return
  const session = await readSession()
  if (session.state === "signed-in") sessionStore.set(session)
}

/** Signs in with an API token. Rejects with `ApiError` if the server rejects it. */
export const signIn = async (token: string): Promise<void> => {
  const candidate = createClient({ baseUrl: config.api, token, fetch: notePosition })
  const user = await candidate.users.getAuthenticatedUser()
  sessionStorage.setItem(tokenKey, token)
  sessionStore.set({ state: "signed-in", user })
}

const serverPage = (name: "login" | "second-factor"): string => {
  const { pathname, search } = window.location
  const path = pathname.startsWith(`${config.api}/`) ? pathname.slice(config.api.length + 1) : ""
  return `${config.api}/~/${name}?${new URLSearchParams({ return: path === "" ? "" : path + search })}`
}

/** The page of the server that signs in, and returns to the current address. It is missing in a host with its own sign-in. */
export const signInPageUrl = (): string => serverPage("login")

/**
 * Ends the session of the cookie, and returns the URL at which it ends at the identity provider; undefined without one. A host with
 * its own sign-in has no such page, and the API ends the session.
 */
const endSession = async (): Promise<string | undefined> => {
  const response = await fetch(`${config.api}/~/logout`, {
    method: "POST",
    headers: { accept: "application/json" }
  })
  if (!response.ok) {
    await client.sessions.signOut()
    return undefined
  }
  const { url } = (await response.json()) as { readonly url?: string }
  return url
}

/** Ends the session: of the cookie on the server and at the identity provider, or of the pasted token in this tab. */
export const signOut = async (): Promise<void> => {
  const url = readToken() === undefined ? await endSession() : undefined
  if (url !== undefined) return window.location.assign(url)
  if (readToken() !== undefined) tabs.postMessage({ type: "signed-out" } satisfies SessionMessage)
  sessionStorage.removeItem(tokenKey)
  sessionStore.set({ state: "signed-out", hasExpired: false })
}
