/**
 * The types of operations: everything that a caller can do is a `Query` or a `Command` of a service.
 *
 * An operation takes one object of named parameters. `input` is the body or the query of an HTTP request; every other
 * parameter is an id, and the ids together name the target of the operation.
 */

import type { StorageUnavailable } from "@lectern/kernel"
import type { Forbidden, InvalidInput, NotFound } from "@lectern/model/errors"
import type { Brand, Effect, Redacted } from "effect"
import type { CurrentUser } from "../CurrentUser.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** A value as a host writes it: ids and other branded values are plain strings and numbers, and secrets may be strings. */
export type Plain<T> = T extends Uint8Array
  ? T
  : T extends Redacted.Redacted<infer Value>
    ? T | Value
    : T extends Brand.Brand<string>
      ? T extends string
        ? string
        : number
      : T extends ReadonlyArray<infer Item>
        ? ReadonlyArray<Plain<Item>>
        : T extends object
          ? { readonly [K in keyof T]: Plain<T[K]> }
          : T

/** An operation of a service. */
export interface Operation<Parameters extends object, A, E, R> {
  /**
   * Decodes the parameters, authorizes the caller, and runs. Fails with `InvalidInput`, which names every invalid
   * field. The errors of authorization take precedence, so that an invalid input does not reveal that the target
   * exists.
   */
  (parameters: Plain<Parameters>): Effect.Effect<A, E | InvalidInput, R>
  /** Runs with parameters that are decoded already, as after the decoding of an HTTP request. */
  readonly decoded: (parameters: Parameters) => Effect.Effect<A, E, R>
  /**
   * Authorizes the caller for the target, without running the operation. It succeeds for a target whose
   * state does not allow the operation, because `InvalidInput` takes precedence over `Conflict` and `Gone`.
   */
  readonly authorize: (parameters: Omit<Parameters, "input">) => Effect.Effect<void, E, R>
  /**
   * Authorizes a repetition of a call: requires the scopes of the caller's token, and then runs a check of the access that
   * the call required. A denial is recorded in the audit log.
   */
  readonly authorizeAgain: (
    parameters: Omit<Parameters, "input">,
    check: Effect.Effect<void, AccessError | StorageUnavailable, CurrentUser>
  ) => Effect.Effect<void, E | AccessError | StorageUnavailable, R | CurrentUser>
  /** The definition as data. */
  readonly definition: OperationDefinition
}

/** The errors of authorization, which every operation on a target can fail with. */
export type AccessError = NotFound | Forbidden

/** An operation that reads, on behalf of the `CurrentUser`. */
export type Query<Parameters extends object, A, E = never> = Operation<
  Parameters,
  A,
  E | InvalidInput | StorageUnavailable,
  CurrentUser
>

/**
 * An operation that writes, on behalf of the `CurrentUser`, in one transaction: all of it is stored, or nothing.
 *
 * A transaction that conflicts with another is retried, so its body can run several times: it must not perform external
 * I/O, and the ids that it generates exist only if it commits. External effects belong in a job that it enqueues.
 */
export type Command<Parameters extends object, A, E = never> = Query<Parameters, A, E>

/** A query or command that acts for the operator of the workspace, on behalf of no user. */
export type OperatorOperation<Parameters extends object, A, E = never> = Operation<
  Parameters,
  A,
  E | InvalidInput | StorageUnavailable,
  never
>
