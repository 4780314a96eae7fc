/** Providers of OpenID Connect as logins use them: the providers of the settings and of organizations. */

import type { GrantedReader } from "@lectern/access"
import { type Encryption, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  clientSecretPlace,
  isActiveOidcProvider,
  isInUse,
  type OidcProviderRow,
  oidcProviders,
  organizations
} from "@lectern/kernel/tables"
import { Unauthenticated } from "@lectern/model/errors"
import type { OidcGroup, OidcProviderSettings } from "@lectern/model/oidc"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type { RoleOrGuest } from "@lectern/model/roles"
import type { IdentityProviderId } from "@lectern/model/sessions"
import { Effect } from "effect"

/** The settings of a provider for a client of OpenID Connect. */
export interface OidcClientSettings
  extends Pick<
    OidcProviderSettings,
    "id" | "label" | "issuer" | "clientId" | "clientSecret" | "groupsClaim"
  > {}

/** A provider of OpenID Connect, and the rights of its users. */
export interface LoginProvider {
  readonly settings: OidcClientSettings
  /**
   * The provider of an organization, whose logins are limited to it. Absent for a provider of the instance, which the operator
   * trusts with all accounts.
   */
  readonly owner: { readonly id: IdentityProviderId; readonly organization: OrganizationId } | undefined
  /** The organization that users join; undefined for none. */
  readonly organization: OrganizationId | undefined
  /** The domains of e-mail addresses for which accounts and memberships are created; `*` for all. */
  readonly domains: ReadonlyArray<string>
  /** The role of new members without a role by their groups; undefined for the default role of the organization. */
  readonly defaultRole: RoleOrGuest | undefined
  readonly defaultTeam: TeamId | undefined
  readonly groups: ReadonlyArray<OidcGroup>
}

/** Converts a provider of the settings. */
export const providerOfSettings = (settings: OidcProviderSettings): LoginProvider => ({
  settings,
  owner: undefined,
  organization: settings.organization,
  domains: settings.domains ?? [],
  defaultRole: settings.role,
  defaultTeam: undefined,
  groups: Object.entries(settings.groups ?? {}).map(([group, rights]) => ({ group, ...rights }))
})

const unreadableSecret = new Unauthenticated({
  reason: "LoginRefused",
  message: "The secret of the identity provider cannot be decrypted. Ask an administrator to enter it again."
})

/** Returns the active provider of an organization; undefined without one. */
export const findOrganizationProvider = Effect.fnUntraced(function* (
  records: GrantedReader,
  encryption: Encryption["Service"],
  provider: string
): Effect.fn.Return<LoginProvider | undefined, Unauthenticated | StorageUnavailable> {
  const row = yield* records.first(oidcProviders, {
    where: Where.eq<OidcProviderRow, "id">("id", provider as OidcProviderRow["id"])
  })
  if (row === undefined || !isActiveOidcProvider(row)) return undefined
  if (!isInUse(yield* records.get(organizations, { id: row.organization }, ["deletedAt"]))) return undefined
  const { id, organization, label, issuer, clientID, clientSecret, groupsClaim, domains, groups } = row
  const secret =
    clientSecret === null ? undefined : yield* encryption.decrypt(clientSecret, clientSecretPlace(id))
  if (clientSecret !== null && secret === undefined) return yield* unreadableSecret
  return {
    settings: {
      id,
      label,
      issuer: issuer!,
      clientId: clientID!,
      ...(secret === undefined ? {} : { clientSecret: secret }),
      ...(groupsClaim === null ? {} : { groupsClaim })
    },
    owner: { id, organization },
    organization,
    domains,
    defaultRole: row.defaultRole,
    defaultTeam: row.defaultTeam ?? undefined,
    groups
  }
})

/** Whether accounts and memberships are created for an e-mail address. */
export const isProvisioned = ({ domains }: Pick<LoginProvider, "domains">, email: string): boolean => {
  const domain = email.slice(email.lastIndexOf("@") + 1)
  return domains.some((one) => one === "*" || one.toLowerCase() === domain)
}
