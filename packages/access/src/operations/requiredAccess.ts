/** Checks the access that a command required, after the command and before its repetition. */

import type { StorageUnavailable } from "@lectern/kernel"
import { Forbidden, NotFound } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import type { AccessCheck, RequiredAccess } from "../accessChecks.ts"
import type { CurrentUser } from "../CurrentUser.ts"
import type { Access } from "../roles/Access.ts"
import type { TargetError } from "./Authorization.ts"

/** The access that a caller still had after a command, which its repetition requires. */
export interface RemainingAccess {
  /** The checks that succeeded before the command, and also after it. */
  readonly checks: ReadonlyArray<AccessCheck>
  /** The organizations that the caller was a member of before the command and after it, if the command removed other access. */
  readonly organizations: ReadonlyArray<OrganizationId>
}

/** The access that a repetition requires if nothing is known of it. */
export const noRemainingAccess: RemainingAccess = { checks: [], organizations: [] }

const repeatCheck = (
  access: Access["Service"],
  check: AccessCheck
): Effect.Effect<unknown, TargetError | StorageUnavailable, CurrentUser> => {
  switch (check[0]) {
    case "organization":
      return access.organization(check[1], check[2])
    case "member":
      return access.member(check[1], check[2], check[3])
    case "team":
      return access.team(check[1], check[2], check[3])
    case "collection":
      return access.collection(check[1], check[2])
    case "space":
      return access.space(check[1], check[2])
    case "changeRequest":
      return access.changeRequest(check[1], check[2], check[3])
    case "site":
      return access.site(check[1], check[2], check[3])
  }
}

/** Repeats a check. Errors about the state of the target, and not about the access of the caller, are ignored. */
const checkAgain = (
  access: Access["Service"],
  check: AccessCheck
): Effect.Effect<void, NotFound | Forbidden | StorageUnavailable, CurrentUser> =>
  Effect.catchTags(Effect.asVoid(repeatCheck(access, check)), {
    Conflict: () => Effect.void,
    Gone: () => Effect.void
  })

/** Whether a check succeeds. */
const succeeds = <R>(
  check: Effect.Effect<void, NotFound | Forbidden | StorageUnavailable, R>
): Effect.Effect<boolean, StorageUnavailable, R> =>
  Effect.catchIf(
    Effect.as(check, true),
    (error): error is NotFound | Forbidden => error instanceof NotFound || error instanceof Forbidden,
    () => Effect.succeed(false)
  ) as Effect.Effect<boolean, StorageUnavailable, R>

/** Returns the part of the required access of a command that the caller still has. It runs in the transaction of the command, after it. */
export const remainingAccess = (
  access: Access["Service"],
  required: RequiredAccess
): Effect.Effect<RemainingAccess, StorageUnavailable, CurrentUser> =>
  Effect.gen(function* () {
    const remains = (all: Iterable<AccessCheck>) =>
      Effect.filter([...all], (check) => succeeds(checkAgain(access, check)))
    const checks = yield* remains(required.checks.values())
    // Without its target, the access of the caller is that to the organization.
    if (checks.length === required.checks.size && checks.length > 0) return { checks, organizations: [] }
    const memberships = yield* remains(
      [...required.organizations].map((organization) => ["organization", organization, "view"] as const)
    )
    return { checks, organizations: memberships.map(([, organization]) => organization as OrganizationId) }
  })

/** Fails with `Forbidden` or `NotFound` if the caller no longer has the access that remained after a command. */
export const requireRemainingAccess = (
  access: Access["Service"],
  { checks, organizations }: RemainingAccess
): Effect.Effect<void, NotFound | Forbidden | StorageUnavailable, CurrentUser> =>
  Effect.forEach(
    [...organizations.map((organization) => ["organization", organization, "view"] as const), ...checks],
    (check) => checkAgain(access, check),
    { discard: true }
  )
