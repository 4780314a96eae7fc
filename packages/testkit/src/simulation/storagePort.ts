/** The simulated store as a simulation uses it: its clients, steps and commits. */
import type { RecordsAdapter } from "@lectern/core"
import { Context, type Effect } from "effect"
import type { Step, StepError } from "../faults/Fault.ts"
import type { State } from "../storage/MemoryState.ts"

/** A step of a call, without its number. */
export type StorageStep = Omit<Step, "number">

/** Runs before each step, and fails the call if it fails. */
export type OnStep = (step: StorageStep) => Effect.Effect<void, StepError>

/** A client of the store, such as a process. */
export interface StorageClient {
  /** The store, as this client reaches it. */
  readonly adapter: RecordsAdapter["Service"]
  /** Closes the connections of the client: its open transactions are rolled back, and can never commit. */
  readonly disconnect: () => void
}

/** Options of {@link SimulatedStorage.connect}. */
export interface ClientOptions {
  /** Runs before each step: lets other fibers run by default. */
  readonly onStep?: OnStep
  /** Whether `RecordsAdapter.version` exists. True by default. */
  readonly hasVersion?: boolean
  /** Delivers a signal to this client, by calling `deliver` at any later time, or never. Immediately by default. */
  readonly onSignal?: (deliver: () => void) => void
}

/** A commit of a transaction. */
export interface StorageCommit {
  /** The number of the commit, counted from 1. */
  readonly version: number
}

/** A commit that has changed the state. */
export interface StateChange extends StorageCommit {
  /** The state before the commit. */
  readonly before: State
  /** The state after the commit. */
  readonly after: State
}

/** The store. */
export interface SimulatedStorage {
  /** Whether a client can connect now, without waiting for a transaction. */
  readonly canConnect: () => boolean
  /** Connects a client. */
  readonly connect: (options?: ClientOptions) => StorageClient
  /** The number of commits. */
  readonly version: () => number
  /** The committed state. */
  readonly state: () => State
  /** Closes the store, after its clients. */
  readonly close: () => void
}

/** Observes the transactions of a fiber. */
export interface TransactionObserver {
  /** An attempt of an outermost transaction begins. */
  readonly onBegin: () => void
  /** The attempt writes a table. */
  readonly onWrite: (table: string) => void
  /** The attempt has committed. `commit` is undefined if it has not changed the state. */
  readonly onCommit: (commit: StorageCommit | undefined) => void
  /** The attempt was rolled back. */
  readonly onRollback: () => void
}

/** The observer of the transactions of a fiber. */
export const CurrentObserver = Context.Reference<TransactionObserver | undefined>(
  "@lectern/testkit/simulation/CurrentObserver",
  { defaultValue: () => undefined }
)

/** A store whose state can be restored. */
export interface RestorableStorage extends SimulatedStorage {
  /** Saves the committed state. Returns a function that restores it, while no transaction is open. */
  readonly save: () => () => void
}
