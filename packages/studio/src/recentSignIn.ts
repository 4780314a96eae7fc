/** Sensitive requests: they wait for a new sign-in if the server requires a recent one, and are then sent again. */
import { createStore } from "./store/store.ts"

/** Ends the wait for a sign-in. With `false`, the person has declined. */
type EndWait = (hasSignedIn: boolean) => void

/** The request that waits for a sign-in, which the frame displays as a dialog. */
export const awaitedSignIn = createStore<EndWait | undefined>(undefined)

let waiting: Promise<boolean> | undefined

/** Waits until the person signs in again or declines. Requests at the same time wait for one sign-in. */
const waitForSignIn = (): Promise<boolean> => {
  waiting ??= new Promise<boolean>((resolve) => awaitedSignIn.set(resolve)).finally(() => {
    waiting = undefined
    awaitedSignIn.set(undefined)
  })
  return waiting
}

const requiresRecentSignIn = async (response: Response): Promise<boolean> => {
  if (response.status !== 403) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { readonly error?: { readonly reason?: string } } | undefined
  return body?.error?.reason === "FreshSignInRequired"
}

/** Sends a request. If it requires a recent sign-in, sends it again after the person has signed in. */
export const fetchAfterSignIn: typeof globalThis.fetch = async (url, init) => {
  const response = await fetch(url, init)
  if (!(await requiresRecentSignIn(response)) || !(await waitForSignIn())) return response
  return fetchAfterSignIn(url, init)
}

const tabs = new BroadcastChannel("lectern.signed-in")

/** Notifies the other tabs that this one has loaded a session. */
export const announceSession = (): void => tabs.postMessage(null)

/** Calls a function when the person may have signed in in another tab, until the returned function is called. */
export const onPossibleSignIn = (check: () => void): (() => void) => {
  tabs.addEventListener("message", check)
  window.addEventListener("focus", check)
  return () => {
    tabs.removeEventListener("message", check)
    window.removeEventListener("focus", check)
  }
}
