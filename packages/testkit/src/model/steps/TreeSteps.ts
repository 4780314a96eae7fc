/** Steps on collections and spaces: create, move, update, trash, restore, transfer and purge. */
import assert from "node:assert/strict"
import type { DefaultLevel } from "@lectern/core"
import * as fc from "fast-check"
import { type ActorChoice, type Choice, choose, chooseNth, nth, nthOf, role } from "../definition/choices.ts"
import { asUserWho, asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import { returnToSite } from "../state/SiteModel.ts"
import { contentOf, newSpaceState } from "../state/SpaceState.ts"
import { type Item, type Move, type Pointer, spacesOf } from "../state/WorkspaceModel.ts"
import { type ShownStructure, siteSpaceLists } from "./SiteCompare.ts"
import { compareItem, compareLists } from "./TreeCompare.ts"

const dayMs = 24 * 60 * 60 * 1000
/** How long a space in the trash can be restored. */
const retentionMs = 7 * dayMs
const durationsMs = {
  aMillisecond: 1,
  aDay: dayMs,
  almostRetention: retentionMs - 1,
  retention: retentionMs,
  overRetention: retentionMs + 1
} as const
const level = fc.oneof(fc.constant<DefaultLevel>("inherit"), fc.constant(null), role)
/** The choice of a parent. `busyCollection` is always the same one, so that it gets many children. */
type ParentChoice = Choice<"root" | "busyCollection" | "anyCollection">
const parentChoice = chooseNth({ root: 1, busyCollection: 1, anyCollection: 1 })
const title = fc.noShrink(
  fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\0", "").trim())
)

const pointerTo = (item: Item | undefined): Pointer | undefined =>
  item === undefined
    ? undefined
    : item.kind === "space"
      ? { type: "space", space: item.id }
      : { type: "collection", collection: item.id }

const serviceOf = (item: Item): "collections" | "spaces" => (item.kind === "space" ? "spaces" : "collections")

const itemsOf = ({ model }: StepContext): ReadonlyArray<Item> => [...model.items.values()]

/** Returns the id of the chosen parent; null for the root, and if there are no collections. */
const resolveParent = (context: StepContext, { which, nth }: ParentChoice): string | null => {
  if (which === "root") return null
  const collections = itemsOf(context).filter(({ kind }) => kind === "collection")
  return nthOf(collections, which === "busyCollection" ? 1 : nth)?.id ?? null
}

interface Creating {
  readonly organization: number
  readonly into: ParentChoice
}

const create = async (
  from: StepContext,
  kind: Item["kind"],
  given: Creating & ActorChoice
): Promise<void> => {
  const organization = nthOf(from.actors.organizations, given.organization)!
  const isPermitted = (user: string) => from.model.membershipError(user, organization, "create") === undefined
  const context = asUserWho(from, given, isPermitted)
  const { model, user, expect } = context
  const parent = resolveParent(context, given.into)
  const tooDeep = kind === "collection" && model.depthIn(parent) > 8 ? "InvalidInput" : undefined
  const expectedError =
    model.membershipError(user, organization, null) ??
    model.insertionError(user, organization, parent) ??
    tooDeep
  const input = { title: kind, ...(parent === null ? {} : { parent }) }
  const value = await expect([`${kind}s`, "create", [organization, input]], expectedError)
  if (expectedError !== undefined) return
  const { id, revision } = value as { id: string; revision: string }
  const state = { title: kind, level: "inherit", editMode: "live", deletedAt: undefined } as const
  model.addItem({ kind, id, organization, parent, ...state })
  if (kind === "space") model.spaceStates.set(id, newSpaceState(revision))
  compareItem(model, user, value)
}

/** Updates a field of an item. `needed` is the role that the update requires. */
const updateItem = async (
  from: StepContext,
  by: ActorChoice,
  item: Item | undefined,
  needed: "create" | "admin",
  change: Partial<Item> & { readonly defaultLevel?: DefaultLevel }
): Promise<void> => {
  if (item === undefined) return
  const { model, user, expect } = asUserWithRole(from, by, needed, item)
  const { level, ...input } = change
  const sent = level === undefined ? input : { ...input, defaultLevel: level }
  const expectedError = model.accessError(user, item, needed, "change")
  const value = await expect([serviceOf(item), "update", [item.id, sent]], expectedError)
  if (expectedError !== undefined) return
  Object.assign(item, change)
  compareItem(model, user, value)
}

interface OneItem {
  readonly item: number
}

const remove = async (context: StepContext, given: OneItem & ActorChoice): Promise<void> => {
  const item = nthOf(itemsOf(context), given.item)
  if (item === undefined) return
  const { model, user, expect } = asUserWithRole(context, given, "admin", item)
  const expectedError = model.accessError(user, item, "admin", "change")
  await expect([serviceOf(item), "remove", [item.id]], expectedError)
  if (expectedError !== undefined) return
  if (item.kind === "space") {
    model.moveToTrash(item)
    return
  }
  const inside = model.descendantsOf(item)
  for (const child of inside.filter(({ kind }) => kind === "space")) {
    const end = model.childIdsOf(item.organization, item.parent).length
    model.moveItem(child, item.organization, item.parent, end)
  }
  for (const folder of [item, ...inside.filter(({ kind }) => kind === "collection")].reverse())
    model.purgeItem(folder)
}

/** Returns a restored space to the sites that it was on, if its section still exists. The workspace decides its place there. */
const returnToSites = async ({ model, api }: StepContext, { id, organization }: Item): Promise<void> => {
  const observer = [...model.members.get(organization)!.keys()].find(
    (member) => model.roleIn(member, organization) === "admin"
  )
  for (const site of model.sites.values()) {
    const former = site.trashed.get(id)
    if (former === undefined || observer === undefined) continue
    const outcome = await api.call(observer, ["publishedSites", "getStructure", [organization, site.id, {}]])
    assert.ok(outcome.ok, "an administrator sees the structure of a site")
    const lists = siteSpaceLists(outcome.value as ShownStructure)
    const list = lists.find(({ siteSpaces }) => siteSpaces.some((one) => one.id === former.siteSpace.id))
    assert.ok(list !== undefined, "a restored space is on its sites again")
    const index = list.siteSpaces.findIndex((one) => one.id === former.siteSpace.id)
    if (former.section !== undefined) assert.equal(list.section, former.section)
    returnToSite(site, id, { section: list.section, index, isDefault: list.siteSpaces[index]!.default })
  }
}

const restore = async (context: StepContext, given: OneItem & ActorChoice): Promise<void> => {
  const item = nthOf(itemsOf(context), given.item)
  if (item?.kind !== "space") return
  const { model, user, expect } = asUserWithRole(context, given, "admin", item)
  const reached = model.accessError(user, item, "admin", "restore")
  const expectedError = reached ?? (item.deletedAt === undefined ? "Conflict" : undefined)
  const value = await expect(["spaces", "restore", [item.id]], expectedError)
  if (expectedError !== undefined) return
  item.deletedAt = undefined
  await returnToSites(context, item)
  compareItem(model, user, value)
}

const duplicate = async (context: StepContext, given: OneItem & ActorChoice): Promise<void> => {
  const item = nthOf(itemsOf(context), given.item)
  if (item?.kind !== "space") return
  const { model, user, expect } = asUserWithRole(context, given, "create", item)
  const opens = model.insertionError(user, item.organization, item.parent) === undefined
  const expectedError = model.accessError(user, item, "create", "change") ?? (opens ? undefined : "Forbidden")
  const value = await expect(["spaces", "duplicate", [item.id]], expectedError)
  if (expectedError !== undefined) return
  const { id, title, revision } = value as { id: string; title: string; revision: string }
  model.addItem({ ...item, id, title }, model.childIdsOf(item.organization, item.parent).indexOf(item.id) + 1)
  const original = model.spaceStates.get(item.id)!
  model.spaceStates.set(id, newSpaceState(revision, contentOf(original), original.mergeRules))
  compareItem(model, user, value)
}

const transfer = async (
  context: StepContext,
  given: OneItem & { organization: number } & ActorChoice
): Promise<void> => {
  const { actors } = context
  const item = nthOf(itemsOf(context), given.item)
  if (item === undefined) return
  const { model, user, expect } = asUserWithRole(context, given, "admin", item)
  const organization = nthOf(actors.organizations, given.organization)!
  const reached = model.accessError(user, item, "admin", "change")
  const here = organization === item.organization ? "Conflict" : undefined
  const there =
    model.insertionError(user, organization, null) === undefined ? undefined : "PreconditionFailed"
  const inside = model.descendantsOf(item)
  const all = inside.every((child) => model.roleOn(user, child) === "admin") ? undefined : "Forbidden"
  const expectedError = reached ?? here ?? there ?? all
  const value = await expect([serviceOf(item), "transfer", [item.id, { organization }]], expectedError)
  if (expectedError !== undefined) return
  model.transferItem(item, organization)
  compareItem(model, user, value)
}

/**
 * The choice of a neighbor in the position of a move. Most of `anything` have another parent, so the move must fail.
 */
type NeighborChoice = Choice<"none" | "sibling" | "anything">
const neighborChoice = chooseNth({ none: 2, sibling: 1, anything: 1 })

interface Moving extends OneItem {
  readonly into: Choice<"currentParent" | ParentChoice["which"]>
  readonly before: NeighborChoice
  readonly after: NeighborChoice
}

const move = async (context: StepContext, given: Moving & ActorChoice): Promise<void> => {
  const items = itemsOf(context)
  const item = nthOf(items, given.item)
  if (item === undefined) return
  const { model, user, expect } = asUserWithRole(context, given, "create", item)
  const { which, nth } = given.into
  const parent = which === "currentParent" ? undefined : resolveParent(context, { which, nth })
  const siblings = model.childIdsOf(item.organization, parent === undefined ? item.parent : parent)
  const neighbors = { none: [], sibling: siblings.map((id) => model.items.get(id)!), anything: items }
  const [before, after] = [given.before, given.after].map(({ which, nth }) =>
    pointerTo(nthOf<Item>(neighbors[which], nth))
  )
  const input: Move = {
    ...(parent === undefined ? {} : { parent }),
    position: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
  }
  const reached = model.accessError(user, item, "create", "change")
  const goal = reached ?? model.resolveMove(user, item, input)
  const expectedError = typeof goal === "string" ? goal : undefined
  const value = await expect([serviceOf(item), "move", [item.id, input]], expectedError)
  if (typeof goal === "string") return
  model.moveItem(item, item.organization, goal.parent, goal.index)
  compareItem(model, user, value)
}

const advanceClock = async ({ api, model }: StepContext, milliseconds: number): Promise<void> => {
  await api.advance!(milliseconds)
  model.now = api.now()
}

/** The feature of collections and spaces. */
export const tree: Feature = {
  steps: {
    createCollection: defineStep<Creating>({
      weight: 5,
      choices: { organization: nth, into: parentChoice },
      run: (context, given) => create(context, "collection", given)
    }),
    createSpace: defineStep<Creating>({
      weight: 5,
      choices: { organization: nth, into: parentChoice },
      run: (context, given) => create(context, "space", given)
    }),
    move: defineStep<Moving>({
      weight: 8,
      choices: {
        item: nth,
        into: chooseNth({ currentParent: 1, root: 1, busyCollection: 1, anyCollection: 1 }),
        before: neighborChoice,
        after: neighborChoice
      },
      run: move
    }),
    setDefaultLevel: defineStep<OneItem & { level: DefaultLevel }>({
      weight: 3,
      choices: { item: nth, level },
      run: (context, given) =>
        updateItem(context, given, nthOf(itemsOf(context), given.item), "admin", { level: given.level })
    }),
    rename: defineStep<OneItem & { title: string }>({
      weight: 2,
      choices: { item: nth, title },
      run: (context, given) =>
        updateItem(context, given, nthOf(itemsOf(context), given.item), "create", { title: given.title })
    }),
    setEditMode: defineStep<OneItem & { editMode: "live" | "locked" }>({
      weight: 2,
      choices: { item: nth, editMode: choose({ live: 1, locked: 1 }) },
      run: (context, given) => {
        const space = nthOf(spacesOf(context.model), given.item)
        return updateItem(context, given, space, "admin", { editMode: given.editMode })
      }
    }),
    get: defineStep<OneItem>({
      weight: 2,
      choices: { item: nth },
      run: async (context, given) => {
        const { model, user, expect } = context
        const item = nthOf(itemsOf(context), given.item)
        const { kind, id } = item ?? { kind: "space" as const, id: "nothing" }
        const value = await expect([`${kind}s`, "get", [id]], model.accessError(user, item, "read", "view"))
        if (value !== undefined) compareItem(model, user, value)
      }
    }),
    remove: defineStep<OneItem>({ weight: 2, choices: { item: nth }, run: remove }),
    restore: defineStep<OneItem>({ weight: 2, choices: { item: nth }, run: restore }),
    duplicate: defineStep<OneItem>({ weight: 2, choices: { item: nth }, run: duplicate }),
    transfer: defineStep<OneItem & { organization: number }>({
      weight: 2,
      choices: { item: nth, organization: nth },
      run: transfer
    }),
    advanceClock: defineStep<{ duration: keyof typeof durationsMs }>({
      needsClock: true,
      weight: 2,
      choices: { duration: choose({ aMillisecond: 1, aDay: 1, retention: 1 }) },
      run: (context, { duration }) => advanceClock(context, durationsMs[duration])
    }),
    // Restores a space at the end of the retention time, 1 ms before it, and 1 ms after it.
    removeAndRestore: defineStep<OneItem & { after: keyof typeof durationsMs }>({
      needsClock: true,
      weight: 2,
      choices: { item: nth, after: choose({ almostRetention: 1, retention: 1, overRetention: 1 }) },
      run: async (context, given) => {
        await remove(context, given)
        await advanceClock(context, durationsMs[given.after])
        await restore(context, given)
      }
    }),
    purge: defineStep<object>({
      needsClock: true,
      weight: 2,
      choices: {},
      run: async (context) => {
        const { api, model } = context
        const expired = itemsOf(context).filter((item) => model.isExpired(item))
        assert.equal(await api.purge!(), expired.length)
        for (const item of expired) model.purgeItem(item)
      }
    }),
    runJobs: defineStep<object>({
      weight: 1,
      choices: {},
      run: async ({ api, model }) => {
        await api.work?.()
        model.applyJobs()
      }
    })
  },
  compare: compareLists
}
