/** A condition of one request on the transaction of its command: a precondition, or an idempotency key. */
import { Context, Effect } from "effect"

/**
 * Wraps the transaction of a command: it runs in the transaction, around the authorization, the body and the hooks. If
 * it fails, the command is rolled back. It can also return the result of an earlier execution without running the
 * command. It runs again if the transaction is retried, so it must not perform external I/O.
 *
 * The command can also fail with the errors of the guard. The code that provides a guard handles them.
 */
export type CommandGuardFunction = <A, E, R>(command: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The guard of the next command that a fiber runs; none by default. It does not apply to commands within the command. */
export class CommandGuard extends Context.Reference<CommandGuardFunction | undefined>(
  "@lectern/core/CommandGuard",
  { defaultValue: () => undefined }
) {
  /** Runs the transaction of a command in the guard of the fiber. */
  static readonly around = <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const guard = fiber.getRef(CommandGuard)
      return guard === undefined ? command : guard(Effect.provideService(command, CommandGuard, undefined))
    })
}
