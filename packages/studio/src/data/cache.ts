/**
 * The cache of responses. A resource is displayed from it first and then refreshed; a change is displayed before the server
 * has confirmed it, and rolled back if it fails.
 *
 * A key is a path, such as `spaces/123/pages`: invalidating `spaces/123` refreshes everything below it.
 */
import { ApiError } from "@lectern/client/fetch"

/** The state of a resource. Replaced as a whole when it changes. */
export interface Snapshot {
  readonly data: unknown
  readonly error: ApiError | undefined
  readonly isLoading: boolean
  /** When the data arrived, or 0 if it is out of date. */
  readonly loadedAt: number
}

type Load = (signal: AbortSignal) => Promise<unknown>

interface Entry {
  snapshot: Snapshot
  readonly listeners: Set<() => void>
  /** The last function that loads the resource, while a component displays it. */
  load: Load | undefined
  request: AbortController | undefined
  /** When the last request started. */
  requestedAt: number
  /** Whether the resource has to be loaded again when the request has ended. */
  isOutdated: boolean
}

const empty: Snapshot = { data: undefined, error: undefined, isLoading: false, loadedAt: 0 }

/** The maximum number of cached resources that are not displayed. */
const maximumIdleEntries = 500

/**
 * How long a request continues that nothing waits for, in milliseconds: the screen that replaces the current one may display the resource when
 * its code is loaded.
 */
const idleMs = 250

const entries = new Map<string, Entry>()

const entryOf = (key: string): Entry => {
  const existing = entries.get(key)
  if (existing !== undefined) return existing
  const created: Entry = {
    snapshot: empty,
    listeners: new Set(),
    load: undefined,
    request: undefined,
    requestedAt: 0,
    isOutdated: false
  }
  entries.set(key, created)
  removeIdleEntries()
  return created
}

/** Removes the oldest entries that are not displayed. */
const removeIdleEntries = (): void => {
  if (entries.size <= maximumIdleEntries) return
  for (const [key, { listeners }] of entries) {
    if (listeners.size > 0) continue
    entries.delete(key)
    if (entries.size <= maximumIdleEntries) return
  }
}

const update = (entry: Entry, change: Partial<Snapshot>): void => {
  entry.snapshot = { ...entry.snapshot, ...change }
  for (const listener of entry.listeners) listener()
}

const toApiError = (error: unknown): ApiError =>
  error instanceof ApiError
    ? error
    : new ApiError(error instanceof Error ? error.message : String(error), { status: 0, code: "Unknown" })

const start = (entry: Entry, load: Load): void => {
  entry.request?.abort()
  const controller = new AbortController()
  entry.request = controller
  entry.requestedAt = performance.now()
  entry.isOutdated = false
  update(entry, { isLoading: true })
  const finish = (change: Partial<Snapshot>) => {
    if (entry.request !== controller) return
    entry.request = undefined
    const { isOutdated } = entry
    update(entry, { ...change, isLoading: false })
    if (isOutdated) refresh(entry)
  }
  load(controller.signal).then(
    (data) => finish({ data, error: undefined, loadedAt: performance.now() }),
    (error: unknown) => finish({ error: toApiError(error) })
  )
}

/** Loads a resource again if it is displayed, and marks it as out of date otherwise. */
const refresh = (entry: Entry): void => {
  if (entry.listeners.size > 0 && entry.load !== undefined) start(entry, entry.load)
  else entry.snapshot = { ...entry.snapshot, loadedAt: 0 }
}

/** Returns the state of a resource. */
export const readSnapshot = (key: string): Snapshot => entries.get(key)?.snapshot ?? empty

/** Subscribes to a resource, and loads it if its data is older than `staleAfterMs`. Returns a function that unsubscribes. */
export const subscribe = (
  key: string,
  load: Load,
  staleAfterMs: number,
  listener: () => void
): (() => void) => {
  const entry = entryOf(key)
  entry.listeners.add(listener)
  entry.load = load
  const { loadedAt } = entry.snapshot
  const isFresh = loadedAt > 0 && performance.now() - loadedAt < staleAfterMs
  if (!isFresh && entry.request === undefined) start(entry, load)
  return () => {
    entry.listeners.delete(listener)
    if (entry.listeners.size === 0 && entry.request !== undefined) setTimeout(cancelIdle, idleMs, entry)
  }
}

/** Cancels the request of a resource that nothing displays anymore. */
const cancelIdle = (entry: Entry): void => {
  if (entry.listeners.size > 0 || entry.request === undefined) return
  entry.request.abort()
  entry.request = undefined
  entry.snapshot = { ...entry.snapshot, isLoading: false }
}

/** Loads a resource again. */
export const reload = (key: string): void => {
  const entry = entries.get(key)
  if (entry?.load !== undefined) start(entry, entry.load)
}

const isBelow = (key: string, prefix: string): boolean => key === prefix || key.startsWith(`${prefix}/`)

/** Refreshes the displayed resources below a key, and marks the others as out of date. */
export const invalidate = (prefix: string): void => {
  for (const [key, entry] of entries) {
    if (isBelow(key, prefix)) refresh(entry)
  }
}

/**
 * Refreshes the displayed resources below one of the keys that were requested before a time, and marks the others as out of date. A
 * request that displays a resource for the first time ends before the resource is loaded again, so that frequent changes by others
 * do not delay the screen.
 */
export const refreshRequestedBefore = (time: number, prefixes: ReadonlyArray<string> | "all"): void => {
  for (const [key, entry] of entries) {
    if (entry.requestedAt >= time) continue
    if (prefixes !== "all" && !prefixes.some((prefix) => isBelow(key, prefix))) continue
    if (entry.request !== undefined && entry.snapshot.data === undefined) entry.isOutdated = true
    else refresh(entry)
  }
}

/** How often, and for how long, {@link untilUnused} waits, in milliseconds. */
const unusedCheckMs = 20
const maximumUnusedWaitMs = 2_000

/**
 * Resolves when nothing below a key is displayed or requested anymore. A screen that is left remains in the background until the code
 * of the next one is loaded.
 */
export const untilUnused = async (prefix: string): Promise<void> => {
  const isUsed = () =>
    [...entries].some(
      ([key, { listeners, request }]) => isBelow(key, prefix) && (listeners.size > 0 || request !== undefined)
    )
  for (let waited = 0; isUsed() && waited < maximumUnusedWaitMs; waited += unusedCheckMs) {
    await new Promise((resolve) => setTimeout(resolve, unusedCheckMs))
  }
}

/** Refreshes everything that is displayed. */
export const invalidateAll = (): void => {
  for (const key of [...entries.keys()]) invalidate(key)
}

/** Removes everything, such as when another person signs in. */
export const clearCache = (): void => {
  for (const [key, entry] of entries) {
    entry.request?.abort()
    entry.request = undefined
    if (entry.listeners.size === 0) entries.delete(key)
    else if (entry.load !== undefined) {
      entry.snapshot = empty
      start(entry, entry.load)
    }
  }
}

/** Replaces the data of a resource. Returns a function that restores the data before, unless it has changed since. */
export const writeData = <Data>(key: string, change: (data: Data) => Data): (() => void) => {
  const entry = entries.get(key)
  if (entry?.snapshot.data === undefined) return () => undefined
  const before = entry.snapshot.data
  // A response that was requested before the change would undo it until the next one.
  entry.request?.abort()
  entry.request = undefined
  const after = change(before as Data)
  update(entry, { data: after, isLoading: false })
  return () => {
    if (entry.snapshot.data === after) update(entry, { data: before })
  }
}
