/** The invite links, the API tokens and the identity providers of a scenario, as the model of the workspace contains them. */
import type { RoleOrGuest } from "@lectern/core"

/** An invite link. */
export interface InviteState {
  readonly organization: string
  role: RoleOrGuest
  /** The user who created the link, or who updated it last. */
  inviter: string
  /** When it expires, in milliseconds since 1970; undefined for never. */
  readonly expiresAt: number | undefined
  readonly maximumUses: number | undefined
  uses: number
}

/** An API token that is not revoked. */
export interface TokenState {
  readonly user: string
  /** The organization that it is limited to; undefined for none. */
  readonly organization: string | undefined
  label: string
  /** The organizations that administrators have excluded it from. */
  readonly excluded: Set<string>
}

/** An identity provider of an organization, for SAML or OpenID Connect. */
export interface ProviderState {
  readonly organization: string
  /** The fields that were set. `defaultTeam` may have been removed since. */
  fields: Readonly<Record<string, unknown>>
}

/** How long an invite link is valid by default, in milliseconds. */
export const defaultLinkLifetimeMs = 30 * 24 * 60 * 60 * 1_000
