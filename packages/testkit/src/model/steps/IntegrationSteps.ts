/** Steps on integrations: one organization publishes them, any organization installs them. */
import assert from "node:assert/strict"
import { type ActorChoice, type Choice, choose, chooseNth, nth, nthOf } from "../definition/choices.ts"
import {
  asUserWho,
  defineStep,
  errorTagOf,
  type Feature,
  type Observer,
  type StepContext
} from "../definition/Step.ts"
import type { Integration } from "../state/IntegrationModel.ts"
import { type ErrorTag, spacesOf, type WorkspaceModel } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface IntegrationChoice {
  readonly organization: number
  readonly integration: Choice<"first" | "second" | "third">
}

/** Whether a user is a member of an organization, and not a guest. */
const hasAnyRole = (model: WorkspaceModel, user: string, organization: string): boolean =>
  (model.roleIn(user, organization) ?? null) !== null

/**
 * Predicts the error of reading an integration. Members of its owner, and of organizations that installed it, can read
 * a private one, except for guests.
 */
const visibilityError = (
  model: WorkspaceModel,
  user: string,
  one: Integration | undefined
): ErrorTag | undefined => {
  if (one === undefined) return "NotFound"
  const isIn = (organization: string) => hasAnyRole(model, user, organization)
  const isInside = isIn(one.organization) || one.installations.some(({ organization }) => isIn(organization))
  return one.isPrivate && !isInside ? "NotFound" : undefined
}

/** Whether a user is an administrator of an organization. */
const isAdministrator = (model: WorkspaceModel, user: string, organization: string): boolean =>
  model.roleIn(user, organization) === "admin"

/** Predicts the error of an action that only an administrator of an organization can perform. */
const administratorError = (
  model: WorkspaceModel,
  user: string,
  organization: string
): ErrorTag | undefined => model.membershipError(user, organization, "admin")

/**
 * Resolves an integration by name. Names contain the id of an organization, as other scenarios may use the same
 * workspace.
 */
const resolveIntegration = (from: StepContext, given: IntegrationChoice & ActorChoice) => {
  const { model, actors } = from
  const name = `${actors.organizations[0]}-${given.integration.which}`
  const organization = nthOf(actors.organizations, given.organization)!
  const context = asUserWho(from, given, (user) => isAdministrator(model, user, organization))
  return { name, organization, context, known: model.integrations.get(name) }
}

const publish = async (
  from: StepContext,
  given: IntegrationChoice & { readonly visibility: "private" | "public" } & ActorChoice
): Promise<void> => {
  const { name, organization, context, known } = resolveIntegration(from, given)
  const { model, user, expect } = context
  const isTaken = known !== undefined && known.organization !== organization
  const expectedError = administratorError(model, user, organization) ?? (isTaken ? "Forbidden" : undefined)
  const { visibility } = given
  const isPrivate = visibility === "private"
  const content = { title: "Tool", description: "Does it.", script: "void 0", scopes: [] }
  const input = { ...content, organization, visibility }
  const value = await expect(["integrations", "publish", [name, input]], expectedError)
  if (expectedError !== undefined) return
  const one = known ?? { name, organization, version: 0, isPrivate, installations: [] }
  one.version++
  one.isPrivate = isPrivate
  model.integrations.set(name, one)
  compareIntegration(model, user, one, value as Shown)
}

/** Resolves an integration by name, or any existing one if no integration has the name. */
const resolveExisting = (from: StepContext, given: IntegrationChoice & ActorChoice) => {
  const chosen = resolveIntegration(from, given)
  const known = chosen.known ?? nthOf([...from.model.integrations.values()], given.integration.nth)
  return { ...chosen, known, name: known?.name ?? chosen.name }
}

const install = async (from: StepContext, given: IntegrationChoice & ActorChoice): Promise<void> => {
  const { name, organization, context, known } = resolveExisting(from, given)
  const { model, user, expect } = context
  const isClosed = known?.isPrivate === true && known.organization !== organization
  const isThere = known?.installations.some((one) => one.organization === organization) === true
  const expectedError =
    visibilityError(model, user, known) ??
    administratorError(model, user, organization) ??
    (isClosed ? "NotFound" : isThere ? "Conflict" : undefined)
  const value = await expect(["installations", "create", [name, { organization }]], expectedError)
  if (expectedError === undefined)
    known!.installations.push({ id: (value as { id: string }).id, organization })
}

const uninstall = async (from: StepContext, given: IntegrationChoice & ActorChoice): Promise<void> => {
  const { name, organization, context, known } = resolveExisting(from, given)
  const { model, user, expect } = context
  const one = known?.installations.find((installation) => installation.organization === organization)
  const canSee =
    one !== undefined &&
    [known!.organization, one.organization].some((its) => isAdministrator(model, user, its))
  const roleError = isAdministrator(model, user, organization) ? undefined : "Forbidden"
  const expectedError = visibilityError(model, user, known) ?? (canSee ? roleError : "NotFound")
  await expect(["installations", "remove", [name, one?.id ?? "nothing"]], expectedError)
  if (expectedError === undefined) known!.installations.splice(known!.installations.indexOf(one!), 1)
}

interface Shown {
  readonly name: string
  readonly version: number
  readonly visibility: string
  readonly permissions: { readonly admin: boolean; readonly install: boolean }
}

const compareIntegration = (model: WorkspaceModel, user: string, one: Integration, shown: Shown): void => {
  const admin = isAdministrator(model, user, one.organization)
  const anywhere = [...model.members.keys()].some((organization) =>
    isAdministrator(model, user, organization)
  )
  assert.deepEqual(
    {
      name: shown.name,
      version: shown.version,
      visibility: shown.visibility,
      permissions: shown.permissions
    },
    {
      name: one.name,
      version: one.version,
      visibility: one.isPrivate ? "private" : "public",
      permissions: { admin, install: one.isPrivate ? admin : anywhere }
    }
  )
}

const compareInstallations = async ({ api, model, user }: Observer, one: Integration): Promise<void> => {
  const found = await readAllPages<{ id: string; spaces: number }>(api, user, (page) => [
    "installations",
    "list",
    [one.name, page]
  ])
  const isOwner = isAdministrator(model, user, one.organization)
  const expected = one.installations.filter(
    ({ organization }) => isOwner || isAdministrator(model, user, organization)
  )
  assert.deepEqual(
    (found as ReadonlyArray<{ id: string; spaces: number }>).map(({ id, spaces }) => [id, spaces]),
    expected
      .map(({ id, organization }) => [
        id,
        spacesOf(model).filter(
          (space) => space.organization === organization && space.deletedAt === undefined
        ).length
      ])
      .toReversed()
  )
}

const integrationChoice = {
  organization: nth,
  integration: chooseNth({ first: 1, second: 1, third: 1 })
}

/** The feature of integrations and their installations. */
export const integrations: Feature = {
  steps: {
    publishIntegration: defineStep<IntegrationChoice & { visibility: "private" | "public" }>({
      weight: 3,
      choices: { ...integrationChoice, visibility: choose({ private: 1, public: 1 }) },
      run: publish
    }),
    unpublishIntegration: defineStep<IntegrationChoice>({
      weight: 1,
      choices: integrationChoice,
      run: async (from, given) => {
        const { name, context, known } = resolveExisting(from, given)
        const { model, user, expect } = context
        const roleError =
          known === undefined || isAdministrator(model, user, known.organization) ? undefined : "Forbidden"
        const expectedError = visibilityError(model, user, known) ?? roleError
        await expect(["integrations", "unpublish", [name]], expectedError)
        if (expectedError === undefined) model.integrations.delete(name)
      }
    }),
    install: defineStep<IntegrationChoice>({ weight: 3, choices: integrationChoice, run: install }),
    uninstall: defineStep<IntegrationChoice>({ weight: 1, choices: integrationChoice, run: uninstall })
  },
  compare: async (observer) => {
    const { api, model, user } = observer
    const all = [...model.integrations.values()]
    for (const organization of model.members.keys()) {
      const found = await readAllPages<Shown>(api, user, (page) => [
        "integrations",
        "list",
        [{ ...page, owner: organization }]
      ])
      assert.ok(typeof found !== "string", `Listing integrations failed with ${String(found)}.`)
      const isIn = hasAnyRole(model, user, organization)
      const expected = all.filter((one) => one.organization === organization && (isIn || !one.isPrivate))
      assert.deepEqual(
        found.map(({ name }) => name),
        expected.map(({ name }) => name).toReversed()
      )
      for (const shown of found) compareIntegration(model, user, model.integrations.get(shown.name)!, shown)
    }
    for (const one of all) {
      const outcome = await api.call(user, ["integrations", "get", [one.name]])
      assert.equal(errorTagOf(outcome), visibilityError(model, user, one))
      if (!outcome.ok) continue
      compareIntegration(model, user, one, outcome.value as Shown)
      await compareInstallations(observer, one)
    }
  }
}
