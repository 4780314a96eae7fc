/** Steps on members: roles, invites, teams, and grants. */
import type { RoleOrGuest } from "@lectern/core"
import { type ActorChoice, choose, nth, nthOf, roleOrGuest } from "../definition/choices.ts"
import { asUserWho, asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import type { Actors } from "../state/Actors.ts"
import { defaultLinkLifetimeMs } from "../state/PeopleModel.ts"
import type { ErrorTag, WorkspaceModel } from "../state/WorkspaceModel.ts"
import { isRedundantInvite } from "./InviteSteps.ts"
import { comparePeople } from "./PeopleCompare.ts"
import { type OneSite, resolveSite, siteChoice } from "./SiteChoice.ts"
import { siteError } from "./SiteCompare.ts"

interface Sharing {
  readonly item: number
  readonly to: "user" | "team" | "foreignTeam"
  readonly other: number
  readonly role: RoleOrGuest
}

/** Returns the team of an organization, or of another one. A server can be without teams: then it is an id that no team has. */
const teamOf = ({ organizations, teams }: Actors, organization: string, offset = 0): string =>
  nthOf(teams, organizations.indexOf(organization) + offset) ?? "nothing"

/** Replaces the grant of a user or a team on an item or a site. */
const setGrant = (
  model: WorkspaceModel,
  target: string,
  to: { readonly user: string } | { readonly team: string },
  role: RoleOrGuest
): void => {
  model.grants = [
    ...model.grants.filter(
      (grant) => grant.target !== target || ("team" in to ? grant.team !== to.team : grant.user !== to.user)
    ),
    ...(role === null ? [] : [{ target, role, ...to }])
  ]
}

const share = async (context: StepContext, given: Sharing & ActorChoice): Promise<void> => {
  const { model, actors } = context
  const item = nthOf([...model.items.values()], given.item)
  if (item === undefined) return
  const { user, expect } = asUserWithRole(context, given, "admin", item)
  const { role } = given
  const other = nthOf(actors.users, given.other)!
  const isForeign = given.to === "foreignTeam" ? 1 : 0
  const team = teamOf(actors, item.organization, isForeign)
  const isToTeam = given.to !== "user"
  const isThere = isToTeam
    ? model.teams.get(team)?.organization === item.organization
    : model.roleIn(other, item.organization) !== undefined
  const expectedError = model.accessError(user, item, "admin", "change") ?? (isThere ? undefined : "NotFound")
  const content = item.kind === "space" ? { space: item.id } : { collection: item.id }
  await expect(
    ["permissions", isToTeam ? "updateTeam" : "updateUser", [content, isToTeam ? team : other, { role }]],
    expectedError
  )
  if (expectedError !== undefined) return
  setGrant(model, item.id, isToTeam ? { team } : { user: other }, role)
}

/** Grants a role on a site to a user or a team. */
const shareSite = async (from: StepContext, given: Omit<Sharing, "item"> & OneSite & ActorChoice) => {
  const { model, actors } = from
  const chosen = resolveSite(from, given)
  if (chosen === undefined) return
  const { site, organization } = chosen
  const { user, expect } = asUserWho(from, given, (one) => model.roleOnSite(one, site) === "admin")
  const { role } = given
  const other = nthOf(actors.users, given.other)!
  const isForeign = given.to === "foreignTeam" ? 1 : 0
  const team = teamOf(actors, site.organization, isForeign)
  const isToTeam = given.to !== "user"
  const isThere = isToTeam
    ? model.teams.get(team)?.organization === site.organization
    : model.roleIn(other, site.organization) !== undefined
  const expectedError =
    siteError(model, user, site, organization, "admin") ?? (isThere ? undefined : "NotFound")
  const content = { organization, site: site.id }
  await expect(
    ["permissions", isToTeam ? "updateTeam" : "updateUser", [content, isToTeam ? team : other, { role }]],
    expectedError
  )
  if (expectedError === undefined) setGrant(model, site.id, isToTeam ? { team } : { user: other }, role)
}

interface MemberChoice {
  readonly other: number
  readonly organization: number
}

/** Resolves the organization, and the member or user that a step is about. Permitted actors are administrators. */
const resolveMember = (from: StepContext, given: MemberChoice & ActorChoice) => {
  const { model, actors } = from
  const organization = nthOf(actors.organizations, given.organization)!
  return {
    context: asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin"),
    organization,
    other: nthOf(actors.users, given.other)!,
    members: model.members.get(organization)!
  }
}

/** Predicts the error of a change of the membership of a user. */
const memberChangeError = (
  { model, user }: StepContext,
  organization: string,
  other: string
): ErrorTag | undefined => {
  const outside = model.membershipError(user, organization, null)
  if (outside !== undefined) return outside
  const canSee = user === other || model.membershipError(user, organization, "read") === undefined
  if (!canSee || model.roleIn(other, organization) === undefined) return "NotFound"
  return model.membershipError(user, organization, "admin")
}

const changeRole = async (
  from: StepContext,
  given: MemberChoice & { role: RoleOrGuest } & ActorChoice
): Promise<void> => {
  const { context, organization, other, members } = resolveMember(from, given)
  const last = given.role !== "admin" && context.model.isLastAdministrator(other, organization)
  const expectedError = memberChangeError(context, organization, other) ?? (last ? "Conflict" : undefined)
  await context.expect(["members", "update", [organization, other, { role: given.role }]], expectedError)
  if (expectedError === undefined) members.set(other, given.role)
}

const removeMember = async (from: StepContext, given: MemberChoice & ActorChoice): Promise<void> => {
  const { context, organization, other } = resolveMember(from, given)
  const { model, expect } = context
  const last = model.isLastAdministrator(other, organization) ? "Conflict" : undefined
  const expectedError = memberChangeError(context, organization, other) ?? last
  await expect(["members", "remove", [organization, other]], expectedError)
  if (expectedError === undefined) model.removeMember(other, organization)
}

const inviteAndJoin = async (
  from: StepContext,
  given: MemberChoice & { role: RoleOrGuest } & ActorChoice
): Promise<void> => {
  const { context, organization, other } = resolveMember(from, given)
  const { model, user, expect } = context
  const expectedError = model.membershipError(user, organization, "admin")
  const { role } = given
  const made = await expect(["invites", "create", [organization, { role }]], expectedError)
  if (expectedError !== undefined) return
  const { id } = made as { id: string }
  model.invites.set(id, {
    organization,
    role,
    inviter: user,
    expiresAt: from.api.now() + defaultLinkLifetimeMs,
    maximumUses: undefined,
    uses: 0
  })
  const closed = model.closedToLinks.has(organization) ? "Conflict" : undefined
  await context.as(other).expect(["invites", "join", [organization, id]], closed)
  if (closed !== undefined) return
  if (!isRedundantInvite(model, other, organization, role)) model.invites.get(id)!.uses++
  model.addMember(other, organization, role)
}

type TeamChange = "owner" | "member" | "added" | "removed"

const changeTeam = async (
  from: StepContext,
  given: MemberChoice & { as: TeamChange } & ActorChoice
): Promise<void> => {
  const { context, organization, other, members } = resolveMember(from, given)
  const { model, actors, user, expect } = context
  const id = teamOf(actors, organization)
  const team = model.teams.get(id)
  const place = team?.users.get(user)
  const hidden =
    team === undefined ||
    (place === undefined && model.membershipError(user, organization, "read") !== undefined)
  const outside = model.membershipError(user, organization, null) ?? (hidden ? "NotFound" : undefined)
  const expectedError =
    outside ??
    (place === "owner" ? undefined : model.membershipError(user, organization, "admin")) ??
    (given.as !== "removed" && !members.has(other) ? "InvalidInput" : undefined)
  const change =
    given.as === "removed"
      ? { add: [other], remove: [other] }
      : given.as === "added"
        ? { add: [other] }
        : { memberships: { [other]: { role: given.as } } }
  const stranger = given.as === "removed" && !members.has(other) ? { remove: [other] } : change
  await expect(["teams", "updateMembers", [organization, id, stranger]], expectedError)
  if (expectedError !== undefined || team === undefined) return
  if (given.as === "removed") team.users.delete(other)
  else if (given.as !== "added") team.users.set(other, given.as)
  else if (!team.users.has(other)) team.users.set(other, "member")
}

const removeTeam = async ({ model, actors, user, expect }: StepContext, given: { organization: number }) => {
  const organization = nthOf(actors.organizations, given.organization)!
  const id = teamOf(actors, organization)
  const team = model.teams.get(id)
  const canSee =
    team?.users.has(user) === true || model.membershipError(user, organization, "read") === undefined
  const hidden = team === undefined || !canSee ? "NotFound" : undefined
  const expectedError =
    model.membershipError(user, organization, null) ??
    hidden ??
    model.membershipError(user, organization, "admin")
  await expect(["teams", "remove", [organization, id]], expectedError)
  if (expectedError !== undefined) return
  model.teams.delete(id)
  model.grants = model.grants.filter(({ team }) => team !== id)
}

const memberChoice = { other: nth, organization: nth }

/** The feature of members, teams and grants. */
export const people: Feature = {
  steps: {
    share: defineStep<Sharing>({
      weight: 4,
      choices: { item: nth, to: choose({ user: 5, team: 4, foreignTeam: 1 }), other: nth, role: roleOrGuest },
      run: share
    }),
    shareSite: defineStep<Omit<Sharing, "item"> & OneSite>({
      weight: 3,
      choices: {
        site: siteChoice,
        to: choose({ user: 5, team: 4, foreignTeam: 1 }),
        other: nth,
        role: roleOrGuest
      },
      run: shareSite
    }),
    changeRole: defineStep<MemberChoice & { role: RoleOrGuest }>({
      weight: 2,
      choices: { ...memberChoice, role: roleOrGuest },
      run: changeRole
    }),
    inviteAndJoin: defineStep<MemberChoice & { role: RoleOrGuest }>({
      weight: 2,
      choices: { ...memberChoice, role: roleOrGuest },
      run: inviteAndJoin
    }),
    removeMember: defineStep<MemberChoice>({ weight: 2, choices: memberChoice, run: removeMember }),
    changeTeam: defineStep<MemberChoice & { as: TeamChange }>({
      weight: 2,
      choices: { ...memberChoice, as: choose({ owner: 1, member: 1, added: 1, removed: 1 }) },
      run: changeTeam
    }),
    removeTeam: defineStep<{ organization: number }>({
      weight: 1,
      choices: { organization: nth },
      run: removeTeam
    })
  },
  compare: comparePeople
}
