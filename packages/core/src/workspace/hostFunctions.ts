/** Converts the functions of a host without Effect to the services and references of a workspace. */

import {
  type AfterHook,
  Authenticator,
  type BeforeHook,
  type Credentials,
  type ExecutedCall,
  type HookedCall,
  type OperationHooks,
  type SecurityLog,
  type SecurityLogEntry
} from "@lectern/access"
import type { AnyFeature } from "@lectern/kernel"
import { Forbidden, InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { UserId } from "@lectern/model/users"
import { Effect, Layer } from "effect"
import { ApiTokens, missingToken } from "../features/tokens/ApiTokens.ts"
import type { HostHooks } from "./hookTypes.ts"

/** A user whom the host has authenticated. */
export interface AuthenticatedUser {
  /** The id of the user in the workspace. */
  readonly user: string
  /** The only organization in which the user can act; all of their organizations by default. */
  readonly organization?: string
  /** The id of their session, for audit records: not its secret. */
  readonly session?: string
  /** The context that the host adds to the audit records of the user. */
  readonly auditContext?: Readonly<Record<string, string>>
}

/**
 * Authenticates HTTP requests by the host's own means, immediately or with a promise. Returns undefined to check the API token of
 * the request.
 */
export type HostAuthenticate = (
  request: Credentials
) => AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>

/** Converts what `authenticate` returned. Anything but ids is a mistake of the host: a defect that names the function. */
const toIdentity = ({ user, organization, session, auditContext }: AuthenticatedUser) =>
  Effect.orDie(
    Effect.try({
      try: () => ({
        id: UserId.make(user),
        ...(organization === undefined ? {} : { organization: OrganizationId.make(organization) }),
        ...(session === undefined ? {} : { session }),
        ...(auditContext === undefined ? {} : { auditContext })
      }),
      catch: (cause) =>
        new TypeError(
          "`authenticate` must return `{ user }`, the id of a user of the workspace, or undefined.",
          {
            cause
          }
        )
    })
  )

/** Authenticates by the host's function first, then by API tokens if it returns undefined. Sessions of Lectern are not accepted. */
export const hostAuthenticator = (authenticate: HostAuthenticate) =>
  Layer.effect(
    Authenticator,
    Effect.map(ApiTokens, (tokens) =>
      Authenticator.of({
        authenticate: (credentials) =>
          Effect.flatMap(
            Effect.promise(async () => authenticate(credentials)),
            (identity) =>
              identity === undefined
                ? credentials.token === undefined
                  ? Effect.fail(missingToken)
                  : tokens.authenticate(credentials.token)
                : toIdentity(identity)
          )
      })
    )
  )

/** Converts the security log of a host to one that returns effects. */
export const securityLogOf = (
  log: ((entry: SecurityLogEntry) => void) | undefined
): (typeof SecurityLog)["Service"] =>
  log === undefined ? undefined : (entry) => Effect.sync(() => log(entry))

/** Converts the hooks of a host to effects. What a `before` hook throws is the error of the command. */
export const hostHooks = <HostFeatures extends ReadonlyArray<AnyFeature>>({
  before = {},
  after = {}
}: HostHooks<HostFeatures>): (typeof OperationHooks)["Service"] => {
  type Hook<Call> = (call: Call) => Promise<void> | void
  const entriesOf = <Call>(hooks: object) => Object.entries(hooks) as ReadonlyArray<[string, Hook<Call>]>
  const isRefusal = (error: unknown) => error instanceof Forbidden || error instanceof InvalidInput
  return {
    before: Object.fromEntries(
      entriesOf<HookedCall>(before).map(([name, hook]): [string, BeforeHook] => [
        name,
        (call) =>
          Effect.catch(
            Effect.tryPromise({ try: async () => await hook(call), catch: (error) => error }),
            (error) => (isRefusal(error) ? Effect.fail(error as Forbidden | InvalidInput) : Effect.die(error))
          )
      ])
    ),
    after: Object.fromEntries(
      entriesOf<ExecutedCall>(after).map(([name, hook]): [string, AfterHook] => [
        name,
        (call) => Effect.tryPromise({ try: async () => await hook(call), catch: (error) => error })
      ])
    )
  }
}
