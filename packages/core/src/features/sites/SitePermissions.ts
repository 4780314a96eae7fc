/** The operation that lists the members who can see a site. */

import { Access, type AccessError, Operations, type Query } from "@lectern/access"
import { makeLinkBase, readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type GrantRow,
  grants,
  type MemberRow,
  members,
  presentUser,
  type SiteRow,
  type TeamMemberRow,
  teamMembers,
  whereAdmittedBySso
} from "@lectern/kernel/tables"
import { OrganizationId, type TeamId } from "@lectern/model/organizations"
import { isAtLeast, siteActions } from "@lectern/model/roles"
import type { Page } from "@lectern/model/schema"
import { ListSitePermissions, SiteId, type SitePermission } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { memberFilter, memberOrder } from "../organizations/memberFilters.ts"
import { permissionAuthorizations } from "../permissions/permissionAuthorizations.ts"
import { usersById } from "../permissions/permissionGrants.ts"
import { membersWithRole, type Shared } from "../permissions/sharedContent.ts"

/** The operation that lists the members who can see a site, on behalf of the `CurrentUser`. */
export interface SitePermissionsOperations {
  /**
   * Lists the members who can see the site in the application, with their roles on it and the origin of the role, last joined first unless the input has an order. The
   * role is the highest one of that in the organization and of the grants to the member and to their teams. Fails with `Forbidden` for
   * guests.
   */
  readonly listEffective: Query<
    { organization: OrganizationId; site: SiteId; input?: ListSitePermissions },
    Page<SitePermission>,
    AccessError
  >
}

/** Returns the roles of members on a site, with their origins, in the order of the members. */
const presentRoles = Effect.fnUntraced(function* (
  { grant: { records }, organization, id }: Shared,
  rows: ReadonlyArray<MemberRow>
): Effect.fn.Return<ReadonlyArray<Pick<SitePermission, "permission" | "origin">>, StorageUnavailable> {
  const [memberships, granted] = yield* records.zipConcurrent(
    records.find(teamMembers, {
      where: Where.and<TeamMemberRow>(
        Where.eq("organization", organization),
        Where.isIn(
          "user",
          rows.map(({ user }) => user)
        )
      )
    }),
    records.find(grants, {
      where: Where.and<GrantRow>(Where.eq("organization", organization), Where.eq("target", id))
    })
  )
  const site = id as SiteRow["id"]
  const teamsByUser = Map.groupBy(memberships, ({ user }) => user)
  return rows.map(({ user, role }) => {
    const teams = new Set<TeamId | null>(teamsByUser.get(user)?.map(({ team }) => team))
    const ownFirst = [
      ...granted.filter((row) => row.user === user),
      ...granted.filter((row) => row.team !== null && teams.has(row.team))
    ]
    let highest: GrantRow | undefined
    for (const row of ownFirst) {
      if (!isAtLeast(highest?.role ?? role, row.role)) highest = row
    }
    if (highest === undefined) {
      return { permission: role!, origin: { type: "organization", organization } }
    }
    const origin = { type: "site", organization, site } as const
    return {
      permission: highest.role,
      origin:
        highest.team === null
          ? { ...origin, reason: "member" }
          : { ...origin, reason: "team", team: highest.team }
    }
  })
})

const makeSitePermissions = Effect.gen(function* () {
  const { query } = yield* Operations
  const { allowListingOnSite } = permissionAuthorizations(yield* Access)
  const linkBase = yield* makeLinkBase

  return {
    listEffective: query(
      "SitePermissions.listEffective",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: ListSitePermissions },
        authorize: allowListingOnSite
      },
      function* ({ organization, site, input }, { shared, records }) {
        const base = yield* linkBase
        const { page, limit, order = "desc", ...filters } = input
        return yield* readPage(records, input, {
          table: members,
          list: ["permissions on site", site, filters],
          where: Where.and<MemberRow>(
            Where.eq("organization", organization),
            Where.eq("disabled", false),
            membersWithRole(shared, siteActions.view),
            whereAdmittedBySso,
            memberFilter(filters),
            filters.team === undefined
              ? Where.all
              : records.inSelect(
                  "user",
                  teamMembers,
                  "user",
                  Where.and<TeamMemberRow>(
                    Where.eq("organization", organization),
                    Where.eq("team", filters.team)
                  )
                )
          ),
          orderBy: [memberOrder(filters)],
          direction: order,
          present: Effect.fnUntraced(function* (rows) {
            const [byId, roles] = yield* records.zipConcurrent(
              usersById(
                records,
                rows.map(({ user }) => user)
              ),
              presentRoles(shared, rows)
            )
            return rows.map(
              ({ user }, index): SitePermission => ({
                ...roles[index]!,
                user: presentUser(base, byId.get(user)!),
                disabled: false
              })
            )
          })
        })
      }
    )
  }
})

/** The operation that lists the members who can see a site: see {@link SitePermissionsOperations}. */
export class SitePermissions extends Context.Service<SitePermissions, SitePermissionsOperations>()(
  "@lectern/core/SitePermissions"
) {
  static readonly layer: Layer.Layer<SitePermissions, never, Access | Operations> = Layer.effect(
    SitePermissions,
    makeSitePermissions
  )
}
