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
import { defaultLinkLifetimeMs, type InviteState } from "../state/PeopleModel.ts"
import { type ErrorTag, hasRole, type WorkspaceModel } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly role: RoleOrGuest
  readonly redundant: boolean
  readonly uses: number
  readonly expiresAt?: string
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

/** Whether joining by a link with a role changes nothing for a user. */
export const isRedundantInvite = (
  model: WorkspaceModel,
  user: string,
  organization: string,
  role: RoleOrGuest
): boolean => {
  const current = model.roleIn(user, organization)
  return current !== undefined && (role === null || hasRole(current, role))
}

const dayMs = 24 * 60 * 60 * 1_000

/** The lifetimes of links, in milliseconds. */
const lifetimes = { byDefault: defaultLinkLifetimeMs, soon: 2 * dayMs, never: undefined }

/** Whether a user who is not a member yet can join by a link: its inviter still has its role. */
const isUsable = (model: WorkspaceModel, invite: InviteState, now: number): boolean => {
  const inviterRole = model.roleIn(invite.inviter, invite.organization)
  return (
    (invite.expiresAt === undefined || invite.expiresAt > now) &&
    (invite.maximumUses === undefined || invite.uses < invite.maximumUses) &&
    inviterRole !== undefined &&
    (invite.role === null || hasRole(inviterRole, invite.role))
  )
}

const compareInvite = (model: WorkspaceModel, user: string, id: string, shown: Shown): void => {
  const { organization, role, uses, expiresAt } = model.invites.get(id)!
  const redundant = isRedundantInvite(model, user, organization, role)
  const expiry = model.shownTime(expiresAt, shown.expiresAt)
  assert.deepEqual(
    [shown.id, shown.role, shown.redundant, shown.uses, shown.expiresAt],
    [id, role, redundant, uses, expiry]
  )
}

const inviteChoice = { organization: organizationChoice, invite: nth }

/** The feature of invite links. */
export const invites: Feature = {
  steps: {
    createInvite: defineStep<{
      organization: number
      role: RoleOrGuest
      expiry: "byDefault" | "soon" | "never"
      uses: "any" | "one"
    }>({
      weight: 2,
      choices: {
        organization: nth,
        role: roleOrGuest,
        expiry: choose({ byDefault: 2, soon: 1, never: 1 }),
        uses: choose({ any: 2, one: 1 })
      },
      run: async (from, given) => {
        const { model, actors } = from
        const organization = nthOf(actors.organizations, given.organization)!
        const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
        const { role } = given
        const expectedError = model.membershipError(context.user, organization, "admin")
        const lifetime = lifetimes[given.expiry]
        const expiresAt = lifetime === undefined ? undefined : from.api.now() + lifetime
        const maximumUses = given.uses === "one" ? 1 : undefined
        const input = {
          role,
          ...(given.expiry === "byDefault"
            ? {}
            : { expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString() }),
          ...(maximumUses === undefined ? {} : { maximumUses })
        }
        const value = await context.expect(["invites", "create", [organization, input]], expectedError)
        if (expectedError !== undefined) return
        const { id } = value as Shown
        model.invites.set(id, { organization, role, inviter: context.user, expiresAt, maximumUses, uses: 0 })
        compareInvite(model, context.user, id, value as Shown)
      }
    }),
    joinByInvite: defineStep<InviteChoice>({
      weight: 3,
      choices: inviteChoice,
      run: async (from, given) => {
        const { id, invite, organization, missing } = resolveInvite(from, given)
        const { model, user, expect } = from
        const isClosed = model.closedToLinks.has(organization)
        const changesNothing =
          invite !== undefined && isRedundantInvite(model, user, organization, invite.role)
        const expectedError =
          missing ??
          (isClosed
            ? "Conflict"
            : changesNothing || isUsable(model, invite!, from.api.now())
              ? undefined
              : "Gone")
        const value = await expect(["invites", "get", [organization, id]], missing)
        if (value !== undefined) compareInvite(model, user, id, value as Shown)
        await expect(["invites", "join", [organization, id]], expectedError)
        if (expectedError !== undefined) return
        if (!changesNothing) invite!.uses++
        model.addMember(user, organization, invite!.role)
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
        invite!.inviter = context.user
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
