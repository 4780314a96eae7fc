/** The errors of callers who can see a resource, but are not permitted to perform an action on it. */

import { Forbidden, type Noun } from "@lectern/model/errors"
import type { IntegrationScope } from "@lectern/model/integrations"
import { isAtLeast, type Role, type RoleOrGuest } from "@lectern/model/roles"
import { Effect } from "effect"
import { CurrentUser, type TokenIdentity } from "./CurrentUser.ts"
import { requireRecentSignIn } from "./recentSignIn.ts"

/** The error for callers who have not logged in by single sign-on, which the organization requires. */
export const ssoRequired = new Forbidden({
  reason: "SsoRequired",
  message:
    "The organization requires single sign-on. Log in with one of the URLs that `GET /v1/orgs/{organization}/sso` returns."
})

/** The error for a session that has not verified a second factor, and for a token of a user without a second factor. */
export const secondFactorRequired = new Forbidden({
  reason: "SecondFactorRequired",
  message:
    "A second factor is required. Confirm the sign-in with a passkey or a recovery code, or add a passkey first."
})

const roleTooLow = (required: Role, scope: string, role: RoleOrGuest): Forbidden =>
  new Forbidden({
    reason: "RoleTooLow",
    message: `Requires the role \`${required}\` ${scope}; your role is \`${role ?? "guest"}\`.`
  })

/** Fails with `Forbidden` if a role on a resource is lower than the required one. */
export const requireRoleOn = (
  noun: Noun,
  role: RoleOrGuest,
  required: Role
): Effect.Effect<void, Forbidden> =>
  isAtLeast(role, required) ? Effect.void : Effect.fail(roleTooLow(required, `on the ${noun}`, role))

/** Fails with `Forbidden` if a role in the organization is too low. Null requires no role. */
export const requireRoleIn = (role: RoleOrGuest, required: RoleOrGuest): Effect.Effect<void, Forbidden> =>
  required === null || isAtLeast(role, required)
    ? Effect.void
    : Effect.fail(roleTooLow(required, "in the organization", role))

/** The error of a change that affects other sites at the host of a site, on which the role or the token of the caller is insufficient. */
export const sharedHostProtected = (required: Role): Forbidden =>
  new Forbidden({
    reason: "RoleTooLow",
    message: `Other sites have addresses at this host. The change requires the role \`${required}\` on each site of the host, and a token that includes them.`
  })

const adminNotGrantable = new Forbidden({
  reason: "ScopeTooNarrow",
  message:
    "Tokens with limited permissions, and programs, cannot grant the role `admin`. A user must send the request."
})

const signInSettingsProtected = new Forbidden({
  reason: "ScopeTooNarrow",
  message:
    "Tokens with limited permissions, and programs, cannot change how members join and sign in. A user must send the request."
})

const scopesNotGrantable = new Forbidden({
  reason: "ScopeTooNarrow",
  message:
    "Tokens with limited permissions, and programs, cannot grant content to an integration that has scopes. A user must send the request."
})

const credentialProtected = new Forbidden({
  reason: "ScopeTooNarrow",
  message:
    "The response has a key of lasting access. Tokens that are read-only or have limited permissions cannot read it."
})

const notInScopes = new Forbidden({
  reason: "ScopeTooNarrow",
  message: "The scopes of the integration do not include this change. A user must send the request."
})

/** Whether a token is limited to permissions, as the tokens of programs are. Its owner expects that its end ends all access by it. */
export const isLimited = (token: TokenIdentity | undefined): boolean => token?.permissions !== undefined

/**
 * Fails with `Forbidden` if the caller grants the role `admin` with a token that is limited to permissions, or in a session whose sign-in
 * is more than an hour ago. The administrator could be another account of the program or of the person at the browser, whose rights would be
 * wider and last longer.
 */
export const requireGrantable = (
  roles: Iterable<string | null | undefined>
): Effect.Effect<void, Forbidden, CurrentUser> =>
  Effect.flatMap(CurrentUser, ({ token }) =>
    ![...roles].includes("admin")
      ? Effect.void
      : isLimited(token)
        ? Effect.fail(adminNotGrantable)
        : requireRecentSignIn
  )

/**
 * Fails with `Forbidden` if the caller grants content to an integration with these scopes by a token that is limited to permissions, or in
 * a session whose sign-in is more than an hour ago. Tokens of the installation have the scopes, which can be wider than the permissions, and
 * outlive the token and the session.
 */
export const requireGrantableScopes = (
  scopes: ReadonlyArray<string>
): Effect.Effect<void, Forbidden, CurrentUser> =>
  Effect.flatMap(CurrentUser, ({ token }) =>
    scopes.length === 0
      ? Effect.void
      : isLimited(token)
        ? Effect.fail(scopesNotGrantable)
        : requireRecentSignIn
  )

/**
 * Fails with `Forbidden` for a key that opens more, or for longer, than the token of the caller: one that is read-only or limited to
 * permissions. Tokens of installations read the keys that their scopes include. A session needs a sign-in in the last hour.
 */
export const requireKeyReader: Effect.Effect<void, Forbidden, CurrentUser> = Effect.flatMap(
  CurrentUser,
  ({ token }) =>
    token !== undefined && token.installation === undefined && (token.readOnly || isLimited(token))
      ? Effect.fail(credentialProtected)
      : requireRecentSignIn
)

/** Fails with `Forbidden` if the caller has a token that is limited to permissions, for changes of how members join and sign in. */
export const requireUnlimited: Effect.Effect<void, Forbidden, CurrentUser> = Effect.flatMap(
  CurrentUser,
  ({ token }) => (isLimited(token) ? Effect.fail(signInSettingsProtected) : Effect.void)
)

/** Fails with `Forbidden` if the caller has the token of an installation. */
export const requireNoInstallation: Effect.Effect<void, Forbidden, CurrentUser> = Effect.flatMap(
  CurrentUser,
  ({ token }) => (token?.installation === undefined ? Effect.void : Effect.fail(notInScopes))
)

/** Fails with `Forbidden` if the caller has the token of an installation without a scope of integrations. */
export const requireScopeOfInstallation = (
  scope: typeof IntegrationScope.Type
): Effect.Effect<void, Forbidden, CurrentUser> =>
  Effect.flatMap(CurrentUser, ({ token }) =>
    hasScope(token, scope) ? Effect.void : Effect.fail(notInScopes)
  )

/** Whether a token is not the token of an installation, or has a scope of integrations. */
export const hasScope = (token: TokenIdentity | undefined, scope: typeof IntegrationScope.Type): boolean =>
  token?.installation === undefined || token.permissions?.includes(scope) === true
