/** Wraps the calls of an operation, so that they are recorded in the audit log. */

import type { OrganizationId } from "@lectern/model/organizations"
import { Effect, type Fiber } from "effect"
import { type AuditedCall, CurrentAuditedCall, restartAuditedCall, startAuditedCall } from "../AuditedCall.ts"
import type { makeAuditWriter } from "./auditWriter.ts"
import { declaredByEndpoints } from "./endpointErrors.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** The parameters of an operation. */
type Parameters = Readonly<Record<string, unknown>>

/** The functions that record the calls of an operation. */
export interface OperationAudit {
  /** Records the call that an effect executes if it is denied; and if it is executed without a transaction. */
  readonly call: <A, E, R>(parameters: object, call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Records the denial of an authorization without a call. */
  readonly authorization: <A, E, R>(target: object, check: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Records the call in its transaction, which an effect is the whole of. */
  readonly inTransaction: <A, E, R>(
    parameters: object,
    attempt: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Adds the organizations of a grant to the call of a fiber. */
  readonly addOrganizations: (
    fiber: Fiber.Fiber<unknown, unknown>,
    organizations: ReadonlyArray<OrganizationId>
  ) => void
}

const notAudited: OperationAudit = {
  call: (_, call) => call,
  authorization: (_, check) => check,
  inTransaction: (_, attempt) => attempt,
  addOrganizations: () => {}
}

/**
 * Creates the functions that record the calls of an operation. Without a writer, or for a query that exports nothing, they
 * do nothing. `check` is the authorization of the operation.
 */
export const auditOf = <Target>(
  definition: OperationDefinition,
  writer: ReturnType<typeof makeAuditWriter> | undefined,
  check: (target: Target) => Effect.Effect<unknown, unknown, unknown>
): OperationAudit => {
  if (writer === undefined || !definition.isAudited) return notAudited

  const withDenials = <A, E, R>(parameters: object, call: AuditedCall, effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(
      Effect.tapError(effect, (error) =>
        writer.recordFailed(
          definition,
          parameters as Parameters,
          call,
          error,
          // The services that the authorization requires are a part of the services of the call.
          Effect.ignore(check(parameters as Target)) as Effect.Effect<void>
        )
      ),
      CurrentAuditedCall,
      call
    )

  return {
    call: (parameters, effect) =>
      Effect.suspend(() => {
        const call = startAuditedCall()
        return withDenials(
          parameters,
          call,
          Effect.tap(effect, (result) =>
            call.hasTransaction
              ? Effect.void
              : declaredByEndpoints<void, never, never>(
                  writer.recordRead(definition, parameters as Parameters, call, result)
                )
          )
        )
      }),

    authorization: (target, authorization) =>
      Effect.suspend(() => withDenials(target, startAuditedCall(), authorization)),

    inTransaction: (parameters, attempt) =>
      Effect.withFiber((fiber) => {
        const call = fiber.getRef(CurrentAuditedCall)
        if (call === undefined) return attempt
        restartAuditedCall(call)
        return Effect.tap(attempt, (result) =>
          declaredByEndpoints<void, never, never>(
            writer.recordExecuted(definition, parameters as Parameters, call, result)
          )
        )
      }),

    addOrganizations: (fiber, organizations) => {
      const call = fiber.getRef(CurrentAuditedCall)
      for (const organization of organizations) call?.organizations.add(organization)
    }
  }
}
