/**
 * Changes by others. One tab of the browser follows the changes of the organization and sends them to the other tabs, so that a
 * browser has one connection.
 */
import type { AnnouncedChange } from "@lectern/client/fetch"
import { areas } from "../areas.ts"
import { invalidateAll, refreshRequestedBefore } from "../data/cache.ts"
import { client, readPosition } from "../session.ts"
import { ChangeHistory } from "./changeHistory.ts"

/** How long changes are collected before resources are refreshed, in milliseconds. */
const batchMs = 150

/** How often the displayed resources are refreshed while changes cannot be followed, in milliseconds. */
const refreshMs = 20_000

/** How long a tab waits for the changes before it was opened, in milliseconds. The tab with the connection can be suspended. */
const maximumJoinMs = 1_000

/** A change, or `lost`, if changes were not received. */
type Message = AnnouncedChange | "lost"

/** The messages of tabs: the changes of the tab with the connection, and the request of a new tab for the changes that it missed. */
type TabMessage =
  | { readonly type: "happened"; readonly message: Message }
  | { readonly type: "join"; readonly tab: string; readonly after: string | undefined }
  | {
      readonly type: "missed"
      readonly tab: string
      readonly changes: ReadonlyArray<AnnouncedChange> | undefined
    }

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
    if (message === "lost" || message.type === "access.updated") isEverything = true
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

/** Returns an id of this tab. Random UUIDs exist on secure origins only. */
const createTabId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-")

/** Follows the changes in one tab of the browser, which sends them to the others. */
class ChangeFollower {
  private readonly organizationId: string
  private readonly signal: AbortSignal
  private readonly name: string
  private readonly channel: BroadcastChannel
  private readonly tab = createTabId()
  private readonly refresh = makeRefresh()
  /** The position up to which this tab has received the changes. */
  private last = readPosition()
  /** The changes of the connection, in the tab that has it. */
  private history: ChangeHistory | undefined
  /** Whether this tab has the changes from before it received the ones of the connection. */
  private isComplete = false

  /** The names of the channel and of the lock contain the person, because tabs can be signed in as different ones. */
  constructor(organizationId: string, person: string, signal: AbortSignal) {
    this.organizationId = organizationId
    this.signal = signal
    this.name = `lectern.changes.${person}.${organizationId}`
    this.channel = new BroadcastChannel(this.name)
    this.channel.addEventListener("message", ({ data }) => this.receive(data as TabMessage))
    signal.addEventListener("abort", () => this.channel.close())
  }

  private send(message: TabMessage): void {
    if (!this.signal.aborted) this.channel.postMessage(message)
  }

  private take(message: Message): void {
    // Before this tab has joined, changes in between can be missing.
    if (message !== "lost" && this.isComplete) this.last = message.cursor
    this.refresh(message)
  }

  private receive(data: TabMessage): void {
    if (data.type === "happened") this.take(data.message)
    else if (data.type === "join") {
      if (this.history === undefined) return
      this.send({ type: "missed", tab: data.tab, changes: this.history.since(data.after) })
    } else if (data.tab === this.tab && !this.isComplete) {
      this.isComplete = true
      if (data.changes === undefined) this.take("lost")
      else for (const change of data.changes) this.take(change)
    }
  }

  /** Follows the changes in this tab, from the first one that it has not received. */
  private async follow(until: AbortSignal): Promise<void> {
    // The other tab may have closed without a response. The connection has the missed changes.
    this.isComplete = true
    const history = new ChangeHistory(this.last)
    this.history = history
    const deliver = (message: Message): void => {
      this.take(message)
      this.send({ type: "happened", message })
    }
    const onOpen = ({ isContinuous }: { readonly isContinuous: boolean }): void => {
      if (isContinuous) return
      history.interrupt()
      deliver("lost")
    }
    try {
      const { organizationId, last: after } = this
      for await (const change of client.followChanges({ organizationId, after, signal: until, onOpen })) {
        history.add(change)
        deliver(change)
      }
    } catch {
      // The server rejects the stream, such as for too many of them.
      refreshPeriodically(until)
    }
  }

  /** Requests the changes that were sent before this tab received them. */
  private join(): void {
    this.send({ type: "join", tab: this.tab, after: this.last })
    setTimeout(() => {
      if (this.isComplete || this.signal.aborted) return
      this.isComplete = true
      this.take("lost")
    }, maximumJoinMs)
  }

  /** Follows in the tab that holds the lock, which is released when the tab closes: another tab then acquires it. */
  async start(): Promise<void> {
    const { name, signal } = this
    const isFollower = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return true
      await this.follow(signal)
      return false
    })
    if (!isFollower || signal.aborted) return
    this.join()
    await navigator.locks.request(name, { signal }, () => this.follow(signal)).catch(() => undefined)
  }

  /** Follows while the window is visible: browsers have locks on secure origins only, and limit connections to six. */
  startWithoutLocks(): void {
    whileVisible(this.signal, (until) => void this.follow(until))
  }
}

/** Follows the changes of an organization for a person, until the signal is aborted. */
export const followOrganization = (organizationId: string, person: string, signal: AbortSignal): void => {
  const follower = new ChangeFollower(organizationId, person, signal)
  if ("locks" in navigator) void follower.start()
  else follower.startWithoutLocks()
}
