/** Authorizations of operations on permissions: to share content, and to list who has access to it. */

import { type Access, type AccessError, type Authorization, type LockList, Locks } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type MemberRow, members, type TeamRow, teams } from "@lectern/kernel/tables"
import { type Conflict, Forbidden, type Gone, NotFound } from "@lectern/model/errors"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type { SharedContent } from "@lectern/model/permissions"
import { isAtLeast, organizationActions, spaceActions } from "@lectern/model/roles"
import type { SiteId } from "@lectern/model/sites"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { type Shared, sharedSite } from "./sharedContent.ts"

/**
 * Errors of operations on permissions: `Conflict` if the space is in the trash, `Gone` if it can no longer be restored.
 */
export type PermissionsError = AccessError | Conflict | Gone

/** Who receives a grant. */
export type Grantee = "user" | "team"

/** The ids that name a site. */
interface SiteTarget {
  readonly organization: OrganizationId
  readonly site: SiteId
}

/** Fails with `Forbidden` if the caller cannot list the members of the organization. */
const requireListing = (
  shared: Shared
): Effect.Effect<{ readonly grant: Shared["grant"]; readonly shared: Shared }, Forbidden> =>
  isAtLeast(shared.caller.role, organizationActions.listMembers)
    ? Effect.succeed({ grant: shared.grant, shared })
    : Effect.fail(
        new Forbidden({
          reason: "GuestNotAllowed",
          message:
            "Guests cannot list the members of the organization. Ask an administrator for a role in it."
        })
      )

/** Creates the authorizations, which load the content, and the check that grantees are in its organization. */
export const permissionAuthorizations = (access: Access["Service"]) => {
  const loadSite = ({ organization, site: id }: SiteTarget, action: "view" | "share") =>
    Effect.map(access.site(organization, id, action), ({ site, caller, grant }) =>
      sharedSite({ site, caller, grant })
    )

  const load = Effect.fnUntraced(function* (content: SharedContent, action: "view" | "share") {
    if ("site" in content) return yield* loadSite(content, action)
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
    rule: {
      kind: "policy",
      action: "space.share or collection.share or site.share",
      role: spaceActions.share
    },
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
      action: "space.view or collection.view or site.view, and organization.listMembers",
      role: organizationActions.listMembers
    },
    check: Effect.fnUntraced(function* ({ content }) {
      return yield* requireListing(yield* load(content, "view"))
    })
  }

  /** As `allowListing`, for a site. */
  const allowListingOnSite: Authorization<SiteTarget, { readonly shared: Shared }, AccessError> = {
    rule: {
      kind: "policy",
      action: "site.view and organization.listMembers",
      role: organizationActions.listMembers
    },
    check: Effect.fnUntraced(function* (target) {
      return yield* requireListing(yield* loadSite(target, "view"))
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

  return { allowListing, allowListingOnSite, allowSharing, allowSharingWith, requireGrantees }
}

/** The locks of commands that change who can access a space, a collection or a site. */
export const locksOfSharing = ({ content }: { readonly content: SharedContent }): LockList => {
  if ("site" in content) return Locks.organization(content)
  return "space" in content ? Locks.organizationOfSpace(content) : Locks.organizationOfCollection(content)
}
