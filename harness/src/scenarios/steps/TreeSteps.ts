/** What users do with collections and spaces. */
import assert from "node:assert/strict"
import type { DefaultLevel } from "@lectern/core"
import * as fc from "fast-check"
import {
  at,
  type By,
  type Feature,
  forOneWho,
  forOneWith,
  kind,
  pick,
  role,
  type Stage,
  spacesOf
} from "../Feature.ts"
import type { Item, Move, Pointer } from "../model/WorkspaceModel.ts"
import { begin, contentOf } from "../model/Writing.ts"
import { compareItem, compareLists } from "./TreeCompare.ts"

const day = 24 * 60 * 60 * 1000
const level = fc.oneof(fc.constant<DefaultLevel>("inherit"), fc.constant(null), role)
/** The root, the first collection (so that some are full), or any. */
const into = fc.oneof(fc.constant(0), fc.constant(1), pick)
const title = fc.noShrink(
  fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\0", "").trim())
)

const pointerTo = (item: Item | undefined): Pointer | undefined =>
  item === undefined
    ? undefined
    : item.kind === "space"
      ? { type: "space", space: item.id }
      : { type: "collection", collection: item.id }

const service = (item: Item): "collections" | "spaces" => (item.kind === "space" ? "spaces" : "collections")

const everythingOn = ({ model }: Stage): ReadonlyArray<Item> => [...model.items.values()]
const foldersOn = (stage: Stage) => everythingOn(stage).filter(({ kind }) => kind === "collection")

interface Creating {
  readonly organization: number
  readonly into: number
}

const create = async (from: Stage, kind: Item["kind"], given: Creating & By): Promise<void> => {
  const organization = at(from.cast.organizations, given.organization)!
  const isAble = (user: string) => from.model.tryIn(user, organization, "create") === undefined
  const stage = forOneWho(from, given, isAble)
  const { model, user, expect } = stage
  const parent = given.into === 0 ? null : (at(foldersOn(stage), given.into)?.id ?? null)
  const tooDeep = kind === "collection" && model.depthIn(parent) > 8 ? "InvalidInput" : undefined
  const refusal = model.tryOpen(user, organization, parent) ?? tooDeep
  const input = { title: kind, ...(parent === null ? {} : { parent }) }
  const value = await expect([`${kind}s`, "create", [organization, input]], refusal)
  if (refusal !== undefined) return
  const { id, revision } = value as { id: string; revision: string }
  const state = { title: kind, level: "inherit", editMode: "live", deletedAt: undefined } as const
  model.add({ kind, id, organization, parent, ...state })
  if (kind === "space") model.writings.set(id, begin(revision))
  compareItem(model, user, value)
}

/** Changes a setting of an item. */
const configure = async (
  from: Stage,
  by: By,
  item: Item | undefined,
  needed: "create" | "admin",
  change: Partial<Item> & { readonly defaultLevel?: DefaultLevel }
): Promise<void> => {
  if (item === undefined) return
  const { model, user, expect } = forOneWith(from, by, needed, item)
  const { level, ...input } = change
  const sent = level === undefined ? input : { ...input, defaultLevel: level }
  const refusal = model.tryReach(user, item, needed, "change")
  const value = await expect([service(item), "update", [item.id, sent]], refusal)
  if (refusal !== undefined) return
  Object.assign(item, change)
  compareItem(model, user, value)
}

interface OneItem {
  readonly item: number
}

const remove = async (stage: Stage, given: OneItem & By): Promise<void> => {
  const item = at(everythingOn(stage), given.item)
  if (item === undefined) return
  const { model, user, expect } = forOneWith(stage, given, "admin", item)
  const refusal = model.tryReach(user, item, "admin", "change")
  await expect([service(item), "remove", [item.id]], refusal)
  if (refusal !== undefined) return
  if (item.kind === "space") {
    model.putInBin(item)
    return
  }
  const inside = model.everythingIn(item)
  for (const child of inside.filter(({ kind }) => kind === "space")) {
    const end = model.siblings(item.organization, item.parent).length
    model.place(child, item.organization, item.parent, end)
  }
  for (const folder of [item, ...inside.filter(({ kind }) => kind === "collection")].reverse())
    model.drop(folder)
}

const restore = async (stage: Stage, given: OneItem & By): Promise<void> => {
  const item = at(everythingOn(stage), given.item)
  if (item?.kind !== "space") return
  const { model, user, expect } = forOneWith(stage, given, "admin", item)
  const reached = model.tryReach(user, item, "admin", "restore")
  const refusal = reached ?? (item.deletedAt === undefined ? "Conflict" : undefined)
  const value = await expect(["spaces", "restore", [item.id]], refusal)
  if (refusal !== undefined) return
  item.deletedAt = undefined
  compareItem(model, user, value)
}

const duplicate = async (stage: Stage, given: OneItem & By): Promise<void> => {
  const item = at(everythingOn(stage), given.item)
  if (item?.kind !== "space") return
  const { model, user, expect } = forOneWith(stage, given, "create", item)
  const opens = model.tryOpen(user, item.organization, item.parent) === undefined
  const refusal = model.tryReach(user, item, "create", "change") ?? (opens ? undefined : "Forbidden")
  const value = await expect(["spaces", "duplicate", [item.id]], refusal)
  if (refusal !== undefined) return
  const { id, title, revision } = value as { id: string; title: string; revision: string }
  model.add({ ...item, id, title }, model.siblings(item.organization, item.parent).indexOf(item.id) + 1)
  model.writings.set(id, begin(revision, contentOf(model.writings.get(item.id)!)))
  compareItem(model, user, value)
}

const transfer = async (stage: Stage, given: OneItem & { organization: number } & By): Promise<void> => {
  const { cast } = stage
  const item = at(everythingOn(stage), given.item)
  if (item === undefined) return
  const { model, user, expect } = forOneWith(stage, given, "admin", item)
  const organization = at(cast.organizations, given.organization)!
  const reached = model.tryReach(user, item, "admin", "change")
  const here = organization === item.organization ? "Conflict" : undefined
  const there = model.tryOpen(user, organization, null) === undefined ? undefined : "PreconditionFailed"
  const inside = model.everythingIn(item)
  const all = inside.every((child) => model.roleOn(user, child) === "admin") ? undefined : "Forbidden"
  const refusal = reached ?? here ?? there ?? all
  const value = await expect([service(item), "transfer", [item.id, { organization }]], refusal)
  if (refusal !== undefined) return
  model.handOver(item, organization)
  compareItem(model, user, value)
}

interface Moving extends OneItem {
  readonly into: number | "stay"
  readonly before: number
  readonly after: number
}

const move = async (stage: Stage, given: Moving & By): Promise<void> => {
  const everything = everythingOn(stage)
  const item = at(everything, given.item)
  if (item === undefined) return
  const { model, user, expect } = forOneWith(stage, given, "create", item)
  const parent =
    given.into === "stay"
      ? undefined
      : given.into === 0
        ? null
        : (at(foldersOn(stage), given.into)?.id ?? null)
  const siblings = model.siblings(item.organization, parent === undefined ? item.parent : parent)
  // One in two stands elsewhere, perhaps, so that refusals come up as well.
  const one = (n: number) =>
    n % 2 === 0 ? undefined : n % 4 === 1 ? at(everything, n) : model.items.get(at(siblings, n) ?? "")
  const before = pointerTo(one(given.before))
  const after = pointerTo(one(given.after))
  const input: Move = {
    ...(parent === undefined ? {} : { parent }),
    position: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }
  }
  const reached = model.tryReach(user, item, "create", "change")
  const goal = reached ?? model.tryMove(user, item, input)
  const refusal = typeof goal === "string" ? goal : undefined
  const value = await expect([service(item), "move", [item.id, input]], refusal)
  if (typeof goal === "string") return
  model.place(item, item.organization, goal.parent, goal.index)
  compareItem(model, user, value)
}

const wait = async ({ api, model }: Stage, milliseconds: number): Promise<void> => {
  await api.advance(milliseconds)
  model.now = api.now()
}

const item = pick

/** Collections and spaces. */
export const tree: Feature = {
  kinds: {
    createCollection: kind<Creating>(5, { organization: pick, into }, (stage, given) =>
      create(stage, "collection", given)
    ),
    createSpace: kind<Creating>(5, { organization: pick, into }, (stage, given) =>
      create(stage, "space", given)
    ),
    move: kind<Moving>(
      8,
      { item, into: fc.oneof(into, into, into, fc.constant("stay" as const)), before: pick, after: pick },
      move
    ),
    level: kind<OneItem & { level: DefaultLevel }>(3, { item, level }, (stage, given) =>
      configure(stage, given, at(everythingOn(stage), given.item), "admin", { level: given.level })
    ),
    rename: kind<OneItem & { title: string }>(2, { item, title }, (stage, given) =>
      configure(stage, given, at(everythingOn(stage), given.item), "create", { title: given.title })
    ),
    lock: kind<OneItem & { locked: boolean }>(2, { item, locked: fc.boolean() }, async (stage, given) => {
      const space = at(spacesOf(stage.model), given.item)
      await configure(stage, given, space, "admin", { editMode: given.locked ? "locked" : "live" })
    }),
    get: kind<OneItem>(2, { item }, async (stage, given) => {
      const { model, user, expect } = stage
      const known = at(everythingOn(stage), given.item)
      const { kind, id } = known ?? { kind: "space" as const, id: "nothing" }
      const value = await expect([`${kind}s`, "get", [id]], model.tryReach(user, known, "read", "view"))
      if (value !== undefined) compareItem(model, user, value)
    }),
    remove: kind<OneItem>(2, { item }, remove),
    restore: kind<OneItem>(2, { item }, restore),
    duplicate: kind<OneItem>(2, { item }, duplicate),
    transfer: kind<OneItem & { organization: number }>(2, { item, organization: pick }, transfer),
    wait: kind<{ milliseconds: number }>(
      2,
      { milliseconds: fc.constantFrom(1, day, 7 * day) },
      (stage, { milliseconds }) => wait(stage, milliseconds)
    ),
    // The instant at which a space can no longer be restored, the one before, and the one after.
    expire: kind<OneItem & { milliseconds: number }>(
      2,
      { item, milliseconds: fc.constantFrom(7 * day - 1, 7 * day, 7 * day + 1) },
      async (stage, given) => {
        await remove(stage, given)
        await wait(stage, given.milliseconds)
        await restore(stage, given)
      }
    ),
    purge: kind<object>(2, {}, async (stage) => {
      const { api, model } = stage
      const expired = everythingOn(stage).filter((one) => model.isExpired(one))
      assert.equal(await api.purge(), expired.length)
      for (const one of expired) model.drop(one)
    }),
    work: kind<object>(1, {}, async ({ api, model }) => {
      await api.work()
      model.workIsDone()
    })
  },
  compare: compareLists
}
