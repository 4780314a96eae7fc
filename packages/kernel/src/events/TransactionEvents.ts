/**
 * Events within a transaction: how a feature reacts, atomically, to a change that a feature below it makes.
 *
 * Handlers run in the publisher's transaction, in the order in which they were registered. A transaction is retried
 * when it conflicts with another, so a handler may run again: it reads and writes records and performs no external
 * I/O. When a handler fails, the publisher fails and everything is rolled back.
 */
import { Context, Effect, Layer } from "effect"
import { Records } from "../storage/Records.ts"
import type { StorageUnavailable } from "../storage/StorageError.ts"

/** A kind of event, with the type of its payload. Create one with {@link transactionEvent}. */
export interface TransactionEvent<Payload> {
  /** Names the event in defects. */
  readonly name: string
  /** Exists only in types. */
  readonly Payload?: Payload
}

/** Reacts to an event, in the transaction of its publisher. */
export type TransactionEventHandler<Payload> = (payload: Payload) => Effect.Effect<void, StorageUnavailable>

/**
 * Declares a kind of event.
 *
 * @example
 * const SpacesRemoved = transactionEvent<{ readonly spaces: ReadonlyArray<SpaceId> }>("SpacesRemoved")
 */
export const transactionEvent = <Payload>(name: string): TransactionEvent<Payload> => ({ name })

const makeTransactionEvents = Effect.gen(function* () {
  const records = yield* Records
  // An event is registered with handlers of its own payload only.
  const handlers = new Map<object, ReadonlyArray<TransactionEventHandler<unknown>>>()

  return {
    /**
     * Runs every handler of the event, and returns when all of them have succeeded. Outside a transaction, or without
     * a handler, it dies: the first loses atomicity, the second means that a feature is missing from the workspace.
     */
    publish: <Payload>(
      event: TransactionEvent<Payload>,
      payload: Payload
    ): Effect.Effect<void, StorageUnavailable> =>
      Effect.flatMap(records.isInTransaction, (isInTransaction) => {
        if (!isInTransaction)
          return Effect.die(new Error(`${event.name} was published outside a transaction.`))
        const registered = handlers.get(event)
        if (registered === undefined) return Effect.die(new Error(`${event.name} has no handler.`))
        return Effect.forEach(registered, (handle) => handle(payload), { discard: true })
      }),

    /** Registers a handler for as long as the workspace runs. Call it while layers are built. */
    register: <Payload>(
      event: TransactionEvent<Payload>,
      handler: TransactionEventHandler<Payload>
    ): Effect.Effect<void> =>
      Effect.sync(() => {
        handlers.set(event, [...(handlers.get(event) ?? []), handler as TransactionEventHandler<unknown>])
      })
  }
})

/** The methods of {@link TransactionEvents}. */
export interface TransactionEventsService extends Effect.Success<typeof makeTransactionEvents> {}

/** Registers a handler of an event. Create one with {@link subscribeToEvent}. */
export type Subscription = (events: TransactionEventsService) => Effect.Effect<void>

/** Handles an event while the workspace runs: for the `subscriptions` of a feature. */
export const subscribeToEvent =
  <Payload>(event: TransactionEvent<Payload>, handler: TransactionEventHandler<Payload>): Subscription =>
  (events) =>
    events.register(event, handler)

/** Publishes events within transactions, and registers the handlers that react to them. */
export class TransactionEvents extends Context.Service<TransactionEvents, TransactionEventsService>()(
  "@lectern/core/TransactionEvents"
) {
  /** Provides the service over the records of the workspace. */
  static readonly layer: Layer.Layer<TransactionEvents, never, Records> = Layer.effect(
    TransactionEvents,
    makeTransactionEvents
  )
}
