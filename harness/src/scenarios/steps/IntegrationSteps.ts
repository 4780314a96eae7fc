/** What users do with integrations: they are published by one organization, and installed in any. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import {
  at,
  type By,
  type Feature,
  forOneWho,
  kind,
  pick,
  refusalOf,
  type Stage,
  spacesOf,
  type Watch
} from "../Feature.ts"
import type { Refusal, WorkspaceModel } from "../model/WorkspaceModel.ts"
import { readAll } from "./TreeCompare.ts"

/** An integration, with where it is installed. */
export interface Integration {
  readonly name: string
  readonly organization: string
  version: number
  isPrivate: boolean
  readonly installations: Array<{ readonly id: string; readonly organization: string }>
}

interface Choosing {
  readonly organization: number
  readonly integration: number
}

/** How getting at an integration ends: one that is private is there for its owner's members, and where it is installed. */
const trySee = (model: WorkspaceModel, user: string, one: Integration | undefined): Refusal | undefined => {
  if (one === undefined) return "NotFound"
  const isIn = (organization: string) => model.roleIn(user, organization) !== undefined
  const isInside = isIn(one.organization) || one.installations.some(({ organization }) => isIn(organization))
  return one.isPrivate && !isInside ? "NotFound" : undefined
}

const administrates = (model: WorkspaceModel, user: string, organization: string): boolean =>
  model.roleIn(user, organization) === "admin"

/** How something ends that only administrators of an organization may do. */
const tryAdministrate = (model: WorkspaceModel, user: string, organization: string): Refusal | undefined =>
  model.tryIn(user, organization, "admin")

/** Names are the same in all of a workspace, where other stories were told before. */
const choose = (from: Stage, given: Choosing & By) => {
  const { model, cast } = from
  const name = `${cast.organizations[0]}-${given.integration % 3}`
  const organization = at(cast.organizations, given.organization)!
  const stage = forOneWho(from, given, (user) => administrates(model, user, organization))
  return { name, organization, stage, known: model.integrations.get(name) }
}

const publish = async (
  from: Stage,
  given: Choosing & { readonly isPrivate: boolean } & By
): Promise<void> => {
  const { name, organization, stage, known } = choose(from, given)
  const { model, user, expect } = stage
  const isTaken = known !== undefined && known.organization !== organization
  const refusal = tryAdministrate(model, user, organization) ?? (isTaken ? "Forbidden" : undefined)
  const { isPrivate } = given
  const visibility = isPrivate ? "private" : "public"
  const said = { title: "Tool", description: "Does it.", script: "void 0", scopes: [] }
  const input = { ...said, organization, visibility }
  const value = await expect(["integrations", "publish", [name, input]], refusal)
  if (refusal !== undefined) return
  const one = known ?? { name, organization, version: 0, isPrivate, installations: [] }
  one.version++
  one.isPrivate = isPrivate
  model.integrations.set(name, one)
  isShown(model, user, one, value as Shown)
}

/** The same, of those that there are, where there are any. */
const chooseKnown = (from: Stage, given: Choosing & By) => {
  const chosen = choose(from, given)
  const known = chosen.known ?? at([...from.model.integrations.values()], given.integration)
  return { ...chosen, known, name: known?.name ?? chosen.name }
}

const install = async (from: Stage, given: Choosing & By): Promise<void> => {
  const { name, organization, stage, known } = chooseKnown(from, given)
  const { model, user, expect } = stage
  const isClosed = known?.isPrivate === true && known.organization !== organization
  const isThere = known?.installations.some((one) => one.organization === organization) === true
  const refusal =
    trySee(model, user, known) ??
    tryAdministrate(model, user, organization) ??
    (isClosed ? "NotFound" : isThere ? "Conflict" : undefined)
  const value = await expect(["installations", "create", [name, { organization }]], refusal)
  if (refusal === undefined) known!.installations.push({ id: (value as { id: string }).id, organization })
}

const uninstall = async (from: Stage, given: Choosing & By): Promise<void> => {
  const { name, organization, stage, known } = chooseKnown(from, given)
  const { model, user, expect } = stage
  const one = known?.installations.find((installation) => installation.organization === organization)
  const sees =
    one !== undefined &&
    [known!.organization, one.organization].some((its) => administrates(model, user, its))
  const mayNot = administrates(model, user, organization) ? undefined : "Forbidden"
  const refusal = trySee(model, user, known) ?? (sees ? mayNot : "NotFound")
  await expect(["installations", "remove", [name, one?.id ?? "nothing"]], refusal)
  if (refusal === undefined) known!.installations.splice(known!.installations.indexOf(one!), 1)
}

interface Shown {
  readonly name: string
  readonly version: number
  readonly visibility: string
  readonly permissions: { readonly admin: boolean; readonly install: boolean }
}

const isShown = (model: WorkspaceModel, user: string, one: Integration, shown: Shown): void => {
  const admin = administrates(model, user, one.organization)
  const anywhere = [...model.members.keys()].some((organization) => administrates(model, user, organization))
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

const compareInstallations = async ({ api, model, user }: Watch, one: Integration): Promise<void> => {
  const found = await readAll<{ id: string; spaces: number }>(api, user, (page) => [
    "installations",
    "list",
    [one.name, page]
  ])
  const isOwner = administrates(model, user, one.organization)
  const expected = one.installations.filter(
    ({ organization }) => isOwner || administrates(model, user, organization)
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

const integration = { organization: pick, integration: pick }

/** Integrations and their installations. */
export const integrations: Feature = {
  kinds: {
    publishIntegration: kind<Choosing & { isPrivate: boolean }>(
      3,
      { ...integration, isPrivate: fc.boolean() },
      publish
    ),
    unpublishIntegration: kind<Choosing>(1, integration, async (from, given) => {
      const { name, stage, known } = chooseKnown(from, given)
      const { model, user, expect } = stage
      const mayNot =
        known === undefined || administrates(model, user, known.organization) ? undefined : "Forbidden"
      const refusal = trySee(model, user, known) ?? mayNot
      await expect(["integrations", "unpublish", [name]], refusal)
      if (refusal === undefined) model.integrations.delete(name)
    }),
    install: kind<Choosing>(3, integration, install),
    uninstall: kind<Choosing>(1, integration, uninstall)
  },
  compare: async (watch) => {
    const { api, model, user } = watch
    const all = [...model.integrations.values()]
    for (const organization of model.members.keys()) {
      const found = await readAll<Shown>(api, user, (page) => [
        "integrations",
        "list",
        [{ ...page, owner: organization }]
      ])
      assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
      const isIn = model.roleIn(user, organization) !== undefined
      const expected = all.filter((one) => one.organization === organization && (isIn || !one.isPrivate))
      assert.deepEqual(
        found.map(({ name }) => name),
        expected.map(({ name }) => name).toReversed()
      )
      for (const shown of found) isShown(model, user, model.integrations.get(shown.name)!, shown)
    }
    for (const one of all) {
      const outcome = await api.call(user, ["integrations", "get", [one.name]])
      assert.equal(refusalOf(outcome), trySee(model, user, one))
      if (!outcome.ok) continue
      isShown(model, user, one, outcome.value as Shown)
      await compareInstallations(watch, one)
    }
  }
}
