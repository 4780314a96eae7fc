/** The user or the visitor on whose behalf operations run. */

import type { InstallationId } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import type { IdentityProviderId, SessionId } from "@lectern/model/sessions"
import type { SiteId, SiteVisitor } from "@lectern/model/sites"
import type { ApiTokenId } from "@lectern/model/tokens"
import { UserId } from "@lectern/model/users"
import { Context, Effect, type Redacted } from "effect"

/** The API token that authenticated a user, with its limits. */
export interface TokenIdentity {
  /** The id of the token. */
  readonly id: ApiTokenId
  /** Whether the token is limited to queries. */
  readonly readOnly: boolean
  /** The permissions that the token is limited to; undefined for all permissions of the user. */
  readonly permissions: ReadonlyArray<string> | undefined
  /** The site that the token is limited to, with the spaces on it. */
  readonly site: SiteId | undefined
  /** The SAML or OpenID Connect provider whose login issued the token. */
  readonly samlProvider: IdentityProviderId | undefined
  /** The installation of an integration that acts with the token; its `permissions` are the scopes of the integration. */
  readonly installation: InstallationId | undefined
  /** The organizations whose administrators have revoked the access of the token. */
  readonly excluded: ReadonlyArray<OrganizationId>
  /** When the token expires. */
  readonly expiresAt: string | undefined
}

/** The session of a user who has signed in to Lectern in a browser. */
export interface SignIn {
  /** The id of the session. */
  readonly id: SessionId
  /** The identity provider of an organization by which the user has signed in. The session is limited to the organization. */
  readonly provider: IdentityProviderId | undefined
  /** When the user last proved who they are. */
  readonly authenticatedAt: string
  /** Whether the session has verified a second factor. */
  readonly isVerified: boolean
  /** When the session ends. */
  readonly expiresAt: string
  /** Whether the secret of the session must be replaced, because the rights of the user have changed. */
  readonly isRotationDue: boolean
}

/** An authenticated user, or a visitor of a published site. */
export interface Identity {
  /** The id of the user. */
  readonly id: UserId
  /**
   * The only organization in which the user can act; all of their organizations by default. A token from single sign-on
   * is limited to one, because the identity provider authenticates for its own organization only.
   */
  readonly organization?: OrganizationId
  /**
   * The API token that authenticated the user. Absent for a user whom the host has authenticated, who is not limited by
   * scopes.
   */
  readonly token?: TokenIdentity
  /** The session that authenticated the user. Absent for an API token, and for a user whom the host has authenticated. */
  readonly signIn?: SignIn
  /**
   * The id of the session of a user whom the host has authenticated, for audit records: not its secret, because
   * administrators see it.
   */
  readonly session?: string
  /** The context that the host adds to the audit records of the user's calls, in addition to the context of `CallOrigin`. */
  readonly auditContext?: Readonly<Record<string, string>>
  /**
   * Present for a visitor, who is not a user: the site with their credentials, or `anonymous` if they name none.
   * Visitors are members of no organization, so only operations that admit visitors return anything to them.
   */
  readonly visitor?: SiteVisitor | "anonymous"
  /** Whether the user reads sites as previews: a site that does not admit them as a visitor is returned as its members see it. */
  readonly isPreview?: true
}

/** The id of every visitor. No user has it. */
const visitorId = UserId.make("visitor")

/** A client without credentials. Operations that admit visitors require a site, which their parameters can name. */
export const anonymousVisitor: Identity = { id: visitorId, visitor: "anonymous" }

/**
 * Returns the identity of a visitor of a site. The credentials are verified by each operation that admits visitors.
 *
 * @example
 * content.getPage({ content: { space }, page }).pipe(
 *   Effect.provideService(CurrentUser, visitorIdentity({ organization, site, shareKey }))
 * )
 */
export const visitorIdentity = (visitor: SiteVisitor): Identity => ({ id: visitorId, visitor })

/**
 * The user or the visitor on whose behalf an operation runs. Every operation requires one, except for operations of
 * operators.
 */
export class CurrentUser extends Context.Service<CurrentUser, Identity>()("@lectern/core/CurrentUser") {
  /** Runs an effect on behalf of a user, without a limit to one organization. */
  static readonly provide =
    (id: UserId) =>
    <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentUser>> =>
      Effect.provideService(self, CurrentUser, { id })
}

/** The API token of the request that a fiber serves, without the mark of a preview; undefined without one, and outside of a server. */
export const CurrentToken = Context.Reference<Redacted.Redacted<string> | undefined>(
  "@lectern/core/CurrentToken",
  { defaultValue: () => undefined }
)
