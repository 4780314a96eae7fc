/** Steps on translation settings: create, update and remove. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import {
  type ActorChoice,
  nth,
  nthOf,
  type OrganizationChoice,
  organizationChoice
} from "../definition/choices.ts"
import { asUserWho, defineStep, type Feature, type Observer, type StepContext } from "../definition/Step.ts"
import { hasRole, type WorkspaceModel } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly title: string
  readonly permissions: { readonly view: boolean; readonly edit: boolean }
}

interface TranslationChoice {
  readonly organization: OrganizationChoice
  readonly translation: number
}

/** Returns the context of the actor. Permitted actors have the role `create` in the organization. */
const asCreator = (from: StepContext, given: ActorChoice, organization: string) =>
  asUserWho(from, given, (user) => from.model.membershipError(user, organization, "create") === undefined)

/** Resolves translation settings, and the organization in which the step looks them up. */
const resolveTranslation = (from: StepContext, given: TranslationChoice & ActorChoice) => {
  const { model, actors } = from
  const [id, settings] = nthOf([...model.translations], given.translation) ?? ["nothing", undefined]
  const { which, nth } = given.organization
  const isAny = which === "any" || settings === undefined
  const organization = isAny ? nthOf(actors.organizations, nth)! : settings.organization
  const context = asCreator(from, given, organization)
  const missing = settings?.organization === organization ? undefined : "NotFound"
  const expectedError = model.membershipError(context.user, organization, "create") ?? missing
  return { id, settings, organization, context, expectedError }
}

const compareTranslation = (model: WorkspaceModel, user: string, id: string, shown: Shown): void => {
  const { organization, title } = model.translations.get(id)!
  const role = model.roleIn(user, organization)!
  assert.deepEqual(
    { id: shown.id, title: shown.title, permissions: shown.permissions },
    { id, title, permissions: { view: hasRole(role, "read"), edit: hasRole(role, "create") } }
  )
}

const title = fc.constantFrom("German", "All of Europe")

const translationChoice = { organization: organizationChoice, translation: nth }

/** The feature of translation settings. */
export const translations: Feature = {
  steps: {
    createTranslation: defineStep<{ organization: number; title: string }>({
      weight: 3,
      choices: { organization: nth, title },
      run: async (from, given) => {
        const { title } = given
        const organization = nthOf(from.actors.organizations, given.organization)!
        const context = asCreator(from, given, organization)
        const expectedError = context.model.membershipError(context.user, organization, "create")
        const value = await context.expect(
          ["translations", "create", [organization, { title }]],
          expectedError
        )
        if (expectedError !== undefined) return
        const { id } = value as Shown
        context.model.translations.set(id, { organization, title })
        compareTranslation(context.model, context.user, id, value as Shown)
      }
    }),
    updateTranslation: defineStep<TranslationChoice & { title: string }>({
      weight: 1,
      choices: { ...translationChoice, title },
      run: async (from, given) => {
        const { title } = given
        const { id, settings, organization, context, expectedError } = resolveTranslation(from, given)
        const value = await context.expect(
          ["translations", "update", [organization, id, { title }]],
          expectedError
        )
        if (expectedError !== undefined) return
        settings!.title = title
        compareTranslation(context.model, context.user, id, value as Shown)
      }
    }),
    removeTranslation: defineStep<TranslationChoice>({
      weight: 1,
      choices: translationChoice,
      run: async (from, given) => {
        const { id, organization, context, expectedError } = resolveTranslation(from, given)
        await context.expect(["translations", "remove", [organization, id]], expectedError)
        if (expectedError === undefined) context.model.translations.delete(id)
      }
    })
  },
  compare: async ({ api, model, user }: Observer) => {
    for (const organization of model.members.keys()) {
      const found = await readAllPages<Shown>(api, user, (page) => [
        "translations",
        "list",
        [organization, page]
      ])
      const expectedError = model.membershipError(user, organization, "read")
      if (expectedError !== undefined) {
        assert.equal(found, expectedError)
        continue
      }
      assert.ok(typeof found !== "string", `Listing translations failed with ${String(found)}.`)
      const expected = [...model.translations].filter(([, one]) => one.organization === organization)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(([id]) => id).toReversed()
      )
      for (const shown of found) compareTranslation(model, user, shown.id, shown)
    }
  }
}
