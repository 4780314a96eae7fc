/** Hooks of the host around commands: `before` in the transaction, `after` once it has committed. */

import { type Ids, JobFailed, type JobHandler, type Jobs, type StorageUnavailable } from "@lectern/kernel"
import { Forbidden, type InvalidInput } from "@lectern/model/errors"
import { Context, Effect } from "effect"
import { CurrentUser } from "../CurrentUser.ts"

/** A command that a caller is permitted to run. */
export interface HookedCall {
  /** The name of the operation, as in `Spaces.create`. */
  readonly operation: string
  /** The id of the caller; undefined for an operation of the operator. */
  readonly user: string | undefined
  /** The decoded parameters. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A command that has committed, in the form of JSON. */
export interface ExecutedCall {
  /** Identifies the execution: the same for each delivery of it. */
  readonly id: string
  /** The name of the operation, as in `Spaces.create`. */
  readonly operation: string
  /** The id of the caller; undefined for an operation of the operator. */
  readonly user?: string
  /** The parameters that name the target: all except `input`. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The value that the command returned; absent if it returned none. */
  readonly result?: unknown
}

/**
 * Runs in the transaction of a command, after its authorization and before its body. If it fails, the command is rolled
 * back and fails with the same error. It runs again if the transaction is retried, so it must not perform external I/O.
 */
export type BeforeHook = (
  call: HookedCall
) => Effect.Effect<void, Forbidden | InvalidInput | StorageUnavailable>

/**
 * Runs in a background job that the transaction of the command enqueues: for each command that has committed, at least
 * once. It is retried with back-off if it fails, and can run twice if the process is killed while it runs.
 */
export type AfterHook = (call: ExecutedCall) => Effect.Effect<void, unknown>

/** The hooks of a workspace, by the name of the operation; none by default. They are read when the workspace is built. */
export const OperationHooks = Context.Reference<{
  readonly before?: Readonly<Record<string, BeforeHook>>
  readonly after?: Readonly<Record<string, AfterHook>>
}>("@lectern/core/OperationHooks", { defaultValue: () => ({}) })

/** Returns the error with which a `before` hook rejects a command. `message` is shown to the caller. */
export const rejectCommand = (message: string): Forbidden =>
  new Forbidden({ reason: "RejectedByHook", message })

const afterKind = (operation: string): string => `after:${operation}`

/** Returns the handlers of the jobs that run `after` hooks. */
export const afterHookJobs = (after: Readonly<Record<string, AfterHook>>): ReadonlyArray<JobHandler> =>
  Object.entries(after).map(([operation, hook]) => ({
    kind: afterKind(operation),
    run: (payload) =>
      Effect.as(
        Effect.mapError(
          hook(payload as ExecutedCall),
          (error) => new JobFailed({ message: `The hook after ${operation} failed: ${String(error)}` })
        ),
        Effect.void
      ),
    locks: () => []
  }))

const callerOf = Effect.withFiber((fiber) =>
  Effect.succeed(Context.getOrUndefined(fiber.context, CurrentUser)?.id)
)

/** Creates the functions that run the hooks of an operation; undefined for a phase without a hook. */
export const hooksOf = (
  operation: string,
  hooks: (typeof OperationHooks)["Service"],
  jobs: Jobs["Service"],
  ids: Ids["Service"]
) => {
  const before = hooks.before?.[operation]
  return {
    before:
      before === undefined
        ? undefined
        : (parameters: object) =>
            Effect.flatMap(callerOf, (user) =>
              before({ operation, user, parameters: parameters as HookedCall["parameters"] })
            ),
    after:
      hooks.after?.[operation] === undefined
        ? undefined
        : (parameters: object, result: unknown): Effect.Effect<void, StorageUnavailable> =>
            Effect.gen(function* () {
              const { input: _, ...target } = parameters as HookedCall["parameters"]
              const call = {
                id: yield* ids.next,
                operation,
                user: yield* callerOf,
                parameters: target,
                result
              }
              yield* jobs.enqueue(afterKind(operation), JSON.parse(JSON.stringify(call)))
            })
  }
}
