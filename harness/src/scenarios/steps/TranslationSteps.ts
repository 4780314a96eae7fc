/** What users do with translation settings. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import { at, type By, type Feature, forOneWho, kind, pick, type Stage, type Watch } from "../Feature.ts"
import { atLeast, type WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAll } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly title: string
  readonly permissions: { readonly view: boolean; readonly edit: boolean }
}

interface Choosing {
  readonly organization: number
  readonly one: number
}

/** The settings that a number picks, and the organization that they are looked for in: now and then another one. */
const choose = (from: Stage, given: Choosing & By) => {
  const { model, cast } = from
  const [id, settings] = at([...model.translations], given.one) ?? ["nothing", undefined]
  const isElsewhere = given.one % 9 === 0 || settings === undefined
  const organization = isElsewhere ? at(cast.organizations, given.organization)! : settings.organization
  const isAble = (user: string) => model.tryIn(user, organization, "create") === undefined
  const stage = forOneWho(from, given, isAble)
  const missing = settings?.organization === organization ? undefined : "NotFound"
  const refusal = model.tryIn(stage.user, organization, "create") ?? missing
  return { id, settings, organization, stage, refusal }
}

const isShown = (model: WorkspaceModel, user: string, id: string, shown: Shown): void => {
  const { organization, title } = model.translations.get(id)!
  const role = model.roleIn(user, organization)!
  assert.deepEqual(
    { id: shown.id, title: shown.title, permissions: shown.permissions },
    { id, title, permissions: { view: atLeast(role, "read"), edit: atLeast(role, "create") } }
  )
}

const title = fc.constantFrom("German", "All of Europe")

/** Translation settings. */
export const translations: Feature = {
  kinds: {
    createTranslation: kind<{ organization: number; title: string }>(
      3,
      { organization: pick, title },
      async (from, given) => {
        const { title } = given
        const { organization, stage } = choose(from, { ...given, one: 0 })
        const refusal = stage.model.tryIn(stage.user, organization, "create")
        const value = await stage.expect(["translations", "create", [organization, { title }]], refusal)
        if (refusal !== undefined) return
        const { id } = value as Shown
        stage.model.translations.set(id, { organization, title })
        isShown(stage.model, stage.user, id, value as Shown)
      }
    ),
    updateTranslation: kind<Choosing & { title: string }>(
      1,
      { organization: pick, one: pick, title },
      async (from, given) => {
        const { title } = given
        const { id, settings, organization, stage, refusal } = choose(from, given)
        const value = await stage.expect(["translations", "update", [organization, id, { title }]], refusal)
        if (refusal !== undefined) return
        settings!.title = title
        isShown(stage.model, stage.user, id, value as Shown)
      }
    ),
    removeTranslation: kind<Choosing>(1, { organization: pick, one: pick }, async (from, given) => {
      const { id, organization, stage, refusal } = choose(from, given)
      await stage.expect(["translations", "remove", [organization, id]], refusal)
      if (refusal === undefined) stage.model.translations.delete(id)
    })
  },
  compare: async ({ api, model, user }: Watch) => {
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
      for (const shown of found) isShown(model, user, shown.id, shown)
    }
  }
}
