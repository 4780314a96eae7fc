/**
 * Defines operations. A definition has a name, named parameters with their schemas, an authorization and a body. The
 * decoding, the authorization check, the transaction of a command, a span, metrics, and a row in the list of all
 * operations are derived from it. An operation without an authorization does not compile.
 */

import { Ids, Jobs, ObserveOperations, Records, SlowOperationThreshold } from "@lectern/kernel"
import { Context, Effect, Layer } from "effect"
import { SecurityLog } from "../audit/SecurityLog.ts"
import type { GrantedReader, GrantedRecords } from "../grants/Grant.ts"
import { writableRecords } from "../grants/issueGrant.ts"
import { SystemGrant } from "../grants/SystemGrant.ts"
import { Access } from "../roles/Access.ts"
import { VisitorAccess } from "../visitors/VisitorAccess.ts"
import { type Authorizations, authorizations } from "./Authorization.ts"
import { AuditRetention, makeAuditWriter } from "./auditWriter.ts"
import {
  type Body,
  type CommandOptions,
  type CommittingBody,
  type DefinitionServices,
  define,
  type Fields,
  type OperationOptions
} from "./defineOperation.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"
import { OperationHooks } from "./OperationHooks.ts"

const makeOperations = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const visitors = yield* VisitorAccess
  const system = yield* SystemGrant.make("Serves the operator of the workspace, who acts for no user.")
  const definitions: Array<OperationDefinition> = []
  const defined: ReadonlyArray<OperationDefinition> = definitions
  const ids = yield* Ids
  const services: DefinitionServices = {
    records,
    ids,
    isObserved: yield* ObserveOperations,
    slowMs: yield* SlowOperationThreshold,
    hooks: yield* OperationHooks,
    jobs: yield* Jobs,
    isAuditing: (yield* AuditRetention) > 0,
    auditWriter: makeAuditWriter(records, ids, writableRecords(system.grant), yield* SecurityLog),
    definitions
  }

  const allow: Authorizations = authorizations(records, access, system, visitors)
  return {
    /** Defines an operation that reads. */
    query: <const F extends Fields, Given, E1, R1, Yields, A>(
      name: string,
      options: OperationOptions<F, Given, E1, R1>,
      body: Body<F, Given, GrantedReader, Yields, A>
    ) => define(services, "query", name, options, body),

    /** Defines an operation that writes, as one transaction. See `Command` for the requirements on its body. */
    command: <const F extends Fields, Given, E1, R1, Yields, A, E2 = never>(
      name: string,
      options: CommandOptions<F, Given, E1, R1, E2>,
      body: Body<F, Given, GrantedRecords, Yields, A>
    ) => define(services, "command", name, options, body),

    /**
     * Defines an operation that writes after external I/O. Its body runs once, outside of a transaction, and writes
     * with its third argument, which runs an effect as one transaction with the hooks of a command. The caller's
     * access may have changed by then, so it authorizes again first.
     */
    stagedCommand: <const F extends Fields, Given, E1, R1, Yields, A>(
      name: string,
      options: CommandOptions<F, Given, E1, R1>,
      body: CommittingBody<F, Given, GrantedReader, Yields, A>
    ) => define(services, "command", name, options, body, true),

    /** Authorizations by the policy, for `authorize`. */
    allow,

    /** All operations that the services of this workspace have defined. */
    definitions: defined
  }
})

/** The methods of {@link Operations}. */
export interface OperationsService extends Effect.Success<typeof makeOperations> {}

/**
 * Defines the operations of services, and lists them.
 *
 * @example
 * const { query, allow } = yield* Operations
 * const get = query(
 *   "Spaces.get",
 *   { parameters: { space: SpaceId }, authorize: allow.space("view") },
 *   function* (_, { space }) {
 *     return yield* present(space)
 *   }
 * )
 */
export class Operations extends Context.Service<Operations, OperationsService>()("@lectern/core/Operations") {
  /** Provides the service. */
  static readonly layer: Layer.Layer<Operations, never, Records | Access | VisitorAccess | Jobs | Ids> =
    Layer.effect(Operations, makeOperations)
}
