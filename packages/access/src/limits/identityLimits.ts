/** The organizations that an identity can act in, and the memberships that single sign-on does not deny it. */

import { Where } from "@lectern/kernel"
import type { MemberRow } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import type { IdentityProviderId } from "@lectern/model/sessions"
import type { Identity } from "../CurrentUser.ts"

/** Whether an identity can act in an organization, as far as its token decides: the user may not be a member. */
export const canActIn = ({ organization: only, token }: Identity, organization: OrganizationId): boolean =>
  (only === undefined || only === organization) && token?.excluded.includes(organization) !== true

/** Returns the condition that a column names an organization that an identity can act in: see {@link canActIn}. */
export const whereCanActIn = <R, K extends Where.ColumnOf<R>>(
  { organization: only, token }: Identity,
  column: K
): Where.Where<R> =>
  only !== undefined
    ? ({ op: "eq", column, value: only } as const)
    : token === undefined || token.excluded.length === 0
      ? Where.all
      : Where.not<R>({ op: "in", column, values: token.excluded })

/** The identity provider of an organization whose login has authenticated a user, by a token or by a session. */
export const loginProviderOf = ({ token, signIn }: Identity): IdentityProviderId | undefined =>
  token?.samlProvider ?? signIn?.provider

/** Returns the condition for the memberships of an identity that single sign-on does not deny it. */
export const whereSsoSatisfied = (identity: Identity): Where.Where<MemberRow> =>
  // The token or the session of a login can act only in the organization of its provider.
  loginProviderOf(identity) === undefined ? Where.eq("ssoMissing", false) : Where.all

/** Whether the token or the session of an identity was issued by single sign-on with a provider of an organization. */
export const isFromSso = (identity: Identity, organization: OrganizationId): boolean =>
  loginProviderOf(identity) !== undefined && identity.organization === organization
