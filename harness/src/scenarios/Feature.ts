/** What a feature of the workspace brings to stories: its steps, how each is played, and what is compared of it. */
import assert from "node:assert/strict"
import type { Role, RoleOrGuest } from "@lectern/core"
import * as fc from "fast-check"
import type { Call, Outcome, WorkspaceApi } from "./api/WorkspaceApi.ts"
import type { Item, Refusal, WorkspaceModel } from "./model/WorkspaceModel.ts"

/** Who and what a story is about. */
export interface Cast {
  readonly users: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<string>
  readonly teams: ReadonlyArray<string>
}

/** Where a step is played: the workspace, the model of it, and who acts. */
export interface Stage {
  readonly api: WorkspaceApi
  readonly model: WorkspaceModel
  readonly cast: Cast
  readonly user: string
  /** Makes a call, which has to end as expected; answers what came, where it succeeded. */
  readonly expect: (call: Call, refusal: Refusal | undefined) => Promise<unknown>
  /** The same, for another user. */
  readonly as: (user: string) => Stage
}

/** Somebody who looks at the workspace. `focus` picks what at; undefined for all that there is. */
export interface Watch {
  readonly api: WorkspaceApi
  readonly model: WorkspaceModel
  readonly user: string
  readonly focus: number | undefined
}

/** A kind of step: how often it comes up, what is said of it, and how it is played. */
export interface StepKind {
  readonly weight: number
  readonly fields: Readonly<Record<string, fc.Arbitrary<unknown>>>
  readonly play: (stage: Stage, given: never) => Promise<void>
}

/** Who makes a step, as a number that picks. */
export interface By {
  readonly by: number
}

/** Makes a kind of step: what is given to `play` is what its fields come to. */
export const kind = <Given extends object>(
  weight: number,
  fields: { readonly [K in keyof Given]: fc.Arbitrary<Given[K]> },
  play: (stage: Stage, given: Given & By) => Promise<void>
): StepKind => ({ weight, fields, play })

/** A feature, as stories know it. */
export interface Feature {
  readonly kinds: Readonly<Record<string, StepKind>>
  /** Compares what the feature shows somebody with what the model says that they see. */
  readonly compare: (watch: Watch) => Promise<void>
}

/** A step of a story, as data: who does what. Numbers pick among what there is when the step is played. */
export interface Step {
  readonly by: number
  readonly do: string
  readonly [field: string]: unknown
}

/** The stage for a user. */
export const stageFor = (at: Pick<Stage, "api" | "model" | "cast">, user: string): Stage => ({
  ...at,
  user,
  expect: async (call, refusal) => {
    const outcome = await at.api.call(user, call)
    assert.equal(refusalOf(outcome), refusal, `${JSON.stringify(call)} by ${user}`)
    return outcome.ok ? outcome.value : undefined
  },
  as: (other) => stageFor(at, other)
})

/** How an operation ended that did not succeed. */
export const refusalOf = (outcome: Outcome): string | undefined => (outcome.ok ? undefined : outcome.error)

/** The one of a list that a number of a step picks. */
export const at = <A>(list: ReadonlyArray<A>, index: number): A | undefined =>
  list[index % Math.max(1, list.length)]

/** Those of a list that somebody looks at: the one in focus, or all. */
export const inFocus = <A>(list: ReadonlyArray<A>, focus: number | undefined): ReadonlyArray<A> => {
  if (focus === undefined) return list
  const one = at(list, focus)
  return one === undefined ? [] : [one]
}

/**
 * The stage for somebody who may do a thing, two times out of three: else most steps of most stories would be refused.
 * Who they are is among those of the cast for whom it is true, where there is one.
 */
export const forOneWho = (stage: Stage, { by }: By, may: (user: string) => boolean): Stage => {
  const able = by % 3 === 0 ? [] : stage.cast.users.filter(may)
  return able.length === 0 ? stage : stage.as(at(able, by)!)
}

/** The same, for who has a role on an item. */
export const forOneWith = (stage: Stage, by: By, needed: Role, item: Item): Stage =>
  forOneWho(stage, by, (user) => stage.model.tryReach(user, item, needed, "view") === undefined)

/** All spaces, those in the bin too. */
export const spacesOf = (model: WorkspaceModel): ReadonlyArray<Item> =>
  [...model.items.values()].filter(({ kind }) => kind === "space")

/** A number that picks. It is not made smaller: that takes long, and a story is small when its steps are few. */
export const pick: fc.Arbitrary<number> = fc.noShrink(fc.nat({ max: 1000 }))

export const role: fc.Arbitrary<Role> = fc.constantFrom(
  "read",
  "comment",
  "edit",
  "review",
  "create",
  "admin"
)
export const roleOrGuest: fc.Arbitrary<RoleOrGuest> = fc.oneof(fc.constant(null), role)

/** Words that searches tell apart, and that clash as slugs. */
export const word: fc.Arbitrary<string> = fc.constantFrom("Otter", "Badger", "Heron", "Lynx")

/** A space, most often one of an organization. */
export const spaceIn = (model: WorkspaceModel, organization: string, n: number): Item | undefined => {
  const all = spacesOf(model)
  const there = all.filter((space) => space.organization === organization)
  return at(n % 7 === 0 || there.length === 0 ? all : there, n)
}
