/** Which drafts belong to editors that are open: their editors save them, so that no other one restores them. */
import type { Draft } from "./DraftStore.ts"

const lockName = (writer: string): string => `lectern-editor/${writer}`

/** Pages without encryption have no locks. There, a draft of another open tab is restored too, and merged as the same change. */
const locksOf = (): LockManager | undefined => (navigator as { readonly locks?: LockManager }).locks

/** Marks an editor as open until the returned function is called, or the tab is closed. */
export const holdLock = (writer: string): (() => void) => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  locksOf()
    ?.request(lockName(writer), () => released)
    .catch(() => undefined)
  return release
}

/** How long the browser takes to end a tab that was closed, in milliseconds. Until then, its editor seems to be open. */
const longestEndMs = 500

/** Whether an editor is open, and not in a tab that is being closed. */
const isOpenEditor = async (locks: LockManager, writer: string): Promise<boolean> => {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), longestEndMs)
  try {
    await locks.request(lockName(writer), { signal: waiting.signal }, () => undefined)
    return false
  } catch (error) {
    if (waiting.signal.aborted) return true
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until an editor is closed. Rejects when the signal is aborted. */
export const untilEditorClosed = async (writer: string, signal: AbortSignal): Promise<void> => {
  await locksOf()?.request(lockName(writer), { signal }, () => undefined)
}

/** Returns the drafts whose editors are closed, newest first. */
export const withoutOpenEditors = async (drafts: ReadonlyArray<Draft>): Promise<ReadonlyArray<Draft>> => {
  const locks = locksOf()
  const closed = await Promise.all(
    drafts.map(async (draft) =>
      locks !== undefined && (await isOpenEditor(locks, draft.writer)) ? undefined : draft
    )
  )
  return closed.filter((draft) => draft !== undefined).sort((one, other) => other.changedAt - one.changedAt)
}

const closing = new Map<string, Promise<void>>()
const longestClosingMs = 3_000

/** Notes that an editor of a document is being closed, until its last save has ended. */
export const noteClosing = (name: string, closed: Promise<void>): void => {
  closing.set(name, closed)
  void closed.finally(() => {
    if (closing.get(name) === closed) closing.delete(name)
  })
}

/** Waits for the last save of an editor of the same document in this page, for at most 3 seconds. */
export const untilClosed = (name: string): Promise<void> => {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, longestClosingMs))
  return Promise.race([closing.get(name) ?? Promise.resolve(), timeout])
}
