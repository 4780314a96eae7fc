/** Steps on translation settings. */
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
import { atLeast, type WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAll } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly title: string
  readonly permissions: { readonly view: boolean; readonly edit: boolean }
}

interface TranslationChoice {
  readonly organization: OrganizationChoice
  readonly translation: number
}

/** Permitted actors have the role `create`. */
const asCreator = (from: StepContext, given: ActorChoice, organization: string) =>
  asUserWho(from, given, (user) => from.model.tryIn(user, organization, "create") === undefined)

/** Resolves translation settings, and the organization in which the step looks them up. */
const resolveTranslation = (from: StepContext, given: TranslationChoice & ActorChoice) => {
  const { model, actors } = from
  const [id, settings] = nthOf([...model.translations], given.translation) ?? ["nothing", undefined]
  const { which, nth } = given.organization
  const isAny = which === "any" || settings === undefined
  const organization = isAny ? nthOf(actors.organizations, nth)! : settings.organization
  const context = asCreator(from, given, organization)
  const missing = settings?.organization === organization ? undefined : "NotFound"
  const refusal = model.tryIn(context.user, organization, "create") ?? missing
  return { id, settings, organization, context, refusal }
}

const compareTranslation = (model: WorkspaceModel, user: string, id: string, shown: Shown): void => {
  const { organization, title } = model.translations.get(id)!
  const role = model.roleIn(user, organization)!
  assert.deepEqual(
    { id: shown.id, title: shown.title, permissions: shown.permissions },
    { id, title, permissions: { view: atLeast(role, "read"), edit: atLeast(role, "create") } }
  )
}

const title = fc.constantFrom("German", "All of Europe")

const translationChoice = { organization: organizationChoice, translation: nth }

/** Translation settings. */
export const translations: Feature = {
  steps: {
    createTranslation: defineStep<{ organization: number; title: string }>({
      weight: 3,
      choices: { organization: nth, title },
      run: async (from, given) => {
        const { title } = given
        const organization = nthOf(from.actors.organizations, given.organization)!
        const context = asCreator(from, given, organization)
        const refusal = context.model.tryIn(context.user, organization, "create")
        const value = await context.expect(["translations", "create", [organization, { title }]], refusal)
        if (refusal !== undefined) return
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
        const { id, settings, organization, context, refusal } = resolveTranslation(from, given)
        const value = await context.expect(["translations", "update", [organization, id, { title }]], refusal)
        if (refusal !== undefined) return
        settings!.title = title
        compareTranslation(context.model, context.user, id, value as Shown)
      }
    }),
    removeTranslation: defineStep<TranslationChoice>({
      weight: 1,
      choices: translationChoice,
      run: async (from, given) => {
        const { id, organization, context, refusal } = resolveTranslation(from, given)
        await context.expect(["translations", "remove", [organization, id]], refusal)
        if (refusal === undefined) context.model.translations.delete(id)
      }
    })
  },
  compare: async ({ api, model, user }: Observer) => {
    for (const organization of model.members.keys()) {
      const found = await readAll<Shown>(api, user, (page) => ["translations", "list", [organization, page]])
      const refusal = model.tryIn(user, organization, "read")
      if (refusal !== undefined) {
        assert.equal(found, refusal)
        continue
      }
      assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
      const expected = [...model.translations].filter(([, one]) => one.organization === organization)
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(([id]) => id).toReversed()
      )
      for (const shown of found) compareTranslation(model, user, shown.id, shown)
    }
  }
}
