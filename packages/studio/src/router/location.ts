/** The address of the window below the base path, and navigation. */
import { config } from "../config.ts"
import { createStore, useStore } from "../store/store.ts"

/** An address below the base path. */
export interface Address {
  /** The path, `/` at least. */
  readonly path: string
  readonly query: URLSearchParams
  readonly hash: string
}

const readAddress = (): Address => {
  const { pathname, search, hash } = window.location
  const path = pathname.startsWith(config.basePath) ? pathname.slice(config.basePath.length) : pathname
  return { path: path === "" ? "/" : path, query: new URLSearchParams(search), hash }
}

/** The current address. */
export const addressStore = createStore<Address>(readAddress())

const scrollPositions = new Map<string, number>()

const mainElement = (): HTMLElement | null => document.getElementById("main")

const keepScroll = (): void => {
  const top = mainElement()?.scrollTop
  const key = (history.state as { readonly key?: string } | null)?.key
  if (top !== undefined && key !== undefined) scrollPositions.set(key, top)
}

let lastKey = 0

const newState = () => ({ key: `${performance.timeOrigin}-${++lastKey}` })

if (history.state === null) history.replaceState(newState(), "")

/** Decides whether a screen is left: calls `leave` to leave it, now or later. */
export type LeaveGuard = (leave: () => void) => void

const guards = new Set<LeaveGuard>()

/** Asks a function before another path is opened, until the returned function is called. */
export const guardNavigation = (guard: LeaveGuard): (() => void) => {
  guards.add(guard)
  return () => guards.delete(guard)
}

/** Whether a guard decides on a navigation to a path. It is then repeated if the screen is left. */
const isGuarded = (path: string, go: () => void): boolean => {
  const [guard] = guards
  if (guard === undefined || path.split(/[?#]/)[0] === addressStore.get().path) return false
  guard(() => {
    guards.delete(guard)
    go()
  })
  return true
}

/** The address that is displayed, from the origin. */
let displayedHref = window.location.href

window.addEventListener("popstate", () => {
  const { path, query, hash } = readAddress()
  const target = `${path}${query.size === 0 ? "" : `?${query}`}${hash}`
  // The window has the other address already: the displayed one is set again until the screen is left.
  if (isGuarded(target, () => navigate(target))) return history.pushState(newState(), "", displayedHref)
  displayedHref = window.location.href
  addressStore.set(readAddress())
  const top = scrollPositions.get((history.state as { readonly key?: string } | null)?.key ?? "") ?? 0
  requestAnimationFrame(() => mainElement()?.scrollTo(0, top))
})

/** Returns the address in the window of a path below the base path. */
export const toHref = (path: string): string => `${config.basePath}${path}`

/** Opens a path below the base path, with its query. */
export const navigate = (path: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  const before = addressStore.get().path
  if (isGuarded(path, () => navigate(path, { replace }))) return
  keepScroll()
  if (replace) history.replaceState(newState(), "", toHref(path))
  else history.pushState(newState(), "", toHref(path))
  displayedHref = window.location.href
  addressStore.set(readAddress())
  if (addressStore.get().path !== before) mainElement()?.scrollTo(0, 0)
}

/** Returns the current address. */
export const useAddress = (): Address => useStore(addressStore)

/** Returns the current path with a changed parameter of the query; `undefined` removes it. */
export const withQuery = ({ path, query }: Address, name: string, value: string | undefined): string => {
  const changed = new URLSearchParams(query)
  if (value === undefined) changed.delete(name)
  else changed.set(name, value)
  const text = changed.toString()
  return text === "" ? path : `${path}?${text}`
}
