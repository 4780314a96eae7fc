/**
 * Admits callers to the connections of a pool, in the order in which they arrive.
 *
 * Statements that wait for the same lock must not occupy every connection. So transactions occupy at most 60 % of the
 * connections, reads of the same table together at most the rest but one, and at least one connection remains for reads
 * of other tables. A pool of one or two connections is too small for that.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { noFreeConnection } from "./limits.ts"

/** The use of a connection: a transaction, or a statement outside of transactions that reads this table. */
export type Use = { readonly kind: "transaction" } | { readonly kind: "read"; readonly table: string }

/** The sizes of a pool. */
export interface AdmissionOptions {
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** The maximum number of callers that wait for a connection. More fail immediately. */
  readonly maxWaiting: number
  /** The maximum wait for a connection, in milliseconds. */
  readonly acquireMs: number
}

interface Waiter {
  readonly use: Use
  readonly admit: () => void
}

/** How long the number of connections stays reduced after the server rejected another one, in milliseconds. */
const reductionMs = 1_000

/** Counts the connections in use, and queues callers for them. */
export class Admission {
  readonly #options: AdmissionOptions
  readonly #maxTransactions: number
  readonly #maxReadsPerTable: number
  readonly #readsByTable = new Map<string, number>()
  readonly #waiting = new Set<Waiter>()
  #transactions = 0
  #inUse = 0
  #limit: number

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#limit = options.maxConnections
    this.#maxTransactions = Math.max(1, Math.floor(options.maxConnections * 0.6))
    this.#maxReadsPerTable = Math.max(1, options.maxConnections - this.#maxTransactions - 1)
  }

  /** The number of callers that wait. */
  get waitingCount(): number {
    return this.#waiting.size
  }

  /** The number of connections in use. */
  get inUseCount(): number {
    return this.#inUse
  }

  /**
   * Waits until the caller may use a connection, for at most `acquireMs`. `release` must be called afterwards, if it
   * succeeds.
   */
  acquire(use: Use): Effect.Effect<void, SqlError.SqlError> {
    return Effect.callback((resume) => {
      // No one who waits could be admitted instead: every release admits all who can be.
      if (this.#isAdmissible(use)) {
        this.#count(use, 1)
        return resume(Effect.void)
      }
      const { acquireMs, maxWaiting } = this.#options
      if (this.#waiting.size >= maxWaiting) {
        return resume(
          Effect.fail(
            noFreeConnection(`${maxWaiting} callers wait for a connection already, which is the maximum.`)
          )
        )
      }
      const stopWaiting = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter = {
        use,
        admit: () => {
          stopWaiting()
          resume(Effect.void)
        }
      }
      const timer = setTimeout(() => {
        stopWaiting()
        resume(Effect.fail(noFreeConnection(`No connection became free within ${acquireMs} ms.`)))
      }, acquireMs)
      this.#waiting.add(waiter)
      return Effect.sync(stopWaiting)
    })
  }

  /** Ends the use of a connection, and admits the callers that may use it. */
  release(use: Use): void {
    this.#count(use, -1)
    this.#admitWaiting()
  }

  /**
   * Ends the use of a connection that the server rejected because of its limit. Until a second has passed, callers share
   * the connections that exist.
   */
  releaseRejected(use: Use): void {
    this.#count(use, -1)
    this.#limit = Math.max(1, this.#inUse)
    const timer = setTimeout(() => {
      this.#limit = this.#options.maxConnections
      this.#admitWaiting()
    }, reductionMs)
    timer.unref()
  }

  #admitWaiting(): void {
    if (this.#inUse >= this.#limit) return
    for (const waiter of this.#waiting) {
      if (!this.#isAdmissible(waiter.use)) continue
      this.#count(waiter.use, 1)
      waiter.admit()
      if (this.#inUse >= this.#limit) return
    }
  }

  #isAdmissible(use: Use): boolean {
    if (this.#inUse >= this.#limit) return false
    return use.kind === "transaction"
      ? this.#transactions < this.#maxTransactions
      : (this.#readsByTable.get(use.table) ?? 0) < this.#maxReadsPerTable
  }

  #count(use: Use, change: 1 | -1): void {
    this.#inUse += change
    if (use.kind === "transaction") {
      this.#transactions += change
      return
    }
    const count = (this.#readsByTable.get(use.table) ?? 0) + change
    if (count === 0) this.#readsByTable.delete(use.table)
    else this.#readsByTable.set(use.table, count)
  }
}
