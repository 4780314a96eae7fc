/** The contributions of the authorization and of the body of a call to its audit record. */

import type { OrganizationId } from "@lectern/model/organizations"
import { Context, Effect } from "effect"

/**
 * The actor that the record of a call in an organization names: the `caller` with their origin, only the `user`, or `nobody`,
 * because administrators of an organization must not learn about the members of another one.
 */
export type AuditNaming = "caller" | "user" | "nobody"

/** A call of an operation, while it runs. */
export interface AuditedCall {
  /** The organizations in which the caller was authorized as a member. */
  readonly organizations: Set<OrganizationId>
  /** The other organizations that the call concerns. */
  readonly concerned: Map<OrganizationId, Exclude<AuditNaming, "caller">>
  /** Whether the caller was found not to be a member of an organization. */
  isOutsider: boolean
  /** Whether the caller cannot see the content that the call names. */
  isHidden: boolean
  /** Whether a transaction of the call has started. */
  hasTransaction: boolean
  /** The details that the operation has declared. */
  details: AuditCallDetails
}

/** Details of an audit record that neither the parameters nor the authorization of an operation contain. */
export interface AuditCallDetails {
  /** The organization of the record. */
  readonly organization?: OrganizationId | null
  /** The user, for an operation that authenticates them. */
  readonly actor?: string
  /** The API token, for an operation that issues it. */
  readonly token?: string
  /** The name of the integration that the call acts on. */
  readonly integration?: string
  /** Resources that the result does not name, each with its kind, as in `user:<id>`. */
  readonly resources?: ReadonlyArray<string>
  /** Whether the operation has changed nothing and is not recorded, because it is repeated or was called without a valid signature. */
  readonly isUnrecorded?: boolean
}

/** The call of an operation that a fiber executes; undefined in operations without audit records. */
export const CurrentAuditedCall = Context.Reference<AuditedCall | undefined>(
  "@lectern/core/CurrentAuditedCall",
  { defaultValue: () => undefined }
)

/** Creates a call that has contributed nothing yet. */
export const startAuditedCall = (): AuditedCall => ({
  organizations: new Set(),
  concerned: new Map(),
  isOutsider: false,
  isHidden: false,
  hasTransaction: false,
  details: {}
})

/** Discards the contributions of an attempt of a transaction, before the next attempt. */
export const restartAuditedCall = (call: AuditedCall): void => {
  call.organizations.clear()
  call.concerned.clear()
  call.isOutsider = false
  call.isHidden = false
  call.hasTransaction = true
  call.details = {}
}

/** Adds details to the audit record of the current call. Without a call that is recorded, it does nothing. */
export const addAuditDetails = (details: AuditCallDetails): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const call = fiber.getRef(CurrentAuditedCall)
    if (call !== undefined) call.details = { ...call.details, ...details }
    return Effect.void
  })

/**
 * Adds organizations that the current call concerns to its audit record, each with the actor that its record names. Without a call that
 * is recorded, `concerned` is not evaluated.
 */
export const addAuditConcerns = <E, R>(
  concerned: Effect.Effect<ReadonlyArray<readonly [OrganizationId, AuditNaming]>, E, R>
): Effect.Effect<void, E, R> =>
  Effect.withFiber((fiber) => {
    const call = fiber.getRef(CurrentAuditedCall)
    return call === undefined
      ? Effect.void
      : Effect.map(concerned, (all) => {
          for (const [organization, naming] of all) {
            if (naming === "caller") call.organizations.add(organization)
            else call.concerned.set(organization, naming)
          }
        })
  })
