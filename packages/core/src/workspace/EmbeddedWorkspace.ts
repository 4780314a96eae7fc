/** The interface of a workspace in an application without Effect. */

import type { Origin } from "@lectern/access"
import type { AnyFeature, BackgroundWork, JoinableTransaction, ProvidedBy } from "@lectern/kernel"
import type { ManagedRuntime, Stream } from "effect"
import type { Administration } from "../features/organizations/Administration.ts"
import type { ApiTokens } from "../features/tokens/ApiTokens.ts"
import type {
  EventStreamError,
  SubscribeOptions,
  WorkspaceEvent,
  WorkspaceEventOf,
  WorkspaceEventType
} from "./eventTypes.ts"
import type { HostTransaction, HostTransactionOptions } from "./hostTransaction.ts"
import type { Promised } from "./promised.ts"
import type { UserServicesWith } from "./userServices.ts"
import type * as Workspace from "./Workspace.ts"

/** Transactions on behalf of one user. */
interface Transactions<UserServices> {
  /**
   * Runs several operations as one transaction: all of them are stored, or none. If `body` rejects, the transaction is
   * rolled back and the promise rejects with the same error. A transaction that conflicts with another is retried, so
   * `body` may run several times and must not have side effects other than the operations of `tx`. Await these one by one.
   * `tx` cannot be used after `body` has ended.
   *
   * @example
   * await workspace.as(user).transaction(async (tx) => {
   *   const shelf = await tx.collections.create({ organization, input: { title: "Guides" } })
   *   await tx.spaces.create({ organization, input: { title: "Start here", parent: shelf.id } })
   * })
   */
  readonly transaction: <A>(body: (tx: UserServices) => Promise<A>) => Promise<A>
}

/** The services of a workspace on behalf of one user, including the services of the host's features. */
export type WorkspaceOf<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []> =
  UserServicesWith<HostFeatures> & Transactions<UserServicesWith<HostFeatures>>

/** A transaction over the rows of the host and of the workspace. */
export interface TransactionOf<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []>
  extends HostTransaction {
  /** Returns the services on behalf of a user, in the transaction. */
  readonly as: (user: string, origin?: Origin) => UserServicesWith<HostFeatures>
  /** The operations without a caller, in the transaction. */
  readonly administration: Promised<Administration["Service"]>
}

/** A transaction that the host has begun, and that operations of the workspace have joined. */
export interface JoinedTransactionOf<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []> {
  /** Returns the services on behalf of a user, in the transaction. */
  readonly as: (user: string, origin?: Origin) => UserServicesWith<HostFeatures>
  /** The operations without a caller, in the transaction. */
  readonly administration: Promised<Administration["Service"]>
  /**
   * Announces that the host has committed: events are delivered and jobs start immediately, instead of at the next poll. Operations
   * reject afterwards. After a rollback, nothing must be announced.
   */
  readonly committed: () => Promise<void>
}

/** A workspace in a host application. */
export interface EmbeddedWorkspace<HostFeatures extends ReadonlyArray<AnyFeature> = readonly []> {
  /**
   * Returns the services on behalf of the user with this id, whom the host has authenticated. Audit records contain the
   * origin of the calls: the address of the client, and the context that the host adds.
   */
  readonly as: (user: string, origin?: Origin) => WorkspaceOf<HostFeatures>
  /** Operations without a caller, for the host itself: users, organizations and memberships. */
  readonly administration: Promised<Administration["Service"]>
  /**
   * Runs operations of the workspace and statements of the host on the same connection as one transaction: all are stored, or
   * none. `pgClient(tx)` of `@lectern/storage-pg` and `sqliteDatabase(tx)` of `@lectern/storage-sqlite` return the connection.
   *
   * If `body` rejects or exceeds its time limit, the transaction is rolled back. If it conflicts with another transaction, it is
   * rolled back and `body` runs again, up to 30 times, so it must not have other effects, such as requests to other servers. It
   * must await every operation and statement before the next one. Each operation is a savepoint: one that fails leaves
   * nothing, and `body` can handle its error.
   *
   * Rejects with `HostTransactionError` if it is used wrongly, and with a `TypeError` if an option is not valid.
   *
   * @example
   * await workspace.transaction({ organizations: [organization] }, async (tx) => {
   *   await pgClient<pg.PoolClient>(tx).query("INSERT INTO tickets (title) VALUES ('Guide')")
   *   await tx.as(user).spaces.create({ organization, input: { title: "Guide" } })
   * })
   */
  readonly transaction: <A>(
    options: HostTransactionOptions,
    body: (tx: TransactionOf<HostFeatures>) => Promise<A>
  ) => Promise<A>
  /**
   * Joins a transaction that the host has begun in the database of the workspace, on PostgreSQL: the host commits or rolls back.
   * Each operation is a savepoint: one that fails leaves nothing. It acquires its locks when it starts, and they are held until the
   * transaction ends. Await each operation before the next statement on the client.
   *
   * An operation that conflicts with another transaction is not retried: it rejects with `StorageUnavailable` and the reason
   * `Contention`. Rejects with `HostTransactionError` and the reason `NotJoinable` if no transaction is open, or if it has failed, is
   * read-only, or is not `READ COMMITTED`.
   *
   * @example
   * await client.query("BEGIN")
   * const tx = await workspace.joinTransaction(pgTransaction(client))
   * await tx.as(user).spaces.create({ organization, input: { title: "Guide" } })
   * await client.query("COMMIT")
   * await tx.committed()
   */
  readonly joinTransaction: (transaction: JoinableTransaction) => Promise<JoinedTransactionOf<HostFeatures>>
  /** API tokens, for HTTP clients. */
  readonly tokens: Promised<ApiTokens["Service"]>
  /** The runtime of the workspace, for programs in Effect and for the functions of `@lectern/http`. */
  readonly runtime: ManagedRuntime.ManagedRuntime<
    Workspace.Services | ProvidedBy<HostFeatures[number]>,
    unknown
  >
  /** Streams events, for programs in Effect. See {@link EmbeddedWorkspace.on}. */
  readonly events: (
    options?: Omit<SubscribeOptions, "onError">
  ) => Stream.Stream<
    WorkspaceEvent<HostFeatures>,
    EventStreamError,
    Workspace.Services | ProvidedBy<HostFeatures[number]>
  >
  /**
   * Calls `handle` for each event of a type, or of every type with `*`, one at a time and in the order of commits. An event is
   * delivered only after its transaction has committed, and at least once: a subscription that continues after a cursor that
   * was stored before the last event was processed receives that event again, with the same `id`. Returns a function that ends
   * the subscription. If `handle` rejects, the subscription ends, so that no event is skipped.
   *
   * @example
   * const unsubscribe = workspace.on("space.created", async ({ data }) => console.log(data.title))
   */
  readonly on: <const Type extends WorkspaceEventType<HostFeatures> | "*">(
    type: Type,
    handle: (
      event: Type extends "*" ? WorkspaceEvent<HostFeatures> : WorkspaceEventOf<Type, HostFeatures>
    ) => Promise<void> | void,
    options?: SubscribeOptions
  ) => () => Promise<void>
  /** Background jobs. `run` resolves when the workspace is disposed of. */
  readonly work: Promised<BackgroundWork["Service"]>
  /** Stops background work and closes the store. Operations fail afterwards. */
  readonly dispose: () => Promise<void>
}
