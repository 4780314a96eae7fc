/** Converts rows of integrations to resources, with a fixed number of queries for any number of rows. */

import {
  type GrantedReader,
  type Identity,
  whereCanActIn,
  whereSecondFactorSatisfied,
  whereSsoSatisfied
} from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type IntegrationRow,
  type MemberRow,
  members,
  type OrganizationRow,
  organizations,
  presentOrganization
} from "@lectern/kernel/tables"
import type { Integration } from "@lectern/model/integrations"
import type { Organization, OrganizationId } from "@lectern/model/organizations"
import { isAtLeast, organizationActions, organizationPermissions } from "@lectern/model/roles"
import { Effect } from "effect"

/** The path below the public URL of the workspace where images of integrations are served. */
export const assetsPath = "/integrations/"

/** Loads the caller's active memberships by organization. Disabled members, and members without a required SSO or second factor, have no access. */
export const membershipsOf = (
  records: GrantedReader,
  identity: Identity
): Effect.Effect<ReadonlyMap<OrganizationId, MemberRow>, StorageUnavailable> =>
  Effect.map(
    records.find(members, {
      where: Where.and<MemberRow>(
        Where.eq("user", identity.id),
        Where.eq("disabled", false),
        whereSsoSatisfied(identity),
        whereSecondFactorSatisfied(records, identity),
        whereCanActIn<MemberRow, "organization">(identity, "organization")
      )
    }),
    (rows) => new Map(rows.map((row) => [row.organization, row]))
  )

/** Returns the organizations whose private integrations a user with these memberships sees. A guest sees none. */
export const listableOrganizations = (
  memberships: ReadonlyMap<OrganizationId, MemberRow>
): ReadonlyArray<OrganizationId> =>
  [...memberships].flatMap(([organization, { role }]) =>
    isAtLeast(role, organizationActions.listMembers) ? [organization] : []
  )

/** Whether a member is an administrator of the organization. */
export const isAdministrator = (member: MemberRow | undefined): boolean =>
  member !== undefined && isAtLeast(member.role, organizationActions.administrate)

/** Converts the owner of an integration to a resource. For non-members, the fields that only its members can see are empty. */
const ownerOf = (base: string, row: OrganizationRow, member: MemberRow | undefined): Organization =>
  presentOrganization(
    base,
    member === undefined ? { ...row, emailDomains: [], defaultContent: null, defaultRole: null } : row,
    organizationPermissions(member?.role, false)
  )

/** Converts integrations to resources for a caller with these memberships. */
export const presentIntegrations = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  memberships: ReadonlyMap<OrganizationId, MemberRow>,
  rows: ReadonlyArray<IntegrationRow>
): Effect.fn.Return<ReadonlyArray<Integration>, StorageUnavailable> {
  if (rows.length === 0) return []
  const owners = yield* records.find(organizations, {
    where: Where.isIn<OrganizationRow, "id">("id", [...new Set(rows.map(({ organization }) => organization))])
  })
  const byId = new Map(owners.map((owner) => [owner.id, owner]))
  const canInstall = [...memberships.values()].some(isAdministrator)
  return rows.map((row) => {
    const member = memberships.get(row.organization)
    const assets = `${base}${assetsPath}${row.name}/`
    return {
      object: "integration",
      name: row.name,
      version: row.version,
      ...row.manifest,
      previewImages: row.previewImages.map((hash) => assets + hash),
      verified: false,
      owner: ownerOf(base, byId.get(row.organization)!, member),
      urls: {
        location: `${base}/v1/integrations/${row.name}`,
        ...(row.icon === null ? {} : { icon: assets + row.icon }),
        app: `${base}/integrations/${row.name}`,
        assets,
        publicEndpoint: `${assets}endpoint`,
        publicContentEndpoint: `${assets}endpoint`
      },
      permissions: {
        admin: isAdministrator(member),
        install: row.visibility === "private" ? isAdministrator(member) : canInstall
      }
    }
  })
})
