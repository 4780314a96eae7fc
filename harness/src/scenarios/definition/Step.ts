/** The parts of a scenario: what a step is, where it runs, and what a feature contributes to scenarios. */
import assert from "node:assert/strict"
import type { Role } from "@lectern/core"
import type * as fc from "fast-check"
import type { Call, Outcome, WorkspaceApi } from "../api/WorkspaceApi.ts"
import type { Item, Refusal, WorkspaceModel } from "../model/WorkspaceModel.ts"
import { type ActorChoice, nthOf } from "./choices.ts"

/** The users, organizations and teams of a scenario. */
export interface Actors {
  readonly users: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<string>
  readonly teams: ReadonlyArray<string>
}

/** Where a step runs: the workspace, its model, and the user who acts. */
export interface StepContext {
  readonly api: WorkspaceApi
  readonly model: WorkspaceModel
  readonly actors: Actors
  readonly user: string
  /** Makes a call, and fails unless it ends with `refusal`, or succeeds if that is undefined. Returns the value. */
  readonly expect: (call: Call, refusal: Refusal | undefined) => Promise<unknown>
  /** The same context for another user. */
  readonly as: (user: string) => StepContext
}

/** A user who compares the workspace with the model. `focus` selects one thing of each kind; undefined means all. */
export interface Observer {
  readonly api: WorkspaceApi
  readonly model: WorkspaceModel
  readonly user: string
  readonly focus: number | undefined
}

/** The definition of a step: how often it occurs, its choices, and what it does. */
export interface StepDefinition {
  readonly weight: number
  readonly choices: Readonly<Record<string, fc.Arbitrary<unknown>>>
  readonly run: (context: StepContext, given: never) => Promise<void>
}

/**
 * Defines a step. `weight` is its frequency relative to other steps. `choices` are arbitraries; the choices of a run are
 * printed when it fails, so each has a name, and values that are legible. `run` receives their values, performs the
 * call, and updates the model.
 *
 * @example
 * defineStep({
 *   weight: 2,
 *   choices: { item: nth, title: choose({ "Otter": 8, "": 1 }) },
 *   run: async (context, { item, title }) => { … }
 * })
 */
export const defineStep = <Choices extends object>(definition: {
  readonly weight: number
  readonly choices: { readonly [K in keyof Choices]: fc.Arbitrary<Choices[K]> }
  readonly run: (context: StepContext, given: Choices & ActorChoice) => Promise<void>
}): StepDefinition => definition

/** What a feature contributes to scenarios. */
export interface Feature {
  readonly steps: Readonly<Record<string, StepDefinition>>
  /** Compares what the feature shows a user with what the model expects that user to see. */
  readonly compare: (observer: Observer) => Promise<void>
}

/** A step of a scenario, as data: the name of its definition, the acting user, and the values of its choices. */
export interface Step extends ActorChoice {
  readonly do: string
  readonly [choice: string]: unknown
}

/** Builds the context of a user. */
export const contextFor = (
  world: Pick<StepContext, "api" | "model" | "actors">,
  user: string
): StepContext => ({
  ...world,
  user,
  expect: async (call, refusal) => {
    const outcome = await world.api.call(user, call)
    assert.equal(refusalOf(outcome), refusal, `${JSON.stringify(call)} by ${user}`)
    return outcome.ok ? outcome.value : undefined
  },
  as: (other) => contextFor(world, other)
})

/** The error tag of an outcome; undefined for success. */
export const refusalOf = (outcome: Outcome): string | undefined => (outcome.ok ? undefined : outcome.error)

/** The items of a list that an observer compares: the one in focus, or all. */
export const inFocus = <A>(list: ReadonlyArray<A>, focus: number | undefined): ReadonlyArray<A> => {
  if (focus === undefined) return list
  const one = nthOf(list, focus)
  return one === undefined ? [] : [one]
}

/** The context of a permitted user if the step chose one and there is one; otherwise the context as it is. */
export const asUserWho = (
  context: StepContext,
  { user, actor }: ActorChoice,
  isPermitted: (user: string) => boolean
): StepContext => {
  const permitted = actor === "permitted" ? context.actors.users.filter(isPermitted) : []
  return permitted.length === 0 ? context : context.as(nthOf(permitted, user)!)
}

/** The same, where permitted are the users with a role on an item. */
export const asUserWithRole = (
  context: StepContext,
  actor: ActorChoice,
  needed: Role,
  item: Item
): StepContext =>
  asUserWho(context, actor, (user) => context.model.tryReach(user, item, needed, "view") === undefined)
