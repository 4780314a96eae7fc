/**
 * Background jobs that rebuild derived data, such as the search index. A migration that makes derived data stale enqueues
 * one in its transaction, and the feature that derives the data handles it.
 */
import type { JobRow } from "./Job.ts"

const prefix = "rebuild:"

/** Returns the kind of jobs that rebuild derived data with this name, as in `searchIndex`. */
export const rebuildJobKind = (data: string): string => `${prefix}${data}`

/** Returns the name of the derived data that jobs of a kind rebuild, or undefined if they do not. */
export const rebuiltDataOf = (kind: string): string | undefined =>
  kind.startsWith(prefix) ? kind.slice(prefix.length) : undefined

/** Returns the job that rebuilds derived data. Its id does not depend on the time: it is enqueued at most once. */
export const rebuildJob = (data: string, createdAt: string): JobRow => ({
  id: rebuildJobKind(data),
  kind: rebuildJobKind(data),
  payload: null,
  state: "waiting",
  runAt: createdAt,
  attempts: 0,
  error: null,
  createdAt
})
