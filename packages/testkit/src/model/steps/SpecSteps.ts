/** Steps on OpenAPI specs: create, replace and remove. Background jobs process them. */
import assert from "node:assert/strict"
import { type ActorChoice, choose, nth, nthOf } from "../definition/choices.ts"
import { asUserWho, defineStep, type Feature, type Observer, type StepContext } from "../definition/Step.ts"
import type { Spec } from "../state/SpecModel.ts"
import type { ErrorTag, WorkspaceModel } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Shown {
  readonly id: string
  readonly slug: string
  readonly processingState: string
  readonly lastVersion?: string
  readonly lastProcessErrorCode?: string
}

/** Returns the document with a title, or an invalid document for `broken`. */
const textOf = (title: string): string =>
  title === "broken"
    ? "openapi: ["
    : JSON.stringify({ openapi: "3.1.0", info: { title, version: "1" }, paths: {} })

interface SpecInput {
  readonly organization: number
  readonly slug: string
  readonly title: string
}

const findSpec = (model: WorkspaceModel, organization: string, slug: string): Spec | undefined =>
  [...model.specs.values()].find((spec) => spec.organization === organization && spec.slug === slug)

const compareShownSpec = (spec: Spec, shown: Shown): void =>
  assert.deepEqual(
    {
      id: shown.id,
      slug: shown.slug,
      state: shown.processingState,
      hasVersion: shown.lastVersion !== undefined,
      error: shown.lastProcessErrorCode
    },
    {
      id: spec.id,
      slug: spec.slug,
      state: spec.pendingTitle === undefined ? "complete" : "pending",
      hasVersion: spec.versions.length > 0,
      error: spec.hasFailed ? "PARSE_ERROR" : undefined
    }
  )

const resolveSpec = (from: StepContext, given: Pick<SpecInput, "organization" | "slug"> & ActorChoice) => {
  const { model, actors } = from
  const organization = nthOf(actors.organizations, given.organization)!
  const isPermitted = (user: string) => model.membershipError(user, organization, "create") === undefined
  const context = asUserWho(from, given, isPermitted)
  const expectedError = model.membershipError(context.user, organization, "create")
  return { organization, context, expectedError, known: findSpec(model, organization, given.slug) }
}

const putSpec = async (from: StepContext, given: SpecInput & ActorChoice, isNew: boolean): Promise<void> => {
  const { organization, context, known, ...outside } = resolveSpec(from, given)
  const { slug } = given
  const conflict: ErrorTag | undefined = isNew && known !== undefined ? "Conflict" : undefined
  const expectedError = outside.expectedError ?? conflict
  const source = { text: textOf(given.title) }
  const value = await context.expect(
    isNew
      ? ["specs", "create", [organization, { slug, source }]]
      : ["specs", "createOrUpdate", [organization, slug, { source }]],
    expectedError
  )
  if (expectedError !== undefined) return
  const { id } = value as Shown
  const fresh = { id, organization, slug, versions: [], isProcessed: false, hasFailed: false }
  const spec: Spec = known ?? { ...fresh, pendingTitle: undefined }
  spec.pendingTitle = given.title
  context.model.specs.set(spec.id, spec)
  compareShownSpec(spec, value as Shown)
}

const compareSpec = async ({ api, user }: Observer, spec: Spec): Promise<void> => {
  const { organization, slug } = spec
  const found = await readAllPages(api, user, (page) => ["specs", "listVersions", [organization, slug, page]])
  assert.equal(found.length, spec.versions.length)
  const outcome = await api.call(user, ["specs", "getContent", [organization, slug, "latest"]])
  assert.equal(outcome.ok, spec.versions.length > 0)
  if (!outcome.ok) return
  const [document] = Object.values((outcome.value as { filesystem: Record<string, unknown> }).filesystem)
  assert.equal((document as { info: { title: string } }).info.title, spec.versions.at(-1))
}

const specChoice = { organization: nth, slug: choose({ pets: 1, shop: 1 }) }
/** Generates a title; `broken` selects content that is not an OpenAPI document. */
const title = choose({ First: 1, Second: 1, broken: 1 })

/** The feature of OpenAPI specs. */
export const specs: Feature = {
  steps: {
    createSpec: defineStep<SpecInput>({
      weight: 3,
      choices: { ...specChoice, title },
      run: (context, given) => putSpec(context, given, true)
    }),
    putSpec: defineStep<SpecInput>({
      weight: 3,
      choices: { ...specChoice, title },
      run: (context, given) => putSpec(context, given, false)
    }),
    removeSpec: defineStep<Pick<SpecInput, "organization" | "slug">>({
      weight: 1,
      choices: specChoice,
      run: async (from, given) => {
        const { organization, context, known, ...outside } = resolveSpec(from, given)
        const expectedError = outside.expectedError ?? (known === undefined ? "NotFound" : undefined)
        await context.expect(["specs", "remove", [organization, given.slug]], expectedError)
        if (expectedError === undefined) context.model.specs.delete(known!.id)
      }
    })
  },
  compare: async (observer) => {
    const { api, model, user, focus = 0 } = observer
    for (const organization of model.members.keys()) {
      const found = await readAllPages<Shown>(api, user, (page) => ["specs", "list", [organization, page]])
      const expectedError = model.membershipError(user, organization, "read")
      if (expectedError !== undefined) {
        assert.equal(found, expectedError)
        continue
      }
      assert.ok(typeof found !== "string", `Listing specs failed with ${String(found)}.`)
      const expected = [...model.specs.values()].filter((one) => one.organization === organization)
      assert.equal(found.length, expected.length)
      for (const [index, one] of expected.toReversed().entries()) compareShownSpec(one, found[index]!)
      const one = nthOf(expected, focus)
      if (one !== undefined) await compareSpec(observer, one)
    }
  }
}
