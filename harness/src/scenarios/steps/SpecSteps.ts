/** What users do with OpenAPI specs: they are read by jobs in the background. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import { at, type By, type Feature, forOneWho, kind, pick, type Stage, type Watch } from "../Feature.ts"
import type { Refusal, WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAll } from "./TreeCompare.ts"

/** A spec: what its versions are of, the oldest first, and the text that is still to be read. */
export interface Spec {
  readonly id: string
  readonly organization: string
  readonly slug: string
  readonly versions: Array<string>
  waiting: string | undefined
  isRead: boolean
  hasFailed: boolean
}

interface Shown {
  readonly id: string
  readonly slug: string
  readonly processingState: string
  readonly lastVersion?: string
  readonly lastProcessErrorCode?: string
}

const textOf = (title: string): string =>
  title === "broken"
    ? "openapi: ["
    : JSON.stringify({ openapi: "3.1.0", info: { title, version: "1" }, paths: {} })

/** What the jobs make of specs that wait: a version where the text is another than that of the last one. */
export const readSpecs = (specs: Iterable<Spec>): void => {
  for (const spec of specs) {
    const { waiting } = spec
    if (waiting === undefined) continue
    spec.waiting = undefined
    spec.isRead = true
    spec.hasFailed = waiting === "broken"
    if (waiting !== "broken" && spec.versions.at(-1) !== waiting) spec.versions.push(waiting)
  }
}

interface Putting {
  readonly organization: number
  readonly slug: string
  readonly title: string
}

const find = (model: WorkspaceModel, organization: string, slug: string): Spec | undefined =>
  [...model.specs.values()].find((spec) => spec.organization === organization && spec.slug === slug)

const isShown = (spec: Spec, shown: Shown): void =>
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
      state: spec.waiting === undefined ? "complete" : "pending",
      hasVersion: spec.versions.length > 0,
      error: spec.hasFailed ? "PARSE_ERROR" : undefined
    }
  )

const choose = (from: Stage, given: Pick<Putting, "organization" | "slug"> & By) => {
  const { model, cast } = from
  const organization = at(cast.organizations, given.organization)!
  const isAble = (user: string) => model.tryIn(user, organization, "create") === undefined
  const stage = forOneWho(from, given, isAble)
  const refusal = model.tryIn(stage.user, organization, "create")
  return { organization, stage, refusal, known: find(model, organization, given.slug) }
}

const put = async (from: Stage, given: Putting & By, isNew: boolean): Promise<void> => {
  const { organization, stage, known, ...outside } = choose(from, given)
  const { slug } = given
  const clash: Refusal | undefined = isNew && known !== undefined ? "Conflict" : undefined
  const refusal = outside.refusal ?? clash
  const source = { text: textOf(given.title) }
  const value = await stage.expect(
    isNew
      ? ["specs", "create", [organization, { slug, source }]]
      : ["specs", "put", [organization, slug, { source }]],
    refusal
  )
  if (refusal !== undefined) return
  const { id } = value as Shown
  const fresh = { id, organization, slug, versions: [], isRead: false, hasFailed: false }
  const spec: Spec = known ?? { ...fresh, waiting: undefined }
  spec.waiting = given.title
  stage.model.specs.set(spec.id, spec)
  isShown(spec, value as Shown)
}

const compareSpec = async ({ api, user }: Watch, spec: Spec): Promise<void> => {
  const { organization, slug } = spec
  const found = await readAll(api, user, (page) => ["specs", "versions", [organization, slug, page]])
  assert.equal(found.length, spec.versions.length)
  const outcome = await api.call(user, ["specs", "content", [organization, slug, "latest"]])
  assert.equal(outcome.ok, spec.versions.length > 0)
  if (!outcome.ok) return
  const [document] = Object.values((outcome.value as { filesystem: Record<string, unknown> }).filesystem)
  assert.equal((document as { info: { title: string } }).info.title, spec.versions.at(-1))
}

const slug = fc.constantFrom("pets", "shop")
const spec = { organization: pick, slug }
const title = fc.constantFrom("First", "Second", "broken")

/** OpenAPI specs. */
export const specs: Feature = {
  kinds: {
    createSpec: kind<Putting>(3, { ...spec, title }, (stage, given) => put(stage, given, true)),
    putSpec: kind<Putting>(3, { ...spec, title }, (stage, given) => put(stage, given, false)),
    removeSpec: kind<Pick<Putting, "organization" | "slug">>(1, spec, async (from, given) => {
      const { organization, stage, known, ...outside } = choose(from, given)
      const refusal = outside.refusal ?? (known === undefined ? "NotFound" : undefined)
      await stage.expect(["specs", "remove", [organization, given.slug]], refusal)
      if (refusal === undefined) stage.model.specs.delete(known!.id)
    })
  },
  compare: async (watch) => {
    const { api, model, user, focus = 0 } = watch
    for (const organization of model.members.keys()) {
      const found = await readAll<Shown>(api, user, (page) => ["specs", "list", [organization, page]])
      const refusal = model.tryIn(user, organization, "read")
      if (refusal !== undefined) {
        assert.equal(found, refusal)
        continue
      }
      assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
      const expected = [...model.specs.values()].filter((one) => one.organization === organization)
      assert.equal(found.length, expected.length)
      for (const [index, one] of expected.toReversed().entries()) isShown(one, found[index]!)
      const one = at(expected, focus)
      if (one !== undefined) await compareSpec(watch, one)
    }
  }
}
