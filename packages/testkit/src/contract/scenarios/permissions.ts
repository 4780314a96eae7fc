/** Content and sites are shared with users and teams. */
import type { Collection, Page, Site, Space, Team } from "@lectern/core"
import type { SitePermission } from "@lectern/model"
import { expect } from "vitest"
import type { OperationId } from "../endpoints.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"

/** The operations on the permissions of one kind of content, or of sites. */
interface PermissionOperations {
  readonly share: OperationId
  readonly listUsers: OperationId
  readonly updateUser: OperationId
  readonly removeUser: OperationId
  readonly listTeams: OperationId
  readonly updateTeam: OperationId
  readonly removeTeam: OperationId
  readonly listEffective: OperationId
}

const ofSpace: PermissionOperations = {
  share: "inviteToSpace",
  listUsers: "listUserPermissionsInSpace",
  updateUser: "updateUserPermissionInSpace",
  removeUser: "removeUserFromSpace",
  listTeams: "listTeamPermissionsInSpace",
  updateTeam: "updateTeamPermissionInSpace",
  removeTeam: "removeTeamFromSpace",
  listEffective: "listPermissionsAggregateInSpace"
}

const ofCollection: PermissionOperations = {
  share: "inviteToCollection",
  listUsers: "listUserPermissionsInCollection",
  updateUser: "updateUserPermissionInCollection",
  removeUser: "removeUserFromCollection",
  listTeams: "listTeamPermissionsInCollection",
  updateTeam: "updateTeamPermissionInCollection",
  removeTeam: "removeTeamFromCollection",
  listEffective: "listPermissionsAggregateInCollection"
}

const ofSite: PermissionOperations = {
  share: "inviteToSite",
  listUsers: "listUserPermissionsInSite",
  updateUser: "updateUserPermissionInSite",
  removeUser: "removeUserFromSite",
  listTeams: "listTeamPermissionsInSite",
  updateTeam: "updateTeamPermissionInSite",
  removeTeam: "removeTeamFromSite",
  listEffective: "listPermissionsAggregateInSite"
}

interface UserGrant {
  readonly permission: string
  readonly user: { readonly id: string }
}

interface TeamGrant {
  readonly permission: string
  readonly team: { readonly id: string }
}

/** Shares content with users and teams, and updates and removes the grants. */
const checkPermissions = async (
  operations: PermissionOperations,
  content: Readonly<Record<string, string>>,
  teams: ReadonlyArray<string>,
  { ada, bob, rita }: ScenarioContext
): Promise<void> => {
  const userGrants = async () =>
    (await ada.call<Page<UserGrant>>(operations.listUsers, content)).items.map(({ permission, user }) => [
      user.id,
      permission
    ])
  const teamGrants = async () =>
    (await ada.call<Page<TeamGrant>>(operations.listTeams, content)).items.map(({ permission, team }) => [
      team.id,
      permission
    ])
  await ada.call(operations.share, content, { body: { users: [bob.id, rita.id], teams, role: "edit" } })
  expect((await userGrants()).toSorted()).toEqual([bob.id, rita.id].map((id) => [id, "edit"]).toSorted())
  expect((await teamGrants()).toSorted()).toEqual(teams.map((id) => [id, "edit"]).toSorted())
  const query = operations === ofSite ? {} : { query: { role: "edit" } }
  const effective = await ada.call<Page<UserGrant>>(operations.listEffective, content, query)
  expect(effective.items.map(({ user }) => user.id)).toEqual(expect.arrayContaining([bob.id, rita.id]))

  const user = { ...content, userId: bob.id }
  await ada.call(operations.updateUser, user, { body: { role: "review" } })
  expect(await userGrants()).toContainEqual([bob.id, "review"])
  await ada.call(operations.removeUser, user)
  expect((await userGrants()).map(([id]) => id)).toEqual([rita.id])
  const team = { ...content, teamId: teams[0]! }
  await ada.call(operations.updateTeam, team, { body: { role: "comment" } })
  expect(await teamGrants()).toContainEqual([teams[0], "comment"])
  await ada.call(operations.removeTeam, team)
  expect((await teamGrants()).map(([id]) => id)).toEqual(teams.slice(1))
}

/** A role on a site permits more than the role in the organization, and only on this site. */
const checkRoleOnSite = async (
  { ada, rita, eve }: ScenarioContext,
  site: Readonly<Record<string, string>>,
  team: string
): Promise<void> => {
  const roles = async () =>
    (await ada.call<Page<SitePermission>>("listPermissionsAggregateInSite", site)).items
      .filter(({ user }) => user.id === rita.id)
      .map(({ permission, origin }) => ({ permission, origin }))
  const rename = { body: { title: "Renamed" } }
  await rita.expectError(403, "updateSiteById", site, rename)
  await rita.expectError(403, "inviteToSite", site, { body: { users: [rita.id], role: "admin" } })
  await ada.call("updateUserPermissionInSite", { ...site, userId: rita.id }, { body: { role: "create" } })
  expect(await roles()).toMatchObject([
    { permission: "create", origin: { type: "site", site: site.siteId, reason: "member" } }
  ])
  const { permissions } = await rita.call<Site>("updateSiteById", site, rename)
  expect([permissions.edit, permissions.admin]).toEqual([true, false])
  await rita.expectError(403, "createSite", { organizationId: site.organizationId! }, { body: {} })

  const member = { organizationId: site.organizationId!, teamId: team, userId: rita.id }
  await ada.call("addMemberToOrganizationTeamById", member, { body: {} })
  await ada.call("inviteToSite", site, { body: { teams: [team], role: "admin" } })
  expect(await roles()).toMatchObject([{ permission: "admin", origin: { reason: "team", team } }])
  const list = async (query: { readonly [name: string]: string }) =>
    (await ada.call<Page<SitePermission>>("listPermissionsAggregateInSite", site, { query })).items.map(
      ({ user }) => user.id
    )
  const everyone = await list({ order: "asc" })
  expect(await list({ order: "desc" })).toEqual(everyone.toReversed())
  expect(await list({ team })).toEqual([rita.id])
  expect(await list({ team: "missing" })).toEqual([])
  // The filter is on the role in the organization, as in the list of members.
  expect(await list({ role: "read" })).toContain(rita.id)
  expect(await list({ role: "guest" })).not.toContain(rita.id)
  expect(await list({ search: "RITA", sort: "joinedAt" })).toEqual([rita.id])
  expect(everyone).toEqual(expect.arrayContaining(await list({ sort: "lastSeenAt" })))
  expect(new Set(await list({ sort: "name", order: "asc" }))).toEqual(new Set(everyone))
  await rita.call("removeTeamFromSite", { ...site, teamId: team })
  await rita.expectError(403, "removeUserFromSite", { ...site, userId: rita.id })
  await ada.call("inviteToSite", site, { body: { users: [rita.id], role: null } })
  await rita.expectError(403, "updateSiteById", site, rename)
  await eve.expectError(404, "listUserPermissionsInSite", site)
}

export const permissions: ContractScenario = {
  title: "A space, a collection and a site are shared with users and teams",
  requires: ["collectionPermissions", "spacePermissions", "sitePermissions", "siteAdministration"],
  run: async (context) => {
    const { ada, acme, tag } = context
    const at = { organizationId: acme.id }
    const collection = await ada.call<Collection>("createCollection", at, { body: { title: "Products" } })
    const space = await ada.call<Space>("createSpace", at, { body: { title: "Shared" } })
    const teams: Array<string> = []
    for (const title of [`Editors ${tag}`, `Testers ${tag}`]) {
      teams.push((await ada.call<Team>("createOrganizationTeam", at, { body: { title } })).id)
    }
    await checkPermissions(ofCollection, { collectionId: collection.id }, teams, context)
    await checkPermissions(ofSpace, { spaceId: space.id }, teams, context)
    const { id } = await ada.call<Site>("createSite", at, { body: { title: "Shared", spaces: [space.id] } })
    const site = { organizationId: acme.id, siteId: id }
    await checkPermissions(ofSite, site, teams, context)
    await ada.call("inviteToSite", site, { body: { users: [context.rita.id], role: null } })
    await checkRoleOnSite(context, site, teams[0]!)
    await ada.call("deleteSiteById", site)
    await ada.call("deleteCollectionById", { collectionId: collection.id })
    await ada.call("deleteSpaceById", { spaceId: space.id })
  }
}
