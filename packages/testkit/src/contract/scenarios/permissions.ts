/** Content is shared with users and teams. */
import type { Collection, Page, Space, Team } from "@lectern/core"
import { expect } from "vitest"
import type { OperationId } from "../endpoints.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { Stage } from "../Stage.ts"

/** The operations on the permissions of one kind of content. */
interface Sharing {
  readonly share: OperationId
  readonly listUsers: OperationId
  readonly updateUser: OperationId
  readonly removeUser: OperationId
  readonly listTeams: OperationId
  readonly updateTeam: OperationId
  readonly removeTeam: OperationId
  readonly listEffective: OperationId
}

const ofSpace: Sharing = {
  share: "inviteToSpace",
  listUsers: "listUserPermissionsInSpace",
  updateUser: "updateUserPermissionInSpace",
  removeUser: "removeUserFromSpace",
  listTeams: "listTeamPermissionsInSpace",
  updateTeam: "updateTeamPermissionInSpace",
  removeTeam: "removeTeamFromSpace",
  listEffective: "listPermissionsAggregateInSpace"
}

const ofCollection: Sharing = {
  share: "inviteToCollection",
  listUsers: "listUserPermissionsInCollection",
  updateUser: "updateUserPermissionInCollection",
  removeUser: "removeUserFromCollection",
  listTeams: "listTeamPermissionsInCollection",
  updateTeam: "updateTeamPermissionInCollection",
  removeTeam: "removeTeamFromCollection",
  listEffective: "listPermissionsAggregateInCollection"
}

interface UserGrant {
  readonly permission: string
  readonly user: { readonly id: string }
}

interface TeamGrant {
  readonly permission: string
  readonly team: { readonly id: string }
}

/** Shares content, changes each grant, and removes it. */
const shareWith = async (
  does: Sharing,
  content: Readonly<Record<string, string>>,
  teams: ReadonlyArray<string>,
  { ada, bob, rita }: Stage
): Promise<void> => {
  const users = async () =>
    (await ada.call<Page<UserGrant>>(does.listUsers, content)).items.map(({ permission, user }) => [
      user.id,
      permission
    ])
  const granted = async () =>
    (await ada.call<Page<TeamGrant>>(does.listTeams, content)).items.map(({ permission, team }) => [
      team.id,
      permission
    ])
  await ada.call(does.share, content, { body: { users: [bob.id, rita.id], teams, role: "edit" } })
  expect((await users()).toSorted()).toEqual([bob.id, rita.id].map((id) => [id, "edit"]).toSorted())
  expect((await granted()).toSorted()).toEqual(teams.map((id) => [id, "edit"]).toSorted())
  const effective = await ada.call<Page<UserGrant>>(does.listEffective, content, { query: { role: "edit" } })
  expect(effective.items.map(({ user }) => user.id)).toEqual(expect.arrayContaining([bob.id, rita.id]))

  const user = { ...content, userId: bob.id }
  await ada.call(does.updateUser, user, { body: { role: "review" } })
  expect(await users()).toContainEqual([bob.id, "review"])
  await ada.call(does.removeUser, user)
  expect((await users()).map(([id]) => id)).toEqual([rita.id])
  const team = { ...content, teamId: teams[0]! }
  await ada.call(does.updateTeam, team, { body: { role: "comment" } })
  expect(await granted()).toContainEqual([teams[0], "comment"])
  await ada.call(does.removeTeam, team)
  expect((await granted()).map(([id]) => id)).toEqual(teams.slice(1))
}

export const permissions: ContractScenario = {
  title: "A space and a collection are shared with users and teams",
  beyond: "permissions",
  run: async (stage) => {
    const { ada, acme, tag } = stage
    const at = { organizationId: acme.id }
    const collection = await ada.call<Collection>("createCollection", at, { body: { title: "Products" } })
    const space = await ada.call<Space>("createSpace", at, { body: { title: "Shared" } })
    const teams: Array<string> = []
    for (const title of [`Editors ${tag}`, `Testers ${tag}`]) {
      teams.push((await ada.call<Team>("createOrganizationTeam", at, { body: { title } })).id)
    }
    await shareWith(ofCollection, { collectionId: collection.id }, teams, stage)
    await shareWith(ofSpace, { spaceId: space.id }, teams, stage)
    await ada.call("deleteCollectionById", { collectionId: collection.id })
    await ada.call("deleteSpaceById", { spaceId: space.id })
  }
}
