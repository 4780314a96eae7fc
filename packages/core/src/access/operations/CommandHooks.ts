/** Hooks that run in the transaction of every command, to write audit records and outbox events. */
import { Context, Effect } from "effect"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** A command whose body has succeeded and which has not committed yet. */
export interface ExecutedCommand {
  /** The name, the parameters and the authorization rule of the command. */
  readonly definition: OperationDefinition
  /** The decoded parameters. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The value that the command returns if it commits. */
  readonly result: unknown
}

/**
 * Runs in the transaction of a command, after its body. If it fails, the command is rolled back. It runs again if the
 * transaction is retried, so it must not perform external I/O.
 */
export type CommandHook = (command: ExecutedCommand) => Effect.Effect<void, StorageUnavailable>

/** The hooks of a workspace; none by default. */
export class CommandHooks extends Context.Reference<ReadonlyArray<CommandHook>>(
  "@lectern/core/CommandHooks",
  {
    defaultValue: () => []
  }
) {
  /** Runs the body of a command, then every hook, in order. */
  static readonly around = <A, E, R>(
    definition: OperationDefinition,
    parameters: object,
    body: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageUnavailable, R> =>
    Effect.withFiber((fiber) => {
      const hooks = fiber.getRef(CommandHooks)
      if (hooks.length === 0) return body
      return Effect.tap(body, (result) =>
        Effect.forEach(
          hooks,
          (hook) => hook({ definition, parameters: parameters as ExecutedCommand["parameters"], result }),
          { discard: true }
        )
      )
    })
}
