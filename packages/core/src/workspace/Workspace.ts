/** The workspace: the services of its features, composed over any store. */

import { type Authenticator, afterHookJobs, OperationHooks, Operations } from "@lectern/access"
import {
  type AnyFeature,
  BackgroundWork,
  type EventLog,
  housekeepingJob,
  type InOrder,
  type Jobs,
  type ProvidedBy,
  RecordedResources,
  type Records,
  RecordsAdapter,
  type StorageUnavailable,
  type TableMismatch,
  TransactionEvents
} from "@lectern/kernel"
import { Effect, Layer } from "effect"
import type { WorkspaceAuditLog } from "../features/audit/AuditLog.ts"
import type { TokenAddresses } from "../features/audit/TokenAddresses.ts"
import type { IdempotencyKeys } from "../features/idempotency/IdempotencyKeys.ts"
import type { Unsubscriptions } from "../features/notifications/Unsubscriptions.ts"
import type { OidcLogins } from "../features/oidc/OidcLogins.ts"
import type { Administration } from "../features/organizations/Administration.ts"
import type { PasskeySignIns } from "../features/passkeys/PasskeySignIns.ts"
import type { ProgramGrants } from "../features/programs/ProgramGrants.ts"
import type { SamlLogins } from "../features/saml/SamlLogins.ts"
import type { SearchIndex } from "../features/search/SearchIndex.ts"
import type { SiteSearch } from "../features/search/SiteSearch.ts"
import type { SignIns } from "../features/sessions/SignIns.ts"
import { sessionAuthenticator } from "../features/sessions/sessionAuthenticator.ts"
import type { ApiTokens } from "../features/tokens/ApiTokens.ts"
import type { Accounts } from "../features/users/Accounts.ts"
import { Doctor } from "./Doctor.ts"
import { scansOf } from "./doctorScans.ts"
import { features, requireDistinctNames } from "./features.ts"
import { type FoundationServices, foundations } from "./foundations.ts"
import { OrganizationPurge } from "./OrganizationPurge.ts"
import { Secrets } from "./Secrets.ts"
import { orderByReferences, tablesOf } from "./tables.ts"
import type { UserServices } from "./userServices.ts"

/** The services that act for the `CurrentUser`. */
export type WorkspaceServices = UserServices

/** The other services for hosts and operators, which act for no user. */
export type OperatorServices =
  | Accounts
  | Administration
  | ApiTokens
  | SamlLogins
  | SignIns
  | OidcLogins
  | PasskeySignIns
  | ProgramGrants
  | Unsubscriptions
  | BackgroundWork
  | Jobs
  | SearchIndex
  | SiteSearch
  | IdempotencyKeys
  | Doctor
  | Operations
  | EventLog
  | Records
  | OrganizationPurge
  | Secrets
  | WorkspaceAuditLog
  | TokenAddresses

/** Registers the transaction event handlers of features. */
const subscriptionsOf = (features: ReadonlyArray<AnyFeature>): Effect.Effect<void, never, unknown> =>
  Effect.gen(function* () {
    const events = yield* TransactionEvents
    for (const { subscriptions } of features) {
      for (const subscribe of yield* subscriptions) yield* subscribe(events)
    }
  })

/** Provides each feature with the services of the features before it, and adds the doctor and the worker of all features. */
const compose = (
  features: ReadonlyArray<AnyFeature>,
  base: Layer.Layer<never, unknown, unknown>
): Layer.Layer<never, unknown, unknown> => {
  const jobs = Effect.gen(function* () {
    const handlers = (yield* Effect.all(features.map((feature) => feature.jobs))).flat()
    const { before = {}, after = {} } = yield* OperationHooks
    const { definitions } = yield* Operations
    const commands = new Set(definitions.flatMap(({ kind, name }) => (kind === "command" ? [name] : [])))
    const unknown = [...Object.keys(before), ...Object.keys(after)].find((name) => !commands.has(name))
    if (unknown !== undefined) {
      return yield* Effect.die(new TypeError(`There is no command with the name "${unknown}" to hook.`))
    }
    const { purge } = yield* OrganizationPurge
    return [...handlers, ...afterHookJobs(after), housekeepingJob("organizations.purge", "1 hour", purge)]
  })
  const workers = Effect.map(Effect.all(features.map((feature) => feature.workers)), (all) => all.flat())
  return Layer.mergeAll(
    sessionAuthenticator,
    Secrets.layer,
    Doctor.layerOf(scansOf(features)),
    BackgroundWork.layerOf(jobs, workers),
    Layer.effectDiscard(subscriptionsOf(features))
  ).pipe(
    Layer.provideMerge(OrganizationPurge.layerOf(tablesOf(features))),
    Layer.provideMerge(
      features.reduce((before, feature) => feature.layer.pipe(Layer.provideMerge(before)), base)
    ),
    Layer.provide(
      Layer.succeed(
        RecordedResources,
        features.flatMap(({ events }) => events)
      )
    )
  )
}

/** The services of a workspace. */
export type Services = WorkspaceServices | OperatorServices | Authenticator

/**
 * Provides the services of a workspace on a store. Requests are authenticated by Lectern's own API tokens and sessions; to use another
 * authentication, provide another `Authenticator` after this layer.
 */
export const layer: Layer.Layer<Services, never, RecordsAdapter> =
  // The types of `compose` are erased. `features` was checked to be in order, so every required service is provided.
  compose(features, foundations) as Layer.Layer<Services, never, RecordsAdapter>

/**
 * The services that a host's features may require, in addition to the services of the host's features before them.
 * `Access` and the services below the features are among them.
 */
export type ProvidedToHosts = FoundationServices | WorkspaceServices | OperatorServices

/**
 * Provides the services of a workspace with additional features of the host. Their tables are created if they do not
 * exist; their checks, jobs and subscriptions run with the others. A feature that requires services of a later one
 * does not compile. Throws a `TypeError` if two features share a name, or the name of a table or of a service.
 *
 * The layer fails with `TableMismatch` if a table of the host's features exists and differs from its declaration: Lectern
 * creates these tables, and never changes them.
 *
 * @example
 * const Live = Workspace.layerWith([bookmarksFeature]).pipe(Layer.provide(SqliteStorage.layer("docs.db")))
 */
export const layerWith = <const HostFeatures extends ReadonlyArray<AnyFeature>>(
  hostFeatures: HostFeatures & InOrder<HostFeatures, ProvidedToHosts>
): Layer.Layer<
  Services | ProvidedBy<HostFeatures[number]>,
  StorageUnavailable | TableMismatch,
  RecordsAdapter
> => {
  const all = [...features, ...hostFeatures]
  requireDistinctNames(all)
  const hostTables = orderByReferences(hostFeatures.flatMap((feature) => feature.tables))
  const tablesCreated = Layer.effectDiscard(
    Effect.flatMap(RecordsAdapter, (adapter) => adapter.createTables(hostTables))
  )
  return compose(all, foundations.pipe(Layer.provideMerge(tablesCreated))) as Layer.Layer<
    Services | ProvidedBy<HostFeatures[number]>,
    StorageUnavailable | TableMismatch,
    RecordsAdapter
  >
}

export {
  type HostTransaction,
  type HostTransactionOptions,
  hostTransaction as transaction
} from "./hostTransaction.ts"
export { type JoinedTransaction, joinTransaction } from "./joinedTransaction.ts"
