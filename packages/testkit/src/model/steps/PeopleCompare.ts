/** Compares the members, teams and permissions of a workspace with the model. */
import assert from "node:assert/strict"
import { Policy } from "@lectern/core"
import type { WorkspaceApi } from "../api/WorkspaceApi.ts"
import { nthOf } from "../definition/choices.ts"
import type { Observer } from "../definition/Step.ts"
import type { Item, WorkspaceModel } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface ShownMember {
  readonly id: string
  readonly role: unknown
  readonly spaces: number
  readonly sites: number
  readonly teams: number
}
interface ShownTeam {
  readonly id: string
  readonly members: number
  readonly spaces: number
  readonly permissions: unknown
}
interface Permission {
  readonly permission: unknown
  readonly user: { readonly id: string }
}
interface SpacePermission {
  readonly permission: unknown
  readonly space: { readonly id: string }
}

const newestFirst = (items: ReadonlyArray<Item>) => items.toSorted((a, b) => (a.id < b.id ? 1 : -1))

const teamsOf = (model: WorkspaceModel, organization: string) =>
  [...model.teams].filter(([, team]) => team.organization === organization)

/** Compares the lists of members and teams of an organization. */
const compareMembers = async (
  api: WorkspaceApi,
  model: WorkspaceModel,
  user: string,
  organization: string
) => {
  const expectedError = model.membershipError(user, organization, "read")
  const shown = await readAllPages<ShownMember>(api, user, (page) => [
    "members",
    "list",
    [organization, page]
  ])
  const teams = await readAllPages<ShownTeam>(api, user, (page) => ["teams", "list", [organization, page]])
  if (expectedError !== undefined) {
    assert.deepEqual([shown, teams], [expectedError, expectedError])
    return
  }
  assert.ok(typeof shown !== "string" && typeof teams !== "string")
  assert.deepEqual(
    shown.map(({ id, role, spaces, sites, teams }) => ({ id, role, spaces, sites, teams })),
    [...model.members.get(organization)!].reverse().map(([id, role]) => ({
      id,
      role,
      spaces: model.visibleItems(id, organization, "space").length,
      sites: [...model.sites.values()].filter(
        (site) => site.organization === organization && model.roleOnSite(id, site) !== null
      ).length,
      teams: teamsOf(model, organization).filter(([, team]) => team.users.has(id)).length
    }))
  )
  const spaces = [...model.items.values()].filter(
    (item) => item.organization === organization && item.kind === "space" && item.deletedAt === undefined
  )
  assert.deepEqual(
    teams.map(({ id, members, spaces, permissions }) => ({ id, members, spaces, permissions })),
    teamsOf(model, organization).map(([id, { users }]) => ({
      id,
      members: users.size,
      spaces: spaces.filter((space) =>
        model.grants.some(
          ({ team, target }) =>
            team === id &&
            (target === space.id || model.ancestorsOf(space).some((above) => above.id === target))
        )
      ).length,
      permissions: Policy.teamPermissions(model.roleIn(user, organization)!, users.get(user) ?? "none")
    }))
  )
}

/** Compares the list of the spaces that a user can access, with their roles. */
const compareOwnSpaces = async (
  api: WorkspaceApi,
  model: WorkspaceModel,
  user: string,
  organization: string
) => {
  const own = await readAllPages<SpacePermission>(api, user, (page) => [
    "members",
    "listSpaces",
    [organization, user, page]
  ])
  if (model.roleIn(user, organization) === undefined) {
    assert.equal(own, "NotFound")
    return
  }
  assert.ok(typeof own !== "string", `Listing spaces failed with ${String(own)}.`)
  assert.deepEqual(
    own.map(({ permission, space }) => [space.id, permission]),
    newestFirst(model.visibleItems(user, organization, "space")).map((item) => [
      item.id,
      model.roleOn(user, item)
    ])
  )
}

/** Compares the effective permissions on an item: all users with access, and their roles. */
const compareAggregate = async (api: WorkspaceApi, model: WorkspaceModel, user: string, item: Item) => {
  const content = item.kind === "space" ? { space: item.id } : { collection: item.id }
  const seen = model.accessError(user, item, "read", "view")
  const expectedError = seen ?? (model.roleIn(user, item.organization) === null ? "Forbidden" : undefined)
  const expected = [...model.members.get(item.organization)!.keys()]
    .reverse()
    .map((id) => [id, model.roleOn(id, item)] as const)
    .filter(([, role]) => role !== null)
  for (const role of [undefined, ...new Set(expected.map(([, role]) => role!))]) {
    const shown = await readAllPages<Permission>(api, user, (page) => [
      "permissions",
      "listEffective",
      [content, role === undefined ? page : { ...page, role }]
    ])
    if (expectedError !== undefined) {
      assert.equal(shown, expectedError)
      return
    }
    assert.ok(typeof shown !== "string", `Listing permissions failed with ${String(shown)}.`)
    assert.deepEqual(
      shown.map(({ permission, user }) => [user.id, permission]),
      expected.filter(([, its]) => role === undefined || its === role)
    )
  }
}

/** Compares members and teams for a user and, with a focus, the effective permissions on one item. */
export const comparePeople = async ({ api, model, user, focus }: Observer): Promise<void> => {
  for (const organization of model.members.keys()) {
    await compareMembers(api, model, user, organization)
    await compareOwnSpaces(api, model, user, organization)
  }
  const item = focus === undefined ? undefined : nthOf([...model.items.values()], focus)
  if (item !== undefined) await compareAggregate(api, model, user, item)
}
