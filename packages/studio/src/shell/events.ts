/**
 * Changes by others. One tab of the browser follows the events of the organization and sends them to the other tabs, so that a browser
 * has one connection.
 */
import type { Event } from "@lectern/client/fetch"
import { areas } from "../areas.ts"
import { invalidate, invalidateAll } from "../data/cache.ts"
import { client } from "../session.ts"

/** How long events are collected before resources are refreshed, in milliseconds. */
const batchMs = 150

const keysOf = (event: Event): ReadonlyArray<string> =>
  areas.flatMap((area) => area.invalidatedBy?.(event) ?? [])

/** Collects the keys of events, and refreshes each once. */
const makeRefresh = () => {
  let keys = new Set<string>()
  return (event: Event) => {
    if (keys.size === 0) {
      setTimeout(() => {
        const batch = keys
        keys = new Set()
        for (const key of batch) invalidate(key)
      }, batchMs)
    }
    for (const key of keysOf(event)) keys.add(key)
  }
}

/** How often the displayed resources are refreshed for people who may not follow events, in milliseconds. */
const refreshMs = 20_000

/** Refreshes the displayed resources from time to time while the window is visible, until the signal is aborted. */
export const refreshPeriodically = (signal: AbortSignal): void => {
  const refresh = () => {
    if (document.visibilityState === "visible") invalidateAll()
  }
  const timer = setInterval(refresh, refreshMs)
  document.addEventListener("visibilitychange", refresh, { signal })
  signal.addEventListener("abort", () => clearInterval(timer))
}

/** Follows the events of an organization until the signal is aborted. */
export const followOrganization = (organizationId: string, signal: AbortSignal): void => {
  const name = `lectern.events.${organizationId}`
  const channel = new BroadcastChannel(name)
  const refresh = makeRefresh()
  channel.addEventListener("message", ({ data }) => refresh(data as Event))
  signal.addEventListener("abort", () => channel.close())

  const follow = async (): Promise<void> => {
    try {
      const events = client.followEvents({ organizationId, signal })
      for await (const event of events) {
        refresh(event)
        channel.postMessage(event)
      }
    } catch {
      // The server rejects the stream, such as without permission. Resources are still refreshed when they are opened.
    }
  }
  // Browsers have locks on secure origins only. Elsewhere, each tab has a connection.
  if (!("locks" in navigator)) return void follow()
  // The lock is released when this tab closes. Another tab then acquires it.
  navigator.locks.request(name, { signal }, follow).catch(() => undefined)
}
