/** The connections of a pool: who may use them, and which of them are replaced because they stopped responding. */
import type { PgConnection, PgPool } from "@effect/sql-pg"
import type { StoreStatistics } from "@lectern/kernel"
import { Effect, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { Admission, type AdmissionOptions, type Use } from "./Admission.ts"
import { codeOf } from "./classify.ts"
import { noFreeConnection } from "./limits.ts"

/** How long to wait before another attempt to connect, after the server rejected a connection, in milliseconds. */
const rejectedRetryMs = 100

/** How long after a connection went silent failed attempts to connect are repeated, in milliseconds. */
const recentMs = 30_000

/** How long after connections to a standby were replaced they are replaced again, in milliseconds. */
const leaveIntervalMs = 1_000

/** The SQLSTATE of a connection that the server rejects because it has too many, in all or of a role. */
const tooManyConnections = "53300"

/** Leases something until the scope closes. */
export type Lease<A> = Effect.Effect<A, SqlError.SqlError, Scope.Scope>

/** The connections, and which of them have responded recently. */
export class Connections {
  readonly #pool: PgPool.PgPool
  readonly #admission: Admission
  readonly #acquireMs: number
  readonly #maxConnections: number
  /** The time of the last response on each connection. */
  readonly #respondedAt = new WeakMap<PgConnection.PgConnection, number>()
  /** Connections without a response since this time are replaced, because another one stopped responding. */
  #distrustedBefore = Number.NEGATIVE_INFINITY
  /** When connections were last replaced because their server accepts no writes. */
  #leftAt = Number.NEGATIVE_INFINITY
  /** How many connections without any response are replaced: the pool may have opened them before one went silent. */
  #unusedToReplace = 0

  constructor(pool: PgPool.PgPool, options: AdmissionOptions) {
    this.#pool = pool
    this.#admission = new Admission(options)
    this.#acquireMs = options.acquireMs
    this.#maxConnections = options.maxConnections
  }

  /** The state of the pool, for metrics. */
  readonly statistics = (): StoreStatistics => ({
    pool: {
      maximum: this.#maxConnections,
      inUse: this.#admission.inUseCount,
      waiting: this.#admission.waitingCount
    }
  })

  /** Records a response on a connection. */
  readonly responded = (connection: PgConnection.PgConnection): void => {
    this.#respondedAt.set(connection, performance.now())
  }

  /** Removes a connection whose statement its caller no longer waits for. */
  readonly abandon = (connection: PgConnection.PgConnection): void => {
    this.#respondedAt.set(connection, 0)
  }

  /** Removes a connection that did not respond, and distrusts the connections that have not responded since. */
  readonly distrust = (connection: PgConnection.PgConnection): void => {
    this.#respondedAt.set(connection, 0)
    this.#distrustedBefore = performance.now()
    this.#unusedToReplace = this.#maxConnections
  }

  /**
   * Replaces the connections that were opened before now, because their server accepts no writes: it became a standby. At most
   * once a second, so that a database that is read-only for longer does not receive a connection for each write. Returns
   * whether they are replaced.
   */
  readonly leave = (connection: PgConnection.PgConnection): boolean => {
    if (performance.now() - this.#leftAt < leaveIntervalMs) return false
    this.#leftAt = performance.now()
    this.distrust(connection)
    return true
  }

  /** Leases a connection to one caller until the scope closes. */
  readonly lease = (use: Use): Lease<PgConnection.PgConnection> =>
    Effect.suspend(() => {
      const deadline = performance.now() + this.#acquireMs
      const attempt: Lease<PgConnection.PgConnection> = Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(this.#admission.acquire(use)), () => {
          let isRejected = false
          return Effect.andThen(
            Effect.addFinalizer(() => Effect.sync(() => !isRejected && this.#admission.release(use))),
            Effect.catch(restore(this.#connect), (error) => {
              if (codeOf(error) !== tooManyConnections) return Effect.fail(error)
              isRejected = true
              this.#admission.releaseRejected(use)
              if (performance.now() + rejectedRetryMs > deadline) {
                return Effect.fail(
                  noFreeConnection(
                    `The server accepted no further connection within ${this.#acquireMs} ms, because of its limit.`
                  )
                )
              }
              return Effect.andThen(restore(Effect.sleep(rejectedRetryMs)), attempt)
            })
          )
        })
      )
      return attempt
    })

  /** Gets a connection, again if an attempt to connect failed that can have begun while the network was interrupted. */
  readonly #get: Lease<PgConnection.PgConnection> = Effect.suspend(() =>
    Effect.catch(this.#pool.get, (error) =>
      codeOf(error) === undefined && performance.now() - this.#distrustedBefore < recentMs
        ? this.#pool.get
        : Effect.fail(error)
    )
  )

  readonly #connect: Lease<PgConnection.PgConnection> = Effect.suspend(() =>
    Effect.flatMap(this.#get, (connection) => {
      const respondedAt = this.#respondedAt.get(connection)
      const isReplaced =
        respondedAt === undefined ? this.#unusedToReplace-- > 0 : respondedAt <= this.#distrustedBefore
      if (isReplaced) {
        return Effect.andThen(this.#pool.invalidate(connection), this.#connect)
      }
      if (respondedAt === undefined) this.responded(connection)
      // Its transaction can still be open, if only a statement was canceled.
      const closeIfBroken = Effect.suspend(() =>
        this.#respondedAt.get(connection) === 0 ? this.#pool.invalidate(connection) : Effect.void
      )
      return Effect.as(
        Effect.addFinalizer(() => closeIfBroken),
        connection
      )
    })
  )
}
