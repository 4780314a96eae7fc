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

window.addEventListener("popstate", () => {
  addressStore.set(readAddress())
  const top = scrollPositions.get((history.state as { readonly key?: string } | null)?.key ?? "") ?? 0
  requestAnimationFrame(() => mainElement()?.scrollTo(0, top))
})

/** Returns the address in the window of a path below the base path. */
export const toHref = (path: string): string => `${config.basePath}${path}`

/** Opens a path below the base path, with its query. */
export const navigate = (path: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  const before = addressStore.get().path
  keepScroll()
  if (replace) history.replaceState(newState(), "", toHref(path))
  else history.pushState(newState(), "", toHref(path))
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
