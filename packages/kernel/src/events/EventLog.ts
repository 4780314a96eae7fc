/**
 * The log of events. Commands write events to an outbox in their transactions, without waiting for each other. Readers
 * number the committed events, one transaction at a time, and read them in the order of their numbers. A number is
 * therefore committed only after all smaller ones, so that a reader who continues after the last number that it has
 * read never skips an event. The numbers of the events of one resource are in the order of its commits.
 */

import { Gone } from "@lectern/model/errors"
import { Clock, Context, Duration, Effect, Layer, Queue, Semaphore, Stream } from "effect"
import { Ids } from "../ids/Ids.ts"
import { type EventRow, events, type OutboxRow, outboxEvents } from "../storage/eventTables.ts"
import { Records, type StorageUnavailable, Where } from "../storage/index.ts"
import {
  type AnyResourceEvents,
  decodeEventData,
  EventRetention,
  RecordedResources
} from "../storage/ResourceEvents.ts"
import { toTimestamp } from "../time.ts"
import { makeEventTail } from "./eventTail.ts"
import { makeFindReplaced } from "./replacedEvents.ts"

/** The maximum number of events that one transaction numbers, and that one query of a stream reads. */
const batchSize = 500

/** How long a stream waits for a signal before it polls, in milliseconds. Other processes may commit without one. */
const pollMs = 1_000

/** How long commits are collected before other processes are signaled, in milliseconds. */
const signalDelayMs = 25

/** The lock of the transaction that numbers events. */
const numbering = [{ mode: "exclusive" as const, kind: "events", id: "numbering" }]

/** Which events to read. */
export interface EventFilter {
  /** Only events of this organization. All organizations by default. */
  readonly organization?: string
  /** Only events of these types, as in `space.created`. All types by default. */
  readonly types?: ReadonlyArray<string>
}

/** Where to start. */
export interface EventStart {
  /** Only events with a greater number. By default, events that are committed from now on. */
  readonly after?: number
}

/** Runs in the transaction that numbers events: its writes exist exactly if the events are readable. */
export type NumberedHandler = (events: ReadonlyArray<EventRow>) => Effect.Effect<void, StorageUnavailable>

const matching = ({ organization, types }: EventFilter): Where.Where<EventRow> =>
  Where.and<EventRow>(
    ...(organization === undefined ? [] : [Where.eq<EventRow, "organization">("organization", organization)]),
    ...(types === undefined ? [] : [Where.isIn<EventRow, "type">("type", types)])
  )

/** Returns the function that completes the data of stored events. */
const makeDecodeEvent = (resources: ReadonlyArray<AnyResourceEvents>) => {
  const sources = new Map(resources.map((source) => [source.resource, source]))
  return (event: EventRow): EventRow => {
    const source = sources.get(event.type.slice(0, event.type.indexOf(".")))
    return source === undefined ? event : { ...event, data: decodeEventData(source, event.data, event.actor) }
  }
}

/** Waits until events may have been committed. */
const waitForEvents = (signal: Queue.Dequeue<void>): Effect.Effect<void> =>
  Effect.asVoid(Effect.timeoutOption(Queue.take(signal), Duration.millis(pollMs)))

const makeNumbering = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const resources = yield* RecordedResources
  const decodeEvent = makeDecodeEvent(resources)
  const handlers: Array<NumberedHandler> = []
  const numberingHere = yield* Semaphore.make(1)
  const findReplaced = makeFindReplaced(records, resources)

  /** Numbers one batch, and returns the number of events in it. */
  const numberBatch = records.lockedTransaction(
    numbering,
    Effect.gen(function* () {
      const pending = yield* records.find(outboxEvents, { limit: batchSize })
      if (pending.length === 0) return 0
      const last = yield* records.first(events, { direction: "desc", select: ["sequence"] })
      let sequence = last?.sequence ?? 0
      const numbered: Array<EventRow> = []
      for (const { position: _, ...event } of pending) {
        sequence += 1
        numbered.push({ sequence, id: yield* ids.next, ...event })
      }
      const [replaced, kept] = yield* findReplaced(numbered)
      yield* records.insertMany(events, kept)
      if (replaced.length > 0)
        yield* records.remove(events, Where.isIn<EventRow, "sequence">("sequence", replaced))
      yield* records.remove(
        outboxEvents,
        Where.isIn<OutboxRow, "position">(
          "position",
          pending.map(({ position }) => position)
        )
      )
      const complete = handlers.length === 0 ? [] : kept.map(decodeEvent)
      for (const handle of handlers) yield* handle(complete)
      return pending.length
    })
  )

  /** Numbers all committed events, and returns their number. */
  const number: Effect.Effect<number, StorageUnavailable> = numberingHere.withPermit(
    Effect.gen(function* () {
      let count = 0
      for (;;) {
        // Without the lock, because there is usually none.
        const first = yield* records.first(outboxEvents, { select: ["position"] })
        if (first === undefined) return count
        const numbered = yield* numberBatch
        count += numbered
        if (numbered < batchSize) return count
      }
    })
  )

  return { handlers, number }
})

const makeSignals = Effect.gen(function* () {
  const records = yield* Records
  const scope = yield* Effect.scope
  const listeners = new Set<() => void>()

  const wake = () => {
    for (const listen of listeners) listen()
  }

  /** Signals other processes after commits of this one. */
  const { signals } = records

  let isSignalScheduled = false

  const scheduleSignal = Effect.suspend(() => {
    if (isSignalScheduled || signals === undefined) return Effect.void
    isSignalScheduled = true
    return Effect.forkIn(
      Effect.andThen(
        Effect.sleep(signalDelayMs),
        Effect.suspend(() => {
          isSignalScheduled = false
          return signals.send
        })
      ),
      scope
    )
  })

  const context = yield* Effect.context<never>()

  const unsubscribe = records.onEventsCommitted(() => {
    wake()
    if (signals !== undefined) Effect.runSyncWith(context)(scheduleSignal)
  })

  yield* Effect.addFinalizer(() => Effect.sync(unsubscribe))

  /** Runs an effect with a queue that receives a value when events may have been committed, by any process. */
  const withSignals = <A, E, R>(use: (signal: Queue.Dequeue<void>) => Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const queue = yield* Queue.sliding<void>(1)
        const listen = () => Queue.offerUnsafe(queue, undefined)
        listeners.add(listen)
        yield* Effect.addFinalizer(() => Effect.sync(() => listeners.delete(listen)))
        if (signals !== undefined) yield* signals.subscribe(listen)
        return yield* use(queue)
      })
    )

  return { withSignals }
})

const makeReading = Effect.gen(function* () {
  const records = yield* Records
  const resources = yield* RecordedResources
  const decodeEvent = makeDecodeEvent(resources)

  /** Reads events with a greater number than `after`, at most `limit`. Does not number events. */
  const readNumbered = (after: number, filter: EventFilter, limit: number) =>
    Effect.map(records.find(events, { where: matching(filter), after: [after], limit }), (rows) =>
      rows.map(decodeEvent)
    )

  /** Fails with `Gone` if an event after this number was removed. 0 is the oldest event that exists. */
  const requireRetained = Effect.fnUntraced(function* (
    after: number
  ): Effect.fn.Return<void, Gone | StorageUnavailable> {
    if (after === 0) return
    const [oldest] = yield* records.find(events, { limit: 1, select: ["sequence"] })
    if (oldest === undefined || oldest.sequence <= after + 1) return
    return yield* new Gone({
      reason: "RetentionExpired",
      message: `Events after the cursor ${after} were removed, because their retention period has ended. Start from the oldest event, with the cursor 0, and read the resources again.`
    })
  })

  return { readNumbered, requireRetained }
})

const makeEventLog = Effect.gen(function* () {
  const records = yield* Records
  const retentionMs = yield* EventRetention
  const { number, handlers } = yield* makeNumbering
  const { withSignals } = yield* makeSignals
  const { requireRetained, readNumbered } = yield* makeReading

  const latest = Effect.map(
    records.first(events, { direction: "desc", select: ["sequence"] }),
    (row) => row?.sequence ?? 0
  )

  const listen = yield* makeEventTail(records, { number, latest, withSignals, waitForEvents })

  return {
    number,

    withSignals,

    waitForEvents,

    /** Returns the number of the last event, after numbering all committed ones; 0 in an empty log. */
    latest: Effect.andThen(number, latest),

    /**
     * A number that is at most that of the last event, in one read: what is read afterwards contains the events up to it. Committed events that
     * have no number yet get a greater one.
     */
    position: latest,

    /**
     * Returns events with a number greater than `after`, in order, at most `limit`. Fails with `Gone` if one of them was
     * removed, because its retention has expired. 0 starts with the oldest event that exists.
     */
    read: (
      after: number,
      filter: EventFilter = {},
      limit = batchSize
    ): Effect.Effect<ReadonlyArray<EventRow>, Gone | StorageUnavailable> =>
      number.pipe(Effect.andThen(requireRetained(after)), Effect.andThen(readNumbered(after, filter, limit))),

    /**
     * Streams events, in order, and waits for further ones. It starts with events that are committed from now on, or
     * after the number `after`. Fails with `Gone` as `read` does.
     */
    stream: (options: EventFilter & EventStart = {}): Stream.Stream<EventRow, Gone | StorageUnavailable> =>
      Stream.unwrap(
        Effect.map(
          options.after === undefined
            ? Effect.andThen(number, latest)
            : Effect.as(requireRetained(options.after), options.after),
          (start) =>
            Stream.callback<EventRow, Gone | StorageUnavailable>(
              (queue) =>
                Effect.gen(function* () {
                  const wakes = yield* listen(options.organization)
                  let after = start
                  yield* number
                  for (;;) {
                    let batch: ReadonlyArray<EventRow>
                    do {
                      batch = yield* readNumbered(after, options, batchSize)
                      for (const event of batch) yield* Queue.offer(queue, event)
                      after = batch.at(-1)?.sequence ?? after
                    } while (batch.length === batchSize)
                    yield* Queue.take(wakes)
                  }
                }).pipe(Effect.catchTag("StorageUnavailable", (error) => Queue.fail(queue, error))),
              { bufferSize: 64, strategy: "suspend" }
            )
        )
      ),

    /** Registers a handler for as long as the workspace runs. Call it while layers are built. */
    onNumbered: (handler: NumberedHandler): Effect.Effect<void> =>
      Effect.sync(() => {
        handlers.push(handler)
      }),

    /** Removes the events whose retention has expired, except for the last one, and returns their number. */
    purge: Effect.gen(function* () {
      yield* number
      const last = yield* latest
      const before = toTimestamp((yield* Clock.currentTimeMillis) - retentionMs)
      return yield* records.lockedTransaction(
        [],
        records.remove(events, Where.and<EventRow>(Where.lt("createdAt", before), Where.lt("sequence", last)))
      )
    })
  }
})

/** The methods of {@link EventLog}. */
export interface EventLogService extends Effect.Success<typeof makeEventLog> {}

/** Reads the events of the workspace. */
export class EventLog extends Context.Service<EventLog, EventLogService>()("@lectern/core/EventLog") {
  static readonly layer: Layer.Layer<EventLog, never, Records | Ids> = Layer.effect(EventLog, makeEventLog)
}
