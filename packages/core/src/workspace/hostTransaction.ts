/** Transactions over the rows of a host and of the workspace, in the same database. */

import {
  type HostConnection,
  HostTransactionError,
  lockName,
  Records,
  type StorageUnavailable
} from "@lectern/kernel"
import { lockKinds } from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import { Effect, Exit, Semaphore } from "effect"

/** Options of a transaction. */
export interface HostTransactionOptions {
  /**
   * The ids of the organizations on which its commands act: 1 to 20, or also none if it is serializable. Other writers in these
   * organizations wait until it ends; other organizations do not.
   */
  readonly organizations: ReadonlyArray<string>
  /**
   * The isolation; `read committed` by default: rows of the workspace are protected by locks on the organizations, and rows of the
   * host are not. `serializable` permits every command, and protects the rows of the host too, but all writers of all
   * organizations wait for it.
   */
  readonly isolation?: "read committed" | "serializable"
  /**
   * The time limit of each attempt to run the callback, in milliseconds: from 1 to 60,000; 10,000 by default. Waits for locks at
   * the start do not count.
   */
  readonly timeoutMs?: number
}

/** The transaction, for programs in Effect. */
export interface HostTransaction {
  /** The connection, for `pgClient` and `sqliteDatabase`; undefined if the store has no connection that a host can use. */
  readonly connection: HostConnection | undefined
}

const maximumOrganizations = 20
const defaultTimeoutMs = 10_000
const maximumTimeoutMs = 60_000

/** The kinds of locks that commands may acquire while a transaction is open: not that of the numbering of events. */
const kinds: ReadonlySet<string> = new Set(Object.values(lockKinds))

/** The limits of the locks of a transaction that the host has begun, which names no organizations. */
export const hostLockKinds = { kind: lockKinds.organization, kinds, names: undefined } as const

/** Returns the limits of a transaction. Throws a `TypeError` if an option is not valid. */
const readOptions = ({
  organizations,
  isolation = "read committed",
  timeoutMs = defaultTimeoutMs
}: HostTransactionOptions) => {
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > maximumTimeoutMs) {
    throw new TypeError(`\`timeoutMs\` must be an integer from 1 to ${maximumTimeoutMs}; it is ${timeoutMs}.`)
  }
  if (isolation !== "read committed" && isolation !== "serializable") {
    throw new TypeError('`isolation` must be "read committed" or "serializable".')
  }
  const ids = [...new Set(organizations)].map((id) => OrganizationId.make(id))
  if (ids.length > maximumOrganizations || (ids.length === 0 && isolation !== "serializable")) {
    throw new TypeError(`\`organizations\` must have 1 to ${maximumOrganizations} ids; it has ${ids.length}.`)
  }
  if (isolation === "serializable") return { timeoutMs, limits: undefined }
  const kind = lockKinds.organization
  return {
    timeoutMs,
    limits: {
      locks: ids.map((id) => ({ mode: "exclusive" as const, kind, id })),
      host: { kind, kinds, names: new Set(ids.map((id) => lockName(kind, id))) }
    }
  }
}

const timedOut = (timeoutMs: number) =>
  new HostTransactionError(
    "TimedOut",
    `The callback of the transaction exceeded its time limit of ${timeoutMs} ms, and was rolled back.`
  )

/**
 * Runs commands and statements of the host on {@link HostTransaction.connection} as one transaction: all are stored, or none. If
 * it conflicts with another transaction, the body runs again, up to 30 times. It must not make requests to other servers.
 *
 * Fails with `HostTransactionError` and the reason `TimedOut` if the body exceeds `timeoutMs`. Other wrong uses are defects with
 * the same class, as is a `TypeError` for invalid options.
 *
 * @example
 * Workspace.transaction({ organizations: [organization] }, (tx) =>
 *   Effect.gen(function* () {
 *     yield* Effect.promise(() => pgClient<pg.PoolClient>(tx).query("INSERT INTO tickets (title) VALUES ('Guide')"))
 *     yield* spaces.create({ organization, input: { title: "Guide" } })
 *   })
 * ).pipe(CurrentUser.provide(user))
 */
export const hostTransaction = <A, E, R>(
  options: HostTransactionOptions,
  body: (tx: HostTransaction) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | HostTransactionError | StorageUnavailable, R | Records> =>
  Effect.gen(function* () {
    const records = yield* Records
    const { timeoutMs, limits } = readOptions(options)
    return yield* records.hostTransaction(limits, (connection) =>
      Effect.suspend(() => body({ connection })).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => connection?.close(Exit.isFailure(exit) && Exit.hasInterrupts(exit)))
        ),
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => Effect.fail(timedOut(timeoutMs))
        })
      )
    )
  })

/** Runs an effect in an open transaction. */
export type RunInTransaction<R> = <A, E>(effect: Effect.Effect<A, E, R>) => Promise<A>

/**
 * Runs a callback with promises as the body of a transaction, whose services are in the context. `run` executes operations one at a
 * time. The transaction ends only when none is running: one that was not awaited is interrupted, and fails the transaction.
 */
export const runCallback =
  <R>() =>
  <A>(callback: (run: RunInTransaction<R>) => Promise<A>): Effect.Effect<A, unknown, R> =>
    Effect.flatMap(Effect.context<R>(), (context) => {
      let isOpen = true
      const running = new Set<Promise<unknown>>()
      const stop = new AbortController()
      const turn = Semaphore.makeUnsafe(1)

      const run: RunInTransaction<R> = (effect) => {
        if (!isOpen) return Promise.reject(HostTransactionError.ended())
        const promise = Effect.runPromise(turn.withPermit(Effect.provideContext(effect, context)), {
          signal: stop.signal
        })
        running.add(promise)
        const remove = () => running.delete(promise)
        promise.then(remove, remove)
        return promise
      }

      const end = Effect.suspend(() => {
        isOpen = false
        stop.abort()
        return Effect.promise(() => Promise.allSettled(running))
      })

      return Effect.tryPromise({ try: () => callback(run), catch: (error) => error }).pipe(
        Effect.tap(() =>
          running.size === 0
            ? Effect.void
            : Effect.fail(
                new HostTransactionError(
                  "NotAwaited",
                  "The callback of the transaction ended before an operation of `tx`. Await all of them."
                )
              )
        ),
        Effect.onExit(() => end)
      )
    })
