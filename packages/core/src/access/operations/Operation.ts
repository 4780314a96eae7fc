/**
 * The types of operations: everything that a caller can do is a `Query` or a `Command` of a service.
 *
 * An operation takes one object of named parameters. `input` is what an HTTP client sends as the body or the query;
 * every other parameter is an id that names what the operation is about.
 */
import type { Brand, Effect, Redacted } from "effect"
import type { Forbidden, InvalidInput, NotFound } from "../../kernel/errors.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import type { CurrentUser } from "../CurrentUser.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** A value as a host writes it: ids and other branded values are plain strings and numbers. */
export type Plain<T> = T extends Uint8Array | Redacted.Redacted<unknown>
  ? T
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
   * field, unless the caller may not know of what the ids name: that error comes first.
   */
  (parameters: Plain<Parameters>): Effect.Effect<A, E | InvalidInput, R>
  /** Runs with parameters that their schemas have decoded already, such as those of an HTTP request. */
  readonly decoded: (parameters: Parameters) => Effect.Effect<A, E, R>
  /**
   * Authorizes the caller for what the ids name, and does nothing else. It succeeds when only the state of the target
   * does not allow the operation: `Conflict` and `Gone` come after `InvalidInput`.
   */
  readonly authorize: (parameters: Omit<Parameters, "input">) => Effect.Effect<void, E, R>
  readonly definition: OperationDefinition
}

/** Errors that authorization adds to those of an operation itself. */
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
 * A transaction that conflicts with another is retried. Its body may therefore run several times: it performs no
 * external I/O, and ids that it makes exist only when it commits. What must happen exactly once runs after the commit.
 */
export type Command<Parameters extends object, A, E = never> = Query<Parameters, A, E>

/** A query or command that acts for the operator of the workspace, on behalf of no user. */
export type OperatorOperation<Parameters extends object, A, E = never> = Operation<
  Parameters,
  A,
  E | InvalidInput | StorageUnavailable,
  never
>
