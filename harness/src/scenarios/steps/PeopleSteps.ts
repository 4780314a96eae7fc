/** What the users of a story do with each other: roles, invites, teams, and what is shared with whom. */
import type { RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import {
  at,
  type By,
  type Feature,
  forOneWho,
  forOneWith,
  kind,
  pick,
  roleOrGuest,
  type Stage
} from "../Feature.ts"
import type { Refusal } from "../model/WorkspaceModel.ts"
import { comparePeople } from "./PeopleCompare.ts"

interface Sharing {
  readonly item: number
  readonly to: number
  readonly team: boolean
  readonly role: RoleOrGuest
}

const share = async (stage: Stage, given: Sharing & By): Promise<void> => {
  const { model, cast } = stage
  const item = at([...model.items.values()], given.item)
  if (item === undefined) return
  const { user, expect } = forOneWith(stage, given, "admin", item)
  const { role } = given
  const other = at(cast.users, given.to)!
  const elsewhere = given.to % 5 === 0 ? 1 : 0
  const team = cast.teams[(cast.organizations.indexOf(item.organization) + elsewhere) % 2]!
  const isThere = given.team
    ? model.teams.get(team)?.organization === item.organization
    : model.roleIn(other, item.organization) !== undefined
  const refusal = model.tryReach(user, item, "admin", "change") ?? (isThere ? undefined : "NotFound")
  const content = item.kind === "space" ? { space: item.id } : { collection: item.id }
  await expect(
    ["grants", given.team ? "updateTeam" : "updateUser", [content, given.team ? team : other, { role }]],
    refusal
  )
  if (refusal !== undefined) return
  const to = given.team ? { team } : { user: other }
  model.grants = [
    ...model.grants.filter(
      (grant) => grant.target !== item.id || (given.team ? grant.team !== team : grant.user !== other)
    ),
    ...(role === null ? [] : [{ target: item.id, role, ...to }])
  ]
}

interface Meeting {
  readonly to: number
  readonly organization: number
}

/** The organization and the other, of whom a step is about; often who does it administrates the organization. */
const meet = (from: Stage, given: Meeting & By) => {
  const { model, cast } = from
  const organization = at(cast.organizations, given.organization)!
  return {
    stage: forOneWho(from, given, (user) => model.roleIn(user, organization) === "admin"),
    organization,
    other: at(cast.users, given.to)!,
    members: model.members.get(organization)!
  }
}

/** How it ends when the user changes the membership of the other. */
const tryChange = ({ model, user }: Stage, organization: string, other: string): Refusal | undefined => {
  const outside = model.tryIn(user, organization, null)
  if (outside !== undefined) return outside
  const sees = user === other || model.tryIn(user, organization, "read") === undefined
  if (!sees || model.roleIn(other, organization) === undefined) return "NotFound"
  return model.tryIn(user, organization, "admin")
}

const changeRole = async (from: Stage, given: Meeting & { role: RoleOrGuest } & By): Promise<void> => {
  const { stage, organization, other, members } = meet(from, given)
  const last = given.role !== "admin" && stage.model.isLastAdministrator(other, organization)
  const refusal = tryChange(stage, organization, other) ?? (last ? "Conflict" : undefined)
  await stage.expect(["members", "update", [organization, other, { role: given.role }]], refusal)
  if (refusal === undefined) members.set(other, given.role)
}

const dismiss = async (from: Stage, given: Meeting & By): Promise<void> => {
  const { stage, organization, other } = meet(from, given)
  const { model, expect } = stage
  const last = model.isLastAdministrator(other, organization) ? "Conflict" : undefined
  const refusal = tryChange(stage, organization, other) ?? last
  await expect(["members", "remove", [organization, other]], refusal)
  if (refusal === undefined) model.dismiss(other, organization)
}

const join = async (from: Stage, given: Meeting & { role: RoleOrGuest } & By): Promise<void> => {
  const { stage, organization, other } = meet(from, given)
  const { model, user, expect } = stage
  const refusal = model.tryIn(user, organization, "admin")
  const { role } = given
  const made = await expect(["invites", "create", [organization, { role }]], refusal)
  if (refusal !== undefined) return
  const { id } = made as { id: string }
  model.invites.set(id, { organization, role })
  const closed = model.closedToLinks.has(organization) ? "Conflict" : undefined
  await stage.as(other).expect(["invites", "join", [organization, id]], closed)
  if (closed === undefined) model.join(other, organization, role)
}

type Place = "owner" | "member" | "added" | "removed"

const changeTeam = async (from: Stage, given: Meeting & { as: Place } & By): Promise<void> => {
  const { stage, organization, other, members } = meet(from, given)
  const { model, cast, user, expect } = stage
  const id = at(cast.teams, cast.organizations.indexOf(organization))!
  const team = model.teams.get(id)
  const place = team?.users.get(user)
  const hidden =
    team === undefined || (place === undefined && model.tryIn(user, organization, "read") !== undefined)
  const outside = model.tryIn(user, organization, null) ?? (hidden ? "NotFound" : undefined)
  const refusal =
    outside ??
    (place === "owner" ? undefined : model.tryIn(user, organization, "admin")) ??
    (given.as !== "removed" && !members.has(other) ? "InvalidInput" : undefined)
  const change =
    given.as === "removed"
      ? { add: [other], remove: [other] }
      : given.as === "added"
        ? { add: [other] }
        : { memberships: { [other]: { role: given.as } } }
  const stranger = given.as === "removed" && !members.has(other) ? { remove: [other] } : change
  await expect(["teams", "updateMembers", [organization, id, stranger]], refusal)
  if (refusal !== undefined || team === undefined) return
  if (given.as === "removed") team.users.delete(other)
  else if (given.as !== "added") team.users.set(other, given.as)
  else if (!team.users.has(other)) team.users.set(other, "member")
}

const disband = async ({ model, cast, user, expect }: Stage, given: { organization: number }) => {
  const organization = at(cast.organizations, given.organization)!
  const id = at(cast.teams, cast.organizations.indexOf(organization))!
  const team = model.teams.get(id)
  const sees = team?.users.has(user) === true || model.tryIn(user, organization, "read") === undefined
  const hidden = team === undefined || !sees ? "NotFound" : undefined
  const refusal = model.tryIn(user, organization, null) ?? hidden ?? model.tryIn(user, organization, "admin")
  await expect(["teams", "remove", [organization, id]], refusal)
  if (refusal !== undefined) return
  model.teams.delete(id)
  model.grants = model.grants.filter(({ team }) => team !== id)
}

const meeting = { to: pick, organization: pick }

/** Members, teams, invites and grants. */
export const people: Feature = {
  kinds: {
    share: kind<Sharing>(4, { item: pick, to: pick, team: fc.boolean(), role: roleOrGuest }, share),
    member: kind<Meeting & { role: RoleOrGuest }>(2, { ...meeting, role: roleOrGuest }, changeRole),
    join: kind<Meeting & { role: RoleOrGuest }>(2, { ...meeting, role: roleOrGuest }, join),
    dismiss: kind<Meeting>(2, meeting, dismiss),
    team: kind<Meeting & { as: Place }>(
      2,
      { ...meeting, as: fc.constantFrom<Place>("owner", "member", "added", "removed") },
      changeTeam
    ),
    disband: kind<{ organization: number }>(1, { organization: pick }, disband)
  },
  compare: comparePeople
}
