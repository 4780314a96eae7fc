/** Transactions over the rows of a host and of the workspace: the connection, and the errors of wrong uses. */
import { Context } from "effect"

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

  /** The error of a command on an organization without a lock. */
  static readonly organizationNotNamed = (name: string): HostTransactionError =>
    new HostTransactionError(
      "OrganizationNotNamed",
      `The command acts on ${name}, which the transaction does not name. Add it to \`organizations\`.`
    )

  /** The error of a use after the end. */
  static readonly ended = (): HostTransactionError =>
    new HostTransactionError("Ended", "The transaction has ended; use the workspace instead of `tx`.")
}
