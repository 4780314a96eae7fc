/**
 * Removes responses from shared caches when something changes that they show. A response has the scopes of everything that it depends on as
 * its keys, and a commit raises the versions of the scopes that it changes: the loop reads the raised ones, and sends them as keys.
 */
import { edgeKeysOf, everyKey, Fetcher, Records, type StorageUnavailable } from "@lectern/core"
import { Clock, Effect, Redacted } from "effect"

/** The receiver of purges, such as a function of the CDN. */
export interface EdgePurge {
  /** The URL that receives `POST` requests with the keys: as the JSON object `{"keys": [...]}`, and in the header `Surrogate-Key`. */
  readonly url: string
  /** The token of the header `Authorization: Bearer <token>`; none by default. */
  readonly token?: Redacted.Redacted<string>
}

/** The interval of the readings, in milliseconds. */
const intervalMs = 1_000

/**
 * How long after a purge it is repeated, in milliseconds: a response that was computed before the change can reach the cache after the
 * first purge.
 */
const repetitionMs = 10_000

/** The maximum number of keys of a request. Fastly accepts 256; caches limit the length of a header, by default to 8 kB or more. */
const maximumKeys = 100

/** The number of waiting keys above which everything is purged instead. */
const maximumWaiting = 10_000

/** The timeout of a request, in milliseconds. */
const timeoutMs = 10_000

/** The longest pause after a failed request, in milliseconds. */
const longestPauseMs = 60_000

/** The keys of changes, and the keys whose purge is repeated. */
class WaitingKeys {
  private readonly changed = new Set<string>()
  private readonly repeatedAt = new Map<string, number>()

  /** Adds the keys of changes. More than {@link maximumWaiting} are replaced by the key of every response. */
  add(keys: ReadonlyArray<string>): void {
    for (const key of keys) this.changed.add(key)
    if (this.changed.size <= maximumWaiting) return
    this.changed.clear()
    this.changed.add(everyKey)
  }

  /** Removes and returns the keys of a request, and the function that repeats the purge of the keys of changes. */
  take(time: number): { readonly keys: ReadonlyArray<string>; readonly repeatAt: (time: number) => void } {
    const changed = [...this.changed].slice(0, maximumKeys)
    for (const key of changed) this.changed.delete(key)
    const due = [...this.repeatedAt].flatMap(([key, at]) => (at <= time ? [key] : []))
    const repeated = due.slice(0, maximumKeys - changed.length)
    for (const key of repeated) this.repeatedAt.delete(key)
    return {
      keys: [...new Set([...changed, ...repeated])],
      repeatAt: (at) => {
        for (const key of changed) this.repeatedAt.set(key, at)
        if (this.repeatedAt.size <= maximumWaiting) return
        this.repeatedAt.clear()
        this.repeatedAt.set(everyKey, at)
      }
    }
  }
}

/** Creates the function that sends keys. Its result is the problem for the log, or undefined. */
const makeSend = Effect.fnUntraced(function* ({ url, token }: EdgePurge) {
  const fetch = yield* Fetcher
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${Redacted.value(token)}` })
  }
  return (keys: ReadonlyArray<string>): Effect.Effect<string | undefined> =>
    fetch({
      url,
      post: {
        body: new TextEncoder().encode(JSON.stringify({ keys })),
        headers: { ...headers, "surrogate-key": keys.join(" ") }
      },
      maximumBytes: 64 * 1024,
      timeoutMillis: timeoutMs
    }).pipe(
      Effect.map(({ status }) => (status < 300 ? undefined : `The response has the status ${status}.`)),
      Effect.catch(({ message }) => Effect.succeed(message))
    )
})

/**
 * Sends the keys of the responses that each commit has changed to a receiver, within about a second and again 10 seconds later, until it is
 * interrupted. It first purges everything, because it does not know what has changed before. Requests that fail are
 * repeated, and the log has a warning. Every process may run it; one is sufficient. It reads the databases that all processes share.
 *
 * @example
 * workspace.runtime.runFork(purgeEdge({ url: "https://edge.example.com/purge" }))
 */
export const purgeEdge = Effect.fnUntraced(function* (
  purge: EdgePurge
): Effect.fn.Return<never, never, Records> {
  const { cacheVersions } = yield* Records
  const send = yield* makeSend(purge)
  const waiting = new WaitingKeys()
  let position: string | undefined
  let pauseMs = intervalMs

  /** Adds the keys of everything that was committed since the last reading. */
  const read: Effect.Effect<void, StorageUnavailable> = Effect.gen(function* () {
    const raised = yield* cacheVersions.raisedSince(position)
    position = raised.position
    waiting.add(raised.scopes === undefined ? [everyKey] : edgeKeysOf(raised.scopes))
  })

  /** Sends the keys that are due, until all are sent or a request fails. */
  const sendDue = Effect.gen(function* () {
    for (;;) {
      const time = yield* Clock.currentTimeMillis
      const { keys, repeatAt } = waiting.take(time)
      if (keys.length === 0) return
      const problem = yield* send(keys)
      if (problem !== undefined) {
        yield* Effect.logWarning("purge of shared caches", problem)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
        return waiting.add(keys)
      }
      pauseMs = intervalMs
      repeatAt(time + repetitionMs)
    }
  })

  return yield* read.pipe(
    Effect.catchTag("StorageUnavailable", ({ reason }) =>
      Effect.logWarning("purge of shared caches", reason)
    ),
    Effect.andThen(sendDue),
    Effect.andThen(Effect.suspend(() => Effect.sleep(pauseMs))),
    Effect.forever
  )
})
