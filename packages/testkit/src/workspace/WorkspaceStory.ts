/**
 * Stories: random sequences of what several users do with collections and spaces, played on a workspace and on the
 * model side by side. After each step the answer has to be the one that the model expects, and what every list
 * shows one of the users has to be what the model says they see.
 */
import assert from "node:assert/strict"
import type { RoleOrGuest } from "@lectern/core"
import { comparePeople } from "./PeopleCompare.ts"
import { isPeopleStep, playPeopleStep } from "./PeopleStory.ts"
import type { Call, WorkspaceApi } from "./WorkspaceApi.ts"
import { compareItem, compareLists } from "./WorkspaceCompare.ts"
import { type Item, type Move, type Pointer, type Refusal, WorkspaceModel } from "./WorkspaceModel.ts"
import { at, refusalOf, type Step } from "./WorkspaceSteps.ts"

/** Who and what a story is about. */
export interface Cast {
  readonly users: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<string>
  readonly teams: ReadonlyArray<string>
}

/** Two organizations, five people with different roles in each, and a team in each. */
const assemble = async (api: WorkspaceApi, model: WorkspaceModel, name: string): Promise<Cast> => {
  const users: Array<string> = []
  for (let i = 0; i < 5; i++) users.push(await api.createUser(`${name}-${i}@example.com`))
  const organizations: Array<string> = []
  const teams: Array<string> = []
  const roles: ReadonlyArray<ReadonlyArray<RoleOrGuest | undefined>> = [
    ["admin", "create", "read", null, undefined],
    ["create", "admin", undefined, "edit", "create"]
  ]
  for (const [index, given] of roles.entries()) {
    const organization = await api.createOrganization(`Organization ${index}`, users[index]!)
    organizations.push(organization)
    // Whoever makes an organization is its first member.
    model.members.set(organization, new Map([[users[index]!, "admin"]]))
    for (const [member, itsRole] of given.entries()) {
      if (itsRole === undefined) continue
      await api.setMember(organization, users[member]!, itsRole)
      model.members.get(organization)!.set(users[member]!, itsRole)
    }
    const inTeam = [users[2 + 2 * index]!, users[3]!]
    const team = await api.createTeam(organization, inTeam)
    teams.push(team)
    model.teams.set(team, { organization, users: new Map(inTeam.map((user) => [user, "member"])) })
  }
  return { users, organizations, teams }
}

const pointerTo = (item: Item | undefined): Pointer | undefined =>
  item === undefined
    ? undefined
    : item.kind === "space"
      ? { type: "space", space: item.id }
      : { type: "collection", collection: item.id }

const service = (item: Item): "collections" | "spaces" => (item.kind === "space" ? "spaces" : "collections")

/** Plays a story on a workspace, and fails where the workspace is not what the model says. */
export const play = async (api: WorkspaceApi, name: string, steps: ReadonlyArray<Step>): Promise<void> => {
  // What an earlier story left in the bin of the same database is none of this one's.
  await api.advance(8 * 24 * 60 * 60 * 1000)
  await api.purge()
  const model = new WorkspaceModel(api.now())
  const cast = await assemble(api, model, name)
  for (const [index, step] of steps.entries()) {
    model.now = api.now()
    await playStep(api, model, cast, step)
    const watcher = at(cast.users, step.by + index)!
    await compareLists(api, model, watcher)
    await comparePeople(api, model, watcher, at([...model.items.values()], step.by * 7 + index))
  }
  for (const user of cast.users) {
    await compareLists(api, model, user)
    await comparePeople(api, model, user, undefined)
  }
}

const playStep = async (api: WorkspaceApi, model: WorkspaceModel, cast: Cast, step: Step): Promise<void> => {
  if (isPeopleStep(step)) return playPeopleStep(api, model, cast, step)
  const user = at(cast.users, step.by)!
  const everything = [...model.items.values()]
  const folders = everything.filter(({ kind }) => kind === "collection")
  const item = "item" in step ? at(everything, step.item) : undefined

  /** Makes the call; its end has to be as expected. Answers what came, where it succeeded. */
  const expect = async (call: Call, refusal: Refusal | undefined): Promise<unknown> => {
    const outcome = await api.call(user, call)
    assert.equal(refusalOf(outcome), refusal, `${JSON.stringify(call)} by ${user}`)
    return outcome.ok ? outcome.value : undefined
  }

  switch (step.do) {
    case "createCollection":
    case "createSpace": {
      const organization = at(cast.organizations, step.organization)!
      const parent = step.into === 0 ? null : (at(folders, step.into)?.id ?? null)
      const kind = step.do === "createSpace" ? "space" : "collection"
      const tooDeep = kind === "collection" && model.depthIn(parent) > 8 ? "InvalidInput" : undefined
      const refusal = model.tryOpen(user, organization, parent) ?? tooDeep
      const input = { title: kind, ...(parent === null ? {} : { parent }) }
      const value = await expect([`${kind}s`, "create", [organization, input]], refusal)
      if (refusal !== undefined) return
      model.add({
        kind,
        id: (value as { id: string }).id,
        organization,
        parent,
        title: kind,
        level: "inherit",
        editMode: "live",
        deletedAt: undefined
      })
      return compareItem(model, user, value)
    }
    case "move": {
      if (item === undefined) return
      const parent =
        step.into === "stay" ? undefined : step.into === 0 ? null : (at(folders, step.into)?.id ?? null)
      const siblings = model.siblings(item.organization, parent === undefined ? item.parent : parent)
      // One in three stands elsewhere, so that refusals come up as well.
      const one = (n: number) =>
        n % 4 === 0 ? undefined : n % 4 === 1 ? at(everything, n) : model.items.get(at(siblings, n) ?? "")
      const before = pointerTo(one(step.before))
      const after = pointerTo(one(step.after))
      const move: Move = {
        ...(parent === undefined ? {} : { parent }),
        position: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
      }
      const reached = model.tryReach(user, item, "create", "change")
      const goal = reached ?? model.tryMove(user, item, move)
      const value = await expect(
        [service(item), "move", [item.id, move]],
        typeof goal === "string" ? goal : undefined
      )
      if (typeof goal === "string") return
      model.place(item, item.organization, goal.parent, goal.index)
      return compareItem(model, user, value)
    }
    case "level": {
      if (item === undefined) return
      const refusal = model.tryReach(user, item, "admin", "change")
      const value = await expect([service(item), "update", [item.id, { defaultLevel: step.level }]], refusal)
      if (refusal !== undefined) return
      item.level = step.level
      return compareItem(model, user, value)
    }
    case "rename": {
      if (item === undefined) return
      const refusal = model.tryReach(user, item, "create", "change")
      const value = await expect([service(item), "update", [item.id, { title: step.title }]], refusal)
      if (refusal !== undefined) return
      item.title = step.title
      return compareItem(model, user, value)
    }
    case "lock": {
      if (item?.kind !== "space") return
      const refusal = model.tryReach(user, item, "admin", "change")
      const editMode = step.locked ? "locked" : "live"
      const value = await expect(["spaces", "update", [item.id, { editMode }]], refusal)
      if (refusal !== undefined) return
      item.editMode = editMode
      return compareItem(model, user, value)
    }
    case "get": {
      const known = item ?? { kind: "space" as const, id: "nothing" }
      const value = await expect(
        [`${known.kind}s`, "get", [known.id]],
        model.tryReach(user, item, "read", "view")
      )
      if (value !== undefined) compareItem(model, user, value)
      return
    }
    case "remove": {
      if (item === undefined) return
      const refusal = model.tryReach(user, item, "admin", "change")
      await expect([service(item), "remove", [item.id]], refusal)
      if (refusal !== undefined) return
      if (item.kind === "space") {
        item.deletedAt = model.now
        return
      }
      const inside = model.everythingIn(item)
      for (const child of inside.filter(({ kind }) => kind === "space")) {
        model.place(
          child,
          item.organization,
          item.parent,
          model.siblings(item.organization, item.parent).length
        )
      }
      for (const folder of [item, ...inside.filter(({ kind }) => kind === "collection")].reverse())
        model.drop(folder)
      return
    }
    case "restore": {
      if (item?.kind !== "space") return
      const reached = model.tryReach(user, item, "admin", "restore")
      const refusal = reached ?? (item.deletedAt === undefined ? "Conflict" : undefined)
      const value = await expect(["spaces", "restore", [item.id]], refusal)
      if (refusal !== undefined) return
      item.deletedAt = undefined
      return compareItem(model, user, value)
    }
    case "duplicate": {
      if (item?.kind !== "space") return
      const opens = model.tryOpen(user, item.organization, item.parent) === undefined
      const refusal = model.tryReach(user, item, "create", "change") ?? (opens ? undefined : "Forbidden")
      const value = await expect(["spaces", "duplicate", [item.id]], refusal)
      if (refusal !== undefined) return
      const copy = { ...item, id: (value as { id: string }).id, title: (value as { title: string }).title }
      model.add(copy, model.siblings(item.organization, item.parent).indexOf(item.id) + 1)
      return compareItem(model, user, value)
    }
    case "transfer": {
      if (item === undefined) return
      const organization = at(cast.organizations, step.organization)!
      const reached = model.tryReach(user, item, "admin", "change")
      const here = organization === item.organization ? "Conflict" : undefined
      const there = model.tryOpen(user, organization, null) === undefined ? undefined : "PreconditionFailed"
      const inside = model.everythingIn(item)
      const all = inside.every((child) => model.roleOn(user, child) === "admin") ? undefined : "Forbidden"
      const refusal = reached ?? here ?? there ?? all
      const value = await expect([service(item), "transfer", [item.id, { organization }]], refusal)
      if (refusal !== undefined) return
      model.place(item, organization, null, model.siblings(organization, null).length)
      for (const child of inside) child.organization = organization
      const gone = new Set([item, ...inside].map(({ id }) => id))
      model.grants = model.grants.filter(({ target }) => !gone.has(target))
      return compareItem(model, user, value)
    }
    case "expire": {
      const by = cast.users.findIndex(
        (one) => item !== undefined && model.roleIn(one, item.organization) === "admin"
      )
      await playStep(api, model, cast, { by, do: "remove", item: step.item })
      await playStep(api, model, cast, { by, do: "wait", milliseconds: step.milliseconds })
      return playStep(api, model, cast, { by, do: "restore", item: step.item })
    }
    case "wait": {
      await api.advance(step.milliseconds)
      model.now = api.now()
      return
    }
    case "purge": {
      const expired = everything.filter((one) => model.isExpired(one))
      assert.equal(await api.purge(), expired.length)
      for (const one of expired) model.drop(one)
      return
    }
  }
}
