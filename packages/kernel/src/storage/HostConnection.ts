/** Transactions over the rows of a host and of the workspace: the connection, and the errors of wrong uses. */
import { Context, type Effect } from "effect"
import type { StorageConflict, StorageUnavailable } from "./StorageError.ts"

/** Whether the fiber runs the body of a transaction of a host. */
export const IsInHostTransaction = Context.Reference<boolean>("@lectern/core/storage/IsInHostTransaction", {
  defaultValue: () => false
})

/** The connection of an open transaction, on which a host executes statements of its own. */
export interface HostConnection {
  /** The kind of the database, which determines the type of `connection`. */
  readonly store: "postgresql" | "sqlite"
  /** The connection of the driver. It rejects statements after `close`, and statements that end the transaction. */
  readonly connection: unknown
  /**
   * Rejects further statements of the host. If `isAbandoned`, a statement can still be running: the connection is then closed
   * after the transaction, not used again.
   */
  readonly close: (isAbandoned: boolean) => void
  /** Whether an error that a statement of the host failed with means that the transaction must be retried. */
  readonly isConflict: (error: unknown) => boolean
}

/** A transaction that a host has begun, which commands of the workspace can join. `pgTransaction` of `@lectern/storage-pg` returns one. */
export interface JoinableTransaction {
  /** The kind of the database, which determines the type of `connection`. */
  readonly store: "postgresql"
  /** The connection of the driver on which the transaction is open. */
  readonly connection: unknown
}

/** A transaction of the host that a store has joined. */
export interface JoinedConnection {
  /**
   * Runs an effect as a savepoint of the transaction, after the effects before it. Its statements have the limits of the store,
   * and the limits of the host are restored. If it fails, its writes are rolled back, and its locks are released.
   *
   * Dies with `HostTransactionError` if the transaction has ended.
   */
  readonly savepoint: <A, E, R>(
    self: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageUnavailable | StorageConflict, R>
}

/**
 * A transaction of a host is used in a way that cannot be atomic or isolated. The command that fails with it
 * stores nothing.
 *
 * - `OrganizationNotNamed`: a command acts on an organization that the transaction does not name.
 * - `RequiresSerializable`: no lock of an organization covers the command, which requires `isolation: "serializable"`.
 * - `RequiresOutbound`: the command makes requests to other servers.
 * - `Ended`: `tx` or its connection is used after the transaction has ended.
 * - `NotAwaited`: an operation of `tx` was not awaited; the transaction is rolled back.
 * - `TimedOut`: the callback exceeded the time limit; the transaction is rolled back.
 * - `ControlsTransaction`: a statement of the host would begin or end a transaction or a savepoint.
 * - `NoConnection`: the store has no connection that a host can share.
 * - `Nested`: a transaction is open already.
 * - `NotJoinable`: the transaction of the host that commands would join does not exist, has failed, is read-only, or is not
 *   `READ COMMITTED`.
 */
export class HostTransactionError extends Error {
  override readonly name = "HostTransactionError"
  /** The kind of the wrong use, as listed above. */
  readonly reason:
    | "OrganizationNotNamed"
    | "RequiresSerializable"
    | "RequiresOutbound"
    | "Ended"
    | "NotAwaited"
    | "TimedOut"
    | "ControlsTransaction"
    | "NoConnection"
    | "Nested"
    | "NotJoinable"

  constructor(reason: HostTransactionError["reason"], message: string) {
    super(message)
    this.reason = reason
  }

  /** The error of a command that no lock of an organization covers. */
  static readonly requiresSerializable = (): HostTransactionError =>
    new HostTransactionError(
      "RequiresSerializable",
      'The command changes more than the organizations of the transaction. Run the transaction with `isolation: "serializable"`, ' +
        "for which the transactions of all organizations wait, or run the command outside of it."
    )

  /** The error of a command in a transaction that the host has begun, if no lock covers the command. */
  static readonly requiresOwnTransaction = (): HostTransactionError =>
    new HostTransactionError(
      "RequiresSerializable",
      "The command requires a serializable transaction, which only the workspace can begin. Run it in `workspace.transaction` with " +
        '`isolation: "serializable"`, or outside of the transaction.'
    )

  /** The error of a store whose transactions a host cannot begin. */
  static readonly noPool = (): HostTransactionError =>
    new HostTransactionError(
      "NoConnection",
      "A transaction can be joined only if the workspace uses a pool of the host. Open it with `postgres({ pool })`."
    )

  /** The error of a command on an organization without a lock. */
  static readonly organizationNotNamed = (name: string): HostTransactionError =>
    new HostTransactionError(
      "OrganizationNotNamed",
      `The command acts on ${name}, which the transaction does not name. Add it to \`organizations\`.`
    )

  /** The error of a transaction within another one. */
  static readonly nested = (): HostTransactionError =>
    new HostTransactionError("Nested", "The fiber has a transaction open already.")

  /** The error of a use after the end. */
  static readonly ended = (): HostTransactionError =>
    new HostTransactionError("Ended", "The transaction has ended; use the workspace instead of `tx`.")
}
