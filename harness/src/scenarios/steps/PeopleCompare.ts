/** Comparing what a workspace shows of its people with what the model knows. */
import assert from "node:assert/strict"
import { Policy } from "@lectern/core"
import type { WorkspaceApi } from "../api/WorkspaceApi.ts"
import { nthOf } from "../definition/choices.ts"
import type { Observer } from "../definition/Step.ts"
import type { Item, WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAll } from "./TreeCompare.ts"

interface ShownMember {
  readonly id: string
  readonly role: unknown
  readonly spaces: number
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

/** What the members of an organization are shown of each other. */
const compareMembers = async (
  api: WorkspaceApi,
  model: WorkspaceModel,
  user: string,
  organization: string
) => {
  const refusal = model.tryIn(user, organization, "read")
  const shown = await readAll<ShownMember>(api, user, (page) => ["members", "list", [organization, page]])
  const teams = await readAll<ShownTeam>(api, user, (page) => ["teams", "list", [organization, page]])
  if (refusal !== undefined) {
    assert.deepEqual([shown, teams], [refusal, refusal])
    return
  }
  assert.ok(typeof shown !== "string" && typeof teams !== "string")
  assert.deepEqual(
    shown.map(({ id, role, spaces, teams }) => ({ id, role, spaces, teams })),
    [...model.members.get(organization)!].reverse().map(([id, role]) => ({
      id,
      role,
      spaces: model.listed(id, organization, "space").length,
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
            team === id && (target === space.id || model.above(space).some((above) => above.id === target))
        )
      ).length,
      permissions: Policy.teamPermissions(model.roleIn(user, organization)!, users.get(user) ?? "outside")
    }))
  )
}

/** The spaces that somebody is told to see themselves, with their roles. */
const compareOwnSpaces = async (
  api: WorkspaceApi,
  model: WorkspaceModel,
  user: string,
  organization: string
) => {
  const own = await readAll<SpacePermission>(api, user, (page) => [
    "members",
    "listSpaces",
    [organization, user, page]
  ])
  if (model.roleIn(user, organization) === undefined) {
    assert.equal(own, "NotFound")
    return
  }
  assert.ok(typeof own !== "string", `listing failed with ${String(own)}`)
  assert.deepEqual(
    own.map(({ permission, space }) => [space.id, permission]),
    newestFirst(model.listed(user, organization, "space")).map((item) => [item.id, model.roleOn(user, item)])
  )
}

/** Who sees an item, with which role: what is listed is what each of them has. */
const compareAggregate = async (api: WorkspaceApi, model: WorkspaceModel, user: string, item: Item) => {
  const content = item.kind === "space" ? { space: item.id } : { collection: item.id }
  const seen = model.tryReach(user, item, "read", "view")
  const refusal = seen ?? (model.roleIn(user, item.organization) === null ? "Forbidden" : undefined)
  const expected = [...model.members.get(item.organization)!.keys()]
    .reverse()
    .map((id) => [id, model.roleOn(id, item)] as const)
    .filter(([, role]) => role !== null)
  for (const role of [undefined, ...new Set(expected.map(([, role]) => role!))]) {
    const shown = await readAll<Permission>(api, user, (page) => [
      "permissions",
      "listEffective",
      [content, role === undefined ? page : { ...page, role }]
    ])
    if (refusal !== undefined) {
      assert.equal(shown, refusal)
      return
    }
    assert.ok(typeof shown !== "string", `listing failed with ${String(shown)}`)
    assert.deepEqual(
      shown.map(({ permission, user }) => [user.id, permission]),
      expected.filter(([, its]) => role === undefined || its === role)
    )
  }
}

/** What a workspace shows one of its users of its people; and who sees an item, where they look at one. */
export const comparePeople = async ({ api, model, user, focus }: Observer): Promise<void> => {
  for (const organization of model.members.keys()) {
    await compareMembers(api, model, user, organization)
    await compareOwnSpaces(api, model, user, organization)
  }
  const item = focus === undefined ? undefined : nthOf([...model.items.values()], focus)
  if (item !== undefined) await compareAggregate(api, model, user, item)
}
