/**
 * Changes by others. One tab of the browser follows the changes of the organization and sends them to the other tabs, so that a
 * browser has one connection.
 */
import type { AnnouncedChange } from "@lectern/client/fetch"
import { areas } from "../areas.ts"
import { invalidateAll, refreshRequestedBefore } from "../data/cache.ts"
import { client } from "../session.ts"

/** How long changes are collected before resources are refreshed, in milliseconds. */
const batchMs = 150

/** How often the displayed resources are refreshed while changes cannot be followed, in milliseconds. */
const refreshMs = 20_000

/** The messages of the tab with the connection to the others. `opened`: changes before it were not received. */
type Message = AnnouncedChange | "opened"

const keysOf = (change: AnnouncedChange): ReadonlyArray<string> =>
  areas.flatMap((area) => area.invalidatedBy?.(change) ?? [])

/** Collects the keys of changes, and refreshes each once. */
const makeRefresh = () => {
  let keys = new Set<string>()
  let isEverything = false
  /** When the last message of the batch arrived: what was requested later contains its change. */
  let arrivedAt: number | undefined
  const run = () => {
    refreshRequestedBefore(arrivedAt!, isEverything ? "all" : [...keys])
    keys = new Set()
    isEverything = false
    arrivedAt = undefined
  }
  return (message: Message) => {
    // The person can see other spaces than before, or changes were not received.
    if (message === "opened" || message.type === "access.updated") isEverything = true
    else for (const key of keysOf(message)) keys.add(key)
    if (keys.size === 0 && !isEverything) return
    if (arrivedAt === undefined) setTimeout(run, batchMs)
    arrivedAt = performance.now()
  }
}

/** Refreshes the displayed resources from time to time while the window is visible, until the signal is aborted. */
const refreshPeriodically = (signal: AbortSignal): void => {
  const refresh = () => {
    if (document.visibilityState === "visible") invalidateAll()
  }
  const timer = setInterval(refresh, refreshMs)
  document.addEventListener("visibilitychange", refresh, { signal })
  signal.addEventListener("abort", () => clearInterval(timer))
}

/** Runs a function while the window is visible, until the signal is aborted. */
const whileVisible = (signal: AbortSignal, run: (signal: AbortSignal) => void): void => {
  let current: AbortController | undefined
  const update = () => {
    if (document.visibilityState !== "visible") {
      current?.abort()
      current = undefined
    } else if (current === undefined) {
      current = new AbortController()
      run(AbortSignal.any([signal, current.signal]))
    }
  }
  document.addEventListener("visibilitychange", update, { signal })
  update()
}

/**
 * Follows in the tab that holds the lock, which is released when the tab closes: another tab then acquires it. `onJoin` is called
 * if another tab holds the lock, whose messages this tab receives from now on.
 */
const followInOneTab = async (
  name: string,
  signal: AbortSignal,
  follow: () => Promise<void>,
  onJoin: () => void
): Promise<void> => {
  const isFollower = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return true
    await follow()
    return false
  })
  if (!isFollower || signal.aborted) return
  onJoin()
  await navigator.locks.request(name, { signal }, follow).catch(() => undefined)
}

/**
 * Follows the changes of an organization for a person, until the signal is aborted. The names of the channel and of the lock contain
 * the person, because tabs can be signed in as different ones.
 */
export const followOrganization = (organizationId: string, person: string, signal: AbortSignal): void => {
  const name = `lectern.changes.${person}.${organizationId}`
  const channel = new BroadcastChannel(name)
  const refresh = makeRefresh()
  channel.addEventListener("message", ({ data }) => refresh(data as Message))
  signal.addEventListener("abort", () => channel.close())

  const follow = async (until: AbortSignal): Promise<void> => {
    const deliver = (message: Message) => {
      refresh(message)
      channel.postMessage(message)
    }
    // Every tab may have requested resources before the connection opened.
    const onOpen = () => deliver("opened")
    try {
      for await (const change of client.followChanges({ organizationId, signal: until, onOpen })) {
        deliver(change)
      }
    } catch {
      // The server rejects the stream, such as for too many of them.
      refreshPeriodically(until)
    }
  }
  // Browsers have locks on secure origins only. Elsewhere, each visible window has a connection: browsers limit them to six.
  if (!("locks" in navigator)) whileVisible(signal, (until) => void follow(until))
  else
    void followInOneTab(
      name,
      signal,
      () => follow(signal),
      () => refresh("opened")
    )
}
