/** Counts the open streams of each user, which are limited: each holds a connection and is authorized repeatedly. */

import { Effect, type Scope } from "effect"

/** The maximum number of streams of a user. A browser has one, which its tabs share. */
const maximumStreams = 16

/** The open streams by user. */
export interface StreamCounts {
  /** The maximum number of streams of a user. */
  readonly maximum: number
  /** Whether a user has as many open streams as permitted. */
  readonly isFull: (user: string) => boolean
  /** Counts a stream of a user until its scope closes. */
  readonly open: (user: string) => Effect.Effect<void, never, Scope.Scope>
}

/** Creates counts for one process. */
export const makeStreamCounts = (maximum: number = maximumStreams): StreamCounts => {
  const counts = new Map<string, number>()
  const add = (user: string, difference: 1 | -1): void => {
    const count = (counts.get(user) ?? 0) + difference
    if (count > 0) counts.set(user, count)
    else counts.delete(user)
  }
  return {
    maximum,
    isFull: (user) => (counts.get(user) ?? 0) >= maximum,
    open: (user) =>
      Effect.acquireRelease(
        Effect.sync(() => add(user, 1)),
        () => Effect.sync(() => add(user, -1))
      )
  }
}
