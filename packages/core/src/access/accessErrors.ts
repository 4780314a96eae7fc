/** The errors of callers who can see a resource, but are not permitted to perform an action on it. */

import { Forbidden, type Noun } from "@lectern/model/errors"
import { isAtLeast, type Role, type RoleOrGuest } from "@lectern/model/roles"
import { Effect } from "effect"

/** The error for callers who have not logged in by single sign-on, which the organization requires. */
export const ssoRequired = new Forbidden({
  reason: "SsoRequired",
  message:
    "The organization requires single sign-on. Log in with one of the URLs that `GET /v1/orgs/{organization}/sso` returns."
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
