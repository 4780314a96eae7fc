/** What the users of a story do with each other: roles, invites, teams, and what is shared with whom. */
import assert from "node:assert/strict"
import type { Call, WorkspaceApi } from "./WorkspaceApi.ts"
import type { Refusal, WorkspaceModel } from "./WorkspaceModel.ts"
import { at, refusalOf, type Step } from "./WorkspaceSteps.ts"
import type { Cast } from "./WorkspaceStory.ts"

const kinds = ["share", "member", "join", "dismiss", "team"] as const
type PeopleStep = Extract<Step, { readonly do: (typeof kinds)[number] }>

/** Whether a step is one of these. */
export const isPeopleStep = (step: Step): step is PeopleStep =>
  (kinds as ReadonlyArray<string>).includes(step.do)

/** Plays a step, which has to end as the model says. */
export const playPeopleStep = async (
  api: WorkspaceApi,
  model: WorkspaceModel,
  cast: Cast,
  step: PeopleStep
): Promise<void> => {
  const user = at(cast.users, step.by)!
  const expect = async (by: string, call: Call, refusal: Refusal | undefined): Promise<unknown> => {
    const outcome = await api.call(by, call)
    assert.equal(refusalOf(outcome), refusal, `${JSON.stringify(call)} by ${by}`)
    return outcome.ok ? outcome.value : undefined
  }
  const other = at(cast.users, step.to)!

  if (step.do === "share") {
    const item = at([...model.items.values()], step.item)
    if (item === undefined) return
    const { role } = step
    const team =
      cast.teams[(cast.organizations.indexOf(item.organization) + (step.to % 5 === 0 ? 1 : 0)) % 2]!
    const isThere = step.team
      ? model.teams.get(team)!.organization === item.organization
      : model.roleIn(other, item.organization) !== undefined
    const refusal = model.tryReach(user, item, "admin", "change") ?? (isThere ? undefined : "NotFound")
    const content = item.kind === "space" ? { space: item.id } : { collection: item.id }
    await expect(
      user,
      ["grants", step.team ? "updateTeam" : "updateUser", [content, step.team ? team : other, { role }]],
      refusal
    )
    if (refusal !== undefined) return
    const to = step.team ? { team } : { user: other }
    model.grants = [
      ...model.grants.filter(
        (grant) => grant.target !== item.id || (step.team ? grant.team !== team : grant.user !== other)
      ),
      ...(role === null ? [] : [{ target: item.id, role, ...to }])
    ]
    return
  }

  const organization = at(cast.organizations, step.organization)!
  const members = model.members.get(organization)!

  /** How it ends when the user changes the membership of the other. */
  const tryChange = (): Refusal | undefined => {
    const outside = model.tryIn(user, organization, null)
    if (outside !== undefined) return outside
    const sees = user === other || model.tryIn(user, organization, "read") === undefined
    if (!sees || !members.has(other)) return "NotFound"
    return model.tryIn(user, organization, "admin")
  }

  switch (step.do) {
    case "member": {
      const last = step.role !== "admin" && model.isLastAdministrator(other, organization)
      const refusal = tryChange() ?? (last ? "Conflict" : undefined)
      await expect(user, ["members", "update", [organization, other, { role: step.role }]], refusal)
      if (refusal === undefined) members.set(other, step.role)
      return
    }
    case "dismiss": {
      const refusal = tryChange() ?? (model.isLastAdministrator(other, organization) ? "Conflict" : undefined)
      await expect(user, ["members", "remove", [organization, other]], refusal)
      if (refusal !== undefined) return
      members.delete(other)
      for (const team of model.teams.values()) {
        if (team.organization === organization) team.users.delete(other)
      }
      model.grants = model.grants.filter(
        ({ target, user: whose }) => whose !== other || model.items.get(target)?.organization !== organization
      )
      return
    }
    case "join": {
      const refusal = model.tryIn(user, organization, "admin")
      const { role } = step
      const made = await expect(user, ["invites", "create", [organization, { role }]], refusal)
      if (refusal !== undefined) return
      await expect(other, ["invites", "join", [organization, (made as { id: string }).id]], undefined)
      const before = members.get(other)
      const gains =
        before === undefined || (role !== null && model.tryIn(other, organization, role) !== undefined)
      if (gains) members.set(other, role)
      return
    }
    case "team": {
      const id = at(cast.teams, cast.organizations.indexOf(organization))!
      const { users } = model.teams.get(id)!
      const place = users.get(user)
      const hidden = place === undefined && model.tryIn(user, organization, "read") !== undefined
      const outside = model.tryIn(user, organization, null) ?? (hidden ? "NotFound" : undefined)
      const refusal =
        outside ??
        (place === "owner" ? undefined : model.tryIn(user, organization, "admin")) ??
        (step.as !== "removed" && !members.has(other) ? "InvalidInput" : undefined)
      const change =
        step.as === "removed"
          ? { add: [other], remove: [other] }
          : step.as === "added"
            ? { add: [other] }
            : { memberships: { [other]: { role: step.as } } }
      const stranger = step.as === "removed" && !members.has(other) ? { remove: [other] } : change
      await expect(user, ["teams", "updateMembers", [organization, id, stranger]], refusal)
      if (refusal !== undefined) return
      if (step.as === "removed") users.delete(other)
      else if (step.as !== "added") users.set(other, step.as)
      else if (!users.has(other)) users.set(other, "member")
      return
    }
  }
}
