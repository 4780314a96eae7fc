/**
 * Wakes the streams of events. One reader of a process reads the log for all of its streams, and wakes the streams of organizations that have
 * events: a commit costs nothing for the streams of other organizations.
 */
import { Cause, Duration, Effect, Queue, RcRef, type Scope } from "effect"
import { type EventRow, events } from "../storage/eventTables.ts"
import type { Records, StorageUnavailable } from "../storage/index.ts"

/** The maximum number of events that a query reads. */
const batchSize = 1_000

/** The pause after the store was unavailable, in milliseconds. */
const pauseMs = 1_000

type Wakes = Queue.Queue<void, StorageUnavailable>

/** The parts of the log that the reader uses. */
interface TailedLog {
  /** Numbers all committed events. */
  readonly number: Effect.Effect<number, StorageUnavailable>
  /** The number of the last event. */
  readonly latest: Effect.Effect<number, StorageUnavailable>
  /** Runs an effect with a queue that receives a value when events may have been committed, by any process. */
  readonly withSignals: (
    use: (signal: Queue.Dequeue<void>) => Effect.Effect<never, never, Scope.Scope>
  ) => Effect.Effect<never, never, Scope.Scope>
  /** Waits until events may have been committed. */
  readonly waitForEvents: (signal: Queue.Dequeue<void>) => Effect.Effect<void>
}

/** Creates the reader. It reads while a stream listens. */
export const makeEventTail = Effect.fnUntraced(function* (
  records: Records["Service"],
  { number, latest, withSignals, waitForEvents }: TailedLog
) {
  /** The queues of the streams by organization; undefined for the streams of all organizations. */
  const listeners = new Map<string | undefined, Set<Wakes>>()

  const each = (organizations: Iterable<string | undefined>, act: (queue: Wakes) => void): void => {
    for (const organization of organizations) {
      for (const queue of [...(listeners.get(organization) ?? [])]) act(queue)
    }
  }

  /** Wakes the streams of organizations with events after a number, and returns the number of the last one. */
  const wakeAfter = Effect.fnUntraced(function* (
    position: number
  ): Effect.fn.Return<number, StorageUnavailable> {
    yield* number
    let after = position
    for (;;) {
      const rows: ReadonlyArray<Pick<EventRow, "sequence" | "organization">> = yield* records.find(events, {
        after: [after],
        limit: batchSize,
        select: ["sequence", "organization"]
      })
      if (rows.length === 0) return after
      after = rows.at(-1)!.sequence
      each(new Set([undefined, ...rows.map(({ organization }) => organization ?? undefined)]), (queue) =>
        Queue.offerUnsafe(queue, undefined)
      )
      if (rows.length < batchSize) return after
    }
  })

  const read = withSignals(
    Effect.fnUntraced(function* (signal) {
      let position: number | undefined
      const next = Effect.gen(function* () {
        if (position === undefined) {
          position = yield* Effect.andThen(number, latest)
          // A stream that has read before this number was known may have missed an event up to it.
          each([...listeners.keys()], (queue) => Queue.offerUnsafe(queue, undefined))
        } else position = yield* wakeAfter(position)
        yield* waitForEvents(signal)
      })
      for (;;) {
        yield* Effect.catchTag(next, "StorageUnavailable", (error) =>
          Effect.andThen(
            Effect.sync(() =>
              each([...listeners.keys()], (queue) => Queue.failCauseUnsafe(queue, Cause.fail(error)))
            ),
            Effect.sleep(Duration.millis(pauseMs))
          )
        )
      }
    })
  )

  const reader = yield* RcRef.make({ acquire: Effect.forkScoped(read) })

  /**
   * Returns a queue that receives a value when the log has further events of an organization, by default of any, until the scope closes. It
   * fails if the store is unavailable.
   */
  return Effect.fnUntraced(function* (organization: string | undefined) {
    const queue: Wakes = yield* Queue.sliding<void, StorageUnavailable>(1)
    const queues = listeners.get(organization) ?? new Set()
    listeners.set(organization, queues.add(queue))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        queues.delete(queue)
        if (queues.size === 0) listeners.delete(organization)
      })
    )
    yield* RcRef.get(reader)
    return queue as Queue.Dequeue<void, StorageUnavailable>
  })
})
