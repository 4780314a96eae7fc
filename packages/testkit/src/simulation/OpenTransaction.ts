/**
 * Open transactions of a store whose transactions run concurrently. A transaction is the list of its operations. When it commits, and
 * others have committed since it began, its operations are applied to their result.
 */
import { isDeepStrictEqual } from "node:util"
import type { WriteError } from "@lectern/core"
import type { State, WriteResult } from "../storage/MemoryState.ts"

/** An operation of a transaction, with its result. */
type TransactionOperation =
  | { readonly kind: "read"; readonly query: (state: State) => unknown; readonly result: unknown }
  | {
      readonly kind: "write"
      readonly change: (state: State) => WriteResult<unknown>
      readonly result: unknown
      /** Whether the transaction does not depend on the result. */
      readonly isResultUnused: boolean
    }
  | { readonly kind: "savepoint" }
  | { readonly kind: "release" }
  | { readonly kind: "rollback" }

/** How transactions that overlap are isolated. */
export type Isolation = "serializable" | "locked"

/** The committed state of a store, with the number of commits that have changed it. */
export interface CommittedState {
  readonly state: State
  readonly version: number
}

/** The result of a write: its value, or the violated constraint. */
export type Written<A> = { readonly value: A } | { readonly error: WriteError }

const sameResult = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other)

/** Applies operations to a state. Returns undefined if one has another result than before. */
const applyOperations = (
  operations: ReadonlyArray<TransactionOperation>,
  start: State,
  isRead: boolean
): State | undefined => {
  let state = start
  const savepoints: Array<State> = []
  for (const operation of operations) {
    if (operation.kind === "savepoint") savepoints.push(state)
    else if (operation.kind === "release") savepoints.pop()
    else if (operation.kind === "rollback") state = savepoints.pop()!
    else if (operation.kind === "read") {
      if (isRead && !sameResult(operation.query(state), operation.result)) return undefined
    } else {
      const written = operation.change(state)
      if (written._tag === "Rejected") return undefined
      if (!operation.isResultUnused && !sameResult(written.value, operation.result)) return undefined
      state = written.state
    }
  }
  return state
}

/**
 * An open transaction. A serializable one reads the state of its start, and conflicts at its commit if one of its reads has another
 * result then. Each statement of a locked one reads the last commit, as under `READ COMMITTED`; it conflicts only if one of its writes
 * has another result at the commit, where a database would have waited.
 */
export class OpenTransaction {
  readonly isolation: Isolation
  private readonly committed: () => CommittedState
  private readonly operations: Array<TransactionOperation> = []
  private view: CommittedState
  private hasWritten = false
  private readonly savepoints: Array<State> = []

  constructor(isolation: Isolation, committed: () => CommittedState) {
    this.isolation = isolation
    this.committed = committed
    this.view = committed()
  }

  /** The state that the next statement reads; undefined if its writes conflict with the last commit. */
  private currentState(): State | undefined {
    const committed = this.committed()
    if (this.isolation === "locked" && this.view.version !== committed.version) {
      const state = this.hasWritten
        ? applyOperations(this.operations, committed.state, false)
        : committed.state
      if (state === undefined) return undefined
      this.view = { state, version: committed.version }
    }
    return this.view.state
  }

  /** Runs a query. Returns undefined if the transaction conflicts with another. */
  read<A>(query: (state: State) => A): { readonly value: A } | undefined {
    const state = this.currentState()
    if (state === undefined) return undefined
    const value = query(state)
    if (this.isolation === "serializable") this.operations.push({ kind: "read", query, result: value })
    return { value }
  }

  /** Runs a write. Returns undefined if the transaction conflicts with another. */
  write<A>(change: (state: State) => WriteResult<A>, isResultUnused: boolean): Written<A> | undefined {
    const state = this.currentState()
    if (state === undefined) return undefined
    const written = change(state)
    if (written._tag === "Rejected") {
      // The violation can be by a row that this transaction has read in the state of its start.
      if (this.isolation === "serializable") {
        const isRejected = (current: State) => change(current)._tag === "Rejected"
        this.operations.push({ kind: "read", query: isRejected, result: true })
      }
      return { error: written.error }
    }
    this.hasWritten = true
    this.operations.push({ kind: "write", change, result: written.value, isResultUnused })
    this.view = { state: written.state, version: this.view.version }
    return { value: written.value }
  }

  /** Begins a savepoint. */
  begin(): void {
    this.savepoints.push(this.view.state)
    this.operations.push({ kind: "savepoint" })
  }

  /** Ends a savepoint, and rolls back its writes unless it succeeded. */
  end(isSuccess: boolean): void {
    const state = this.savepoints.pop()!
    this.operations.push({ kind: isSuccess ? "release" : "rollback" })
    if (isSuccess) return
    // The state of a locked transaction can have been replaced since the savepoint began.
    const committed = this.committed()
    this.view =
      this.isolation === "locked"
        ? {
            state: applyOperations(this.operations, committed.state, false) ?? state,
            version: committed.version
          }
        : { state, version: this.view.version }
  }

  /** Returns the state after the commit, or undefined if the transaction conflicts with another. */
  commit(): State | undefined {
    const committed = this.committed()
    if (!this.hasWritten && this.isolation === "locked") return committed.state
    if (this.view.version === committed.version) return this.view.state
    return applyOperations(this.operations, committed.state, this.isolation === "serializable")
  }
}
