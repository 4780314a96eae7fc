/** What users do with invite links. */
import assert from "node:assert/strict"
import type { RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import {
  at,
  type By,
  type Feature,
  forOneWho,
  kind,
  pick,
  roleOrGuest,
  type Stage,
  type Watch
} from "../Feature.ts"
import { atLeast, type Refusal, type WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAll } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly role: RoleOrGuest
  readonly redundant: boolean
}

interface Choosing {
  readonly organization: number
  readonly invite: number
}

/** The invite that a number picks, and the organization that it is looked for in: now and then another one. */
const choose = (from: Stage, given: Choosing & By) => {
  const { model, cast } = from
  const [id, invite] = at([...model.invites], given.invite) ?? ["nothing", undefined]
  const isElsewhere = given.invite % 9 === 0 || invite === undefined
  const organization = isElsewhere ? at(cast.organizations, given.organization)! : invite.organization
  const stage = forOneWho(from, given, (user) => model.roleIn(user, organization) === "admin")
  const missing: Refusal | undefined = invite?.organization === organization ? undefined : "NotFound"
  return { id, invite, organization, stage, missing }
}

const isRedundant = (
  model: WorkspaceModel,
  user: string,
  organization: string,
  role: RoleOrGuest
): boolean => {
  const mine = model.roleIn(user, organization)
  return mine !== undefined && (role === null || atLeast(mine, role))
}

const isShown = (model: WorkspaceModel, user: string, id: string, shown: Shown): void => {
  const { organization, role } = model.invites.get(id)!
  const redundant = isRedundant(model, user, organization, role)
  assert.deepEqual({ id: shown.id, role: shown.role, redundant: shown.redundant }, { id, role, redundant })
}

const invite = { organization: pick, invite: pick }

/** Invite links. */
export const invites: Feature = {
  kinds: {
    createInvite: kind<{ organization: number; role: RoleOrGuest }>(
      2,
      { organization: pick, role: roleOrGuest },
      async (from, given) => {
        const { model, cast } = from
        const organization = at(cast.organizations, given.organization)!
        const stage = forOneWho(from, given, (user) => model.roleIn(user, organization) === "admin")
        const { role } = given
        const refusal = model.tryIn(stage.user, organization, "admin")
        const value = await stage.expect(["invites", "create", [organization, { role }]], refusal)
        if (refusal !== undefined) return
        const { id } = value as Shown
        model.invites.set(id, { organization, role })
        isShown(model, stage.user, id, value as Shown)
      }
    ),
    takeInvite: kind<Choosing>(3, invite, async (from, given) => {
      const { id, invite, organization, missing } = choose(from, given)
      const { model, user, expect } = from
      const refusal = missing ?? (model.closedToLinks.has(organization) ? "Conflict" : undefined)
      const value = await expect(["invites", "get", [organization, id]], missing)
      if (value !== undefined) isShown(model, user, id, value as Shown)
      await expect(["invites", "join", [organization, id]], refusal)
      if (refusal === undefined) model.join(user, organization, invite!.role)
    }),
    changeInvite: kind<Choosing & { role: RoleOrGuest }>(
      1,
      { ...invite, role: roleOrGuest },
      async (from, given) => {
        const { role } = given
        const { id, invite, organization, stage, missing } = choose(from, given)
        const refusal = stage.model.tryIn(stage.user, organization, "admin") ?? missing
        const value = await stage.expect(["invites", "update", [organization, id, { role }]], refusal)
        if (refusal !== undefined) return
        invite!.role = role
        isShown(stage.model, stage.user, id, value as Shown)
      }
    ),
    removeInvite: kind<Choosing>(1, invite, async (from, given) => {
      const { id, organization, stage, missing } = choose(from, given)
      const refusal = stage.model.tryIn(stage.user, organization, "admin") ?? missing
      await stage.expect(["invites", "remove", [organization, id]], refusal)
      if (refusal === undefined) stage.model.invites.delete(id)
    }),
    // Whether an organization takes people by links at all.
    openLinks: kind<{ organization: number; inviteLinks: boolean }>(
      1,
      { organization: pick, inviteLinks: fc.boolean() },
      async (from, given) => {
        const { model, cast } = from
        const organization = at(cast.organizations, given.organization)!
        const stage = forOneWho(from, given, (user) => model.roleIn(user, organization) === "admin")
        const { inviteLinks } = given
        const refusal = model.tryIn(stage.user, organization, "admin")
        await stage.expect(["organizations", "update", [organization, { inviteLinks }]], refusal)
        if (refusal !== undefined) return
        if (inviteLinks) model.closedToLinks.delete(organization)
        else model.closedToLinks.add(organization)
      }
    )
  },
  compare: async ({ api, model, user }: Watch) => {
    for (const organization of model.members.keys()) {
      const found = await readAll<Shown>(api, user, (page) => ["invites", "list", [organization, page]])
      const refusal = model.tryIn(user, organization, "admin")
      if (refusal !== undefined) {
        assert.equal(found, refusal)
        continue
      }
      assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
      const expected = [...model.invites].filter(([, one]) => one.organization === organization)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(([id]) => id).toReversed()
      )
      for (const shown of found) isShown(model, user, shown.id, shown)
    }
  }
}
