/** The operation that lists the members who can see a site. */

import { type AccessError, Operations, type Query } from "@lectern/access"
import { makeLinkBase, readPage, Where } from "@lectern/kernel"
import {
  type MemberRow,
  members,
  presentUser,
  type UserRow,
  users,
  whereAdmittedBySso
} from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import { rolesFrom, siteActions } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import { SiteId, type SitePermission } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"

/** The operation that lists the members who can see a site, on behalf of the `CurrentUser`. */
export interface SitePermissionsOperations {
  /**
   * Lists the members who can see the site in the application, with their roles on it, last joined first. A site has no permissions of
   * its own: the role is that in the organization. Requires the role `read`.
   */
  readonly listEffective: Query<
    { organization: OrganizationId; site: SiteId; input?: PageQuery },
    Page<SitePermission>,
    AccessError
  >
}

const makeSitePermissions = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase

  return {
    listEffective: query(
      "SitePermissions.listEffective",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: PageQuery },
        authorize: allow.site("view")
      },
      function* ({ organization, site, input }, { records }) {
        const base = yield* linkBase
        return yield* readPage(records, input, {
          table: members,
          list: ["permissions on site", site],
          where: Where.and<MemberRow>(
            Where.eq("organization", organization),
            Where.eq("disabled", false),
            Where.isIn("role", rolesFrom(siteActions.view)),
            whereAdmittedBySso
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) =>
            Effect.map(
              records.find(users, {
                where: Where.isIn<UserRow, "id">(
                  "id",
                  rows.map(({ user }) => user)
                )
              }),
              (found) => {
                const byId = new Map(found.map((user) => [user.id, user]))
                return rows.map(
                  ({ user, role }): SitePermission => ({
                    permission: role!,
                    user: presentUser(base, byId.get(user)!),
                    disabled: false,
                    origin: { type: "organization", organization }
                  })
                )
              }
            )
        })
      }
    )
  }
})

/** The operation that lists the members who can see a site: see {@link SitePermissionsOperations}. */
export class SitePermissions extends Context.Service<SitePermissions, SitePermissionsOperations>()(
  "@lectern/core/SitePermissions"
) {
  static readonly layer: Layer.Layer<SitePermissions, never, Operations> = Layer.effect(
    SitePermissions,
    makeSitePermissions
  )
}
