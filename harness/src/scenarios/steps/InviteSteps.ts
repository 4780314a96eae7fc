/** Steps on invite links: create, update, remove, and join by one. */
import assert from "node:assert/strict"
import type { RoleOrGuest } from "@lectern/core"
import {
  type ActorChoice,
  choose,
  nth,
  nthOf,
  type OrganizationChoice,
  organizationChoice,
  roleOrGuest
} from "../definition/choices.ts"
import { asUserWho, defineStep, type Feature, type Observer, type StepContext } from "../definition/Step.ts"
import { type ErrorTag, hasRole, type WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly role: RoleOrGuest
  readonly redundant: boolean
}

interface InviteChoice {
  readonly organization: OrganizationChoice
  readonly invite: number
}

/** Resolves an invite, and the organization in which the step looks it up. Permitted actors are administrators. */
const resolveInvite = (from: StepContext, given: InviteChoice & ActorChoice) => {
  const { model, actors } = from
  const [id, invite] = nthOf([...model.invites], given.invite) ?? ["nothing", undefined]
  const { which, nth } = given.organization
  const isAny = which === "any" || invite === undefined
  const organization = isAny ? nthOf(actors.organizations, nth)! : invite.organization
  const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
  const missing: ErrorTag | undefined = invite?.organization === organization ? undefined : "NotFound"
  return { id, invite, organization, context, missing }
}

const isRedundant = (
  model: WorkspaceModel,
  user: string,
  organization: string,
  role: RoleOrGuest
): boolean => {
  const current = model.roleIn(user, organization)
  return current !== undefined && (role === null || hasRole(current, role))
}

const compareInvite = (model: WorkspaceModel, user: string, id: string, shown: Shown): void => {
  const { organization, role } = model.invites.get(id)!
  const redundant = isRedundant(model, user, organization, role)
  assert.deepEqual({ id: shown.id, role: shown.role, redundant: shown.redundant }, { id, role, redundant })
}

const inviteChoice = { organization: organizationChoice, invite: nth }

/** The feature of invite links. */
export const invites: Feature = {
  steps: {
    createInvite: defineStep<{ organization: number; role: RoleOrGuest }>({
      weight: 2,
      choices: { organization: nth, role: roleOrGuest },
      run: async (from, given) => {
        const { model, actors } = from
        const organization = nthOf(actors.organizations, given.organization)!
        const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
        const { role } = given
        const expectedError = model.membershipError(context.user, organization, "admin")
        const value = await context.expect(["invites", "create", [organization, { role }]], expectedError)
        if (expectedError !== undefined) return
        const { id } = value as Shown
        model.invites.set(id, { organization, role })
        compareInvite(model, context.user, id, value as Shown)
      }
    }),
    joinByInvite: defineStep<InviteChoice>({
      weight: 3,
      choices: inviteChoice,
      run: async (from, given) => {
        const { id, invite, organization, missing } = resolveInvite(from, given)
        const { model, user, expect } = from
        const expectedError = missing ?? (model.closedToLinks.has(organization) ? "Conflict" : undefined)
        const value = await expect(["invites", "get", [organization, id]], missing)
        if (value !== undefined) compareInvite(model, user, id, value as Shown)
        await expect(["invites", "join", [organization, id]], expectedError)
        if (expectedError === undefined) model.addMember(user, organization, invite!.role)
      }
    }),
    updateInvite: defineStep<InviteChoice & { role: RoleOrGuest }>({
      weight: 1,
      choices: { ...inviteChoice, role: roleOrGuest },
      run: async (from, given) => {
        const { role } = given
        const { id, invite, organization, context, missing } = resolveInvite(from, given)
        const expectedError = context.model.membershipError(context.user, organization, "admin") ?? missing
        const value = await context.expect(["invites", "update", [organization, id, { role }]], expectedError)
        if (expectedError !== undefined) return
        invite!.role = role
        compareInvite(context.model, context.user, id, value as Shown)
      }
    }),
    removeInvite: defineStep<InviteChoice>({
      weight: 1,
      choices: inviteChoice,
      run: async (from, given) => {
        const { id, organization, context, missing } = resolveInvite(from, given)
        const expectedError = context.model.membershipError(context.user, organization, "admin") ?? missing
        await context.expect(["invites", "remove", [organization, id]], expectedError)
        if (expectedError === undefined) context.model.invites.delete(id)
      }
    }),
    // Allows or forbids joining an organization by invite links.
    setInviteLinks: defineStep<{ organization: number; inviteLinks: "allowed" | "forbidden" }>({
      weight: 1,
      choices: { organization: nth, inviteLinks: choose({ allowed: 1, forbidden: 1 }) },
      run: async (from, given) => {
        const { model, actors } = from
        const organization = nthOf(actors.organizations, given.organization)!
        const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
        const inviteLinks = given.inviteLinks === "allowed"
        const expectedError = model.membershipError(context.user, organization, "admin")
        await context.expect(["organizations", "update", [organization, { inviteLinks }]], expectedError)
        if (expectedError !== undefined) return
        if (inviteLinks) model.closedToLinks.delete(organization)
        else model.closedToLinks.add(organization)
      }
    })
  },
  compare: async ({ api, model, user }: Observer) => {
    for (const organization of model.members.keys()) {
      const found = await readAllPages<Shown>(api, user, (page) => ["invites", "list", [organization, page]])
      const expectedError = model.membershipError(user, organization, "admin")
      if (expectedError !== undefined) {
        assert.equal(found, expectedError)
        continue
      }
      assert.ok(typeof found !== "string", `Listing invites failed with ${String(found)}.`)
      const expected = [...model.invites].filter(([, one]) => one.organization === organization)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(([id]) => id).toReversed()
      )
      for (const shown of found) compareInvite(model, user, shown.id, shown)
    }
  }
}
