/** Authorizations of operations on permissions: to share content, and to list who has access to it. */

import { type Access, type AccessError, type Authorization, type LockList, Locks } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type MemberRow, members, type TeamRow, teams } from "@lectern/kernel/tables"
import { type Conflict, Forbidden, type Gone, NotFound } from "@lectern/model/errors"
import type { TeamId } from "@lectern/model/organizations"
import type { SharedContent } from "@lectern/model/permissions"
import { isAtLeast, organizationActions, spaceActions } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import type { Shared } from "./sharedContent.ts"

/**
 * Errors of operations on permissions: `Conflict` if the space is in the trash, `Gone` if it can no longer be restored.
 */
export type PermissionsError = AccessError | Conflict | Gone

/** Who receives a grant. */
export type Grantee = "user" | "team"

/** Creates the authorizations, which load the content, and the check that grantees are in its organization. */
export const permissionAuthorizations = (access: Access["Service"]) => {
  const load = Effect.fnUntraced(function* (content: SharedContent, action: "view" | "share") {
    if ("space" in content) {
      const { space, caller, grant } = yield* access.space(content.space, action)
      return { kind: "space", ...space, caller, grant } as Shared
    }
    const { collection, caller, grant } = yield* access.collection(content.collection, action)
    return { kind: "collection", ...collection, caller, grant } as Shared
  })

  /** Authorizes to share the content. */
  const allowSharing: Authorization<
    { readonly content: SharedContent },
    { readonly shared: Shared },
    PermissionsError
  > = {
    rule: { kind: "policy", action: "space.share or collection.share", role: spaceActions.share },
    check: ({ content }) => Effect.map(load(content, "share"), (shared) => ({ grant: shared.grant, shared }))
  }

  /** Authorizes to list the users and teams with access: for callers who can see the content and can list members. */
  const allowListing: Authorization<
    { readonly content: SharedContent },
    { readonly shared: Shared },
    PermissionsError
  > = {
    rule: {
      kind: "policy",
      action: "space.view or collection.view, and organization.listMembers",
      role: organizationActions.listMembers
    },
    check: Effect.fnUntraced(function* ({ content }) {
      const shared = yield* load(content, "view")
      if (!isAtLeast(shared.caller.role, organizationActions.listMembers)) {
        return yield* new Forbidden({
          reason: "GuestNotAllowed",
          message:
            "Guests cannot list the members of the organization. Ask an administrator for a role in it."
        })
      }
      return { grant: shared.grant, shared }
    })
  }

  /** Fails with `NotFound` unless all grantees are in the organization. */
  const requireGrantees = Effect.fnUntraced(function* (
    { organization, grant: { records } }: Shared,
    grantee: Grantee,
    granteeIds: ReadonlyArray<UserId | TeamId>
  ): Effect.fn.Return<void, NotFound | StorageUnavailable> {
    const count = yield* grantee === "user"
      ? records.count(
          members,
          Where.and<MemberRow>(
            Where.eq("organization", organization),
            Where.isIn("user", granteeIds as ReadonlyArray<UserId>)
          )
        )
      : records.count(
          teams,
          Where.and<TeamRow>(
            Where.eq("organization", organization),
            Where.isIn("id", granteeIds as ReadonlyArray<TeamId>)
          )
        )
    if (count < granteeIds.length) return yield* NotFound.of(grantee === "user" ? "member" : "team")
  })

  /** Authorizes to share the content with a member or a team of its organization. */
  const allowSharingWith = <Target extends { readonly content: SharedContent }>(
    grantee: Grantee,
    granteeOf: (target: Target) => UserId | TeamId
  ): Authorization<Target, { readonly shared: Shared }, PermissionsError> => ({
    rule: allowSharing.rule,
    check: (target) =>
      Effect.tap(allowSharing.check(target), ({ shared }) =>
        requireGrantees(shared, grantee, [granteeOf(target)])
      )
  })

  return { allowListing, allowSharing, allowSharingWith, requireGrantees }
}

/** The locks of commands that change who can access a space or a collection. */
export const locksOfSharing = ({ content }: { readonly content: SharedContent }): LockList =>
  "space" in content ? Locks.organizationOfSpace(content) : Locks.organizationOfCollection(content)
