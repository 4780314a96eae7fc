/** Steps on members: roles, invites, teams, and grants. */
import type { RoleOrGuest } from "@lectern/core"
import { type ActorChoice, choose, nth, nthOf, roleOrGuest } from "../definition/choices.ts"
import { asUserWho, asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import type { Refusal } from "../model/WorkspaceModel.ts"
import { comparePeople } from "./PeopleCompare.ts"

interface Sharing {
  readonly item: number
  readonly to: "user" | "team" | "foreignTeam"
  readonly other: number
  readonly role: RoleOrGuest
}

const share = async (context: StepContext, given: Sharing & ActorChoice): Promise<void> => {
  const { model, actors } = context
  const item = nthOf([...model.items.values()], given.item)
  if (item === undefined) return
  const { user, expect } = asUserWithRole(context, given, "admin", item)
  const { role } = given
  const other = nthOf(actors.users, given.other)!
  const isForeign = given.to === "foreignTeam" ? 1 : 0
  const team = nthOf(actors.teams, actors.organizations.indexOf(item.organization) + isForeign)!
  const isToTeam = given.to !== "user"
  const isThere = isToTeam
    ? model.teams.get(team)?.organization === item.organization
    : model.roleIn(other, item.organization) !== undefined
  const refusal = model.tryReach(user, item, "admin", "change") ?? (isThere ? undefined : "NotFound")
  const content = item.kind === "space" ? { space: item.id } : { collection: item.id }
  await expect(
    ["permissions", isToTeam ? "updateTeam" : "updateUser", [content, isToTeam ? team : other, { role }]],
    refusal
  )
  if (refusal !== undefined) return
  const to = isToTeam ? { team } : { user: other }
  model.grants = [
    ...model.grants.filter(
      (grant) => grant.target !== item.id || (isToTeam ? grant.team !== team : grant.user !== other)
    ),
    ...(role === null ? [] : [{ target: item.id, role, ...to }])
  ]
}

interface Meeting {
  readonly other: number
  readonly organization: number
}

/** Resolves the organization and the other user that a step is about. Permitted actors are administrators. */
const meet = (from: StepContext, given: Meeting & ActorChoice) => {
  const { model, actors } = from
  const organization = nthOf(actors.organizations, given.organization)!
  return {
    context: asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin"),
    organization,
    other: nthOf(actors.users, given.other)!,
    members: model.members.get(organization)!
  }
}

/** The refusal of a change of the membership of another user. */
const tryChange = (
  { model, user }: StepContext,
  organization: string,
  other: string
): Refusal | undefined => {
  const outside = model.tryIn(user, organization, null)
  if (outside !== undefined) return outside
  const sees = user === other || model.tryIn(user, organization, "read") === undefined
  if (!sees || model.roleIn(other, organization) === undefined) return "NotFound"
  return model.tryIn(user, organization, "admin")
}

const changeRole = async (
  from: StepContext,
  given: Meeting & { role: RoleOrGuest } & ActorChoice
): Promise<void> => {
  const { context, organization, other, members } = meet(from, given)
  const last = given.role !== "admin" && context.model.isLastAdministrator(other, organization)
  const refusal = tryChange(context, organization, other) ?? (last ? "Conflict" : undefined)
  await context.expect(["members", "update", [organization, other, { role: given.role }]], refusal)
  if (refusal === undefined) members.set(other, given.role)
}

const dismiss = async (from: StepContext, given: Meeting & ActorChoice): Promise<void> => {
  const { context, organization, other } = meet(from, given)
  const { model, expect } = context
  const last = model.isLastAdministrator(other, organization) ? "Conflict" : undefined
  const refusal = tryChange(context, organization, other) ?? last
  await expect(["members", "remove", [organization, other]], refusal)
  if (refusal === undefined) model.dismiss(other, organization)
}

const join = async (
  from: StepContext,
  given: Meeting & { role: RoleOrGuest } & ActorChoice
): Promise<void> => {
  const { context, organization, other } = meet(from, given)
  const { model, user, expect } = context
  const refusal = model.tryIn(user, organization, "admin")
  const { role } = given
  const made = await expect(["invites", "create", [organization, { role }]], refusal)
  if (refusal !== undefined) return
  const { id } = made as { id: string }
  model.invites.set(id, { organization, role })
  const closed = model.closedToLinks.has(organization) ? "Conflict" : undefined
  await context.as(other).expect(["invites", "join", [organization, id]], closed)
  if (closed === undefined) model.join(other, organization, role)
}

type Place = "owner" | "member" | "added" | "removed"

const changeTeam = async (from: StepContext, given: Meeting & { as: Place } & ActorChoice): Promise<void> => {
  const { context, organization, other, members } = meet(from, given)
  const { model, actors, user, expect } = context
  const id = nthOf(actors.teams, actors.organizations.indexOf(organization))!
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

const disband = async ({ model, actors, user, expect }: StepContext, given: { organization: number }) => {
  const organization = nthOf(actors.organizations, given.organization)!
  const id = nthOf(actors.teams, actors.organizations.indexOf(organization))!
  const team = model.teams.get(id)
  const sees = team?.users.has(user) === true || model.tryIn(user, organization, "read") === undefined
  const hidden = team === undefined || !sees ? "NotFound" : undefined
  const refusal = model.tryIn(user, organization, null) ?? hidden ?? model.tryIn(user, organization, "admin")
  await expect(["teams", "remove", [organization, id]], refusal)
  if (refusal !== undefined) return
  model.teams.delete(id)
  model.grants = model.grants.filter(({ team }) => team !== id)
}

const meeting = { other: nth, organization: nth }

/** Members, teams, invites and grants. */
export const people: Feature = {
  steps: {
    share: defineStep<Sharing>({
      weight: 4,
      choices: { item: nth, to: choose({ user: 5, team: 4, foreignTeam: 1 }), other: nth, role: roleOrGuest },
      run: share
    }),
    changeRole: defineStep<Meeting & { role: RoleOrGuest }>({
      weight: 2,
      choices: { ...meeting, role: roleOrGuest },
      run: changeRole
    }),
    join: defineStep<Meeting & { role: RoleOrGuest }>({
      weight: 2,
      choices: { ...meeting, role: roleOrGuest },
      run: join
    }),
    dismiss: defineStep<Meeting>({ weight: 2, choices: meeting, run: dismiss }),
    changeTeam: defineStep<Meeting & { as: Place }>({
      weight: 2,
      choices: { ...meeting, as: choose({ owner: 1, member: 1, added: 1, removed: 1 }) },
      run: changeTeam
    }),
    disband: defineStep<{ organization: number }>({
      weight: 1,
      choices: { organization: nth },
      run: disband
    })
  },
  compare: comparePeople
}
