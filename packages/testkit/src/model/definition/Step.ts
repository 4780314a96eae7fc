/** The definition of steps and features: implement these to extend scenarios. */
import assert from "node:assert/strict"
import type { Role } from "@lectern/core"
import type * as fc from "fast-check"
import type { Call, Outcome, WorkspaceApi } from "../api/WorkspaceApi.ts"
import type { Actors } from "../state/Actors.ts"
import type { ErrorTag, Item, WorkspaceModel } from "../state/WorkspaceModel.ts"
import { type ActorChoice, nthOf } from "./choices.ts"

/** The context of a step: the workspace, its model, and the acting user. */
export interface StepContext {
  /** The workspace. */
  readonly api: WorkspaceApi
  /** The model of the workspace. */
  readonly model: WorkspaceModel
  /** The users, organizations and teams of the scenario. */
  readonly actors: Actors
  /** The id of the acting user. */
  readonly user: string
  /**
   * Calls an operation as the acting user. Fails unless the call ends with the error `expectedError`, or succeeds if
   * that is undefined. Returns the value of a successful call, and undefined otherwise.
   */
  readonly expect: (call: Call, expectedError: ErrorTag | undefined) => Promise<unknown>
  /** Returns the context of another user. */
  readonly as: (user: string) => StepContext
}

/** A user who compares the workspace with the model. */
export interface Observer {
  /** The workspace. */
  readonly api: WorkspaceApi
  /** The model of the workspace. */
  readonly model: WorkspaceModel
  /** The id of the user. */
  readonly user: string
  /** Selects one resource of each kind to compare, modulo their number; undefined compares all. */
  readonly focus: number | undefined
}

/** The definition of a step. Create it with `defineStep`. */
export interface StepDefinition {
  /** The frequency of the step relative to other steps. */
  readonly weight: number
  /** Whether it moves the clock of the workspace. It is skipped on a server whose clock a scenario cannot move. */
  readonly needsClock?: boolean
  /** The arbitraries of its choices. */
  readonly choices: Readonly<Record<string, fc.Arbitrary<unknown>>>
  /** Performs the step with the values of its choices. */
  readonly run: (context: StepContext, given: never) => Promise<void>
}

/**
 * Defines a step. `weight` is its frequency relative to other steps. `choices` are arbitraries; a failure prints their
 * values, so give them names and values that a reader understands. `run` receives the values, predicts how the call
 * must end, performs it, and updates the model.
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
  readonly needsClock?: boolean
  readonly choices: { readonly [K in keyof Choices]: fc.Arbitrary<Choices[K]> }
  readonly run: (context: StepContext, given: Choices & ActorChoice) => Promise<void>
}): StepDefinition => definition

/** A feature of the workspace: its steps, and the comparison of the workspace with the model. */
export interface Feature {
  /** The steps by name. Names are unique among all features. */
  readonly steps: Readonly<Record<string, StepDefinition>>
  /** Compares the resources of the feature, as a user sees them, with the model. Rejects if they differ. */
  readonly compare: (observer: Observer) => Promise<void>
}

/** A step of a scenario as data: the name of its definition, the actor, and the values of its choices. */
export interface Step extends ActorChoice {
  /** The name of the definition. */
  readonly do: string
  readonly [choice: string]: unknown
}

/** Creates the context of a user. */
export const makeContext = (
  world: Pick<StepContext, "api" | "model" | "actors">,
  user: string
): StepContext => ({
  ...world,
  user,
  expect: async (call, expectedError) => {
    const outcome = await world.api.call(user, call)
    assert.equal(errorTagOf(outcome), expectedError, `${JSON.stringify(call)} by ${user}`)
    return outcome.ok ? outcome.value : undefined
  },
  as: (other) => makeContext(world, other)
})

/** Returns the error tag of an outcome; undefined for success. */
export const errorTagOf = (outcome: Outcome): string | undefined => (outcome.ok ? undefined : outcome.error)

/** Returns the items of a list that an observer compares: the one in focus, or all. */
export const selectFocused = <A>(list: ReadonlyArray<A>, focus: number | undefined): ReadonlyArray<A> => {
  if (focus === undefined) return list
  const one = nthOf(list, focus)
  return one === undefined ? [] : [one]
}

/**
 * Returns the context of the user who acts: if the step chose a permitted actor and there are permitted users, one of
 * them; otherwise the given context. Most steps would fail without it.
 */
export const asUserWho = (
  context: StepContext,
  { user, actor }: ActorChoice,
  isPermitted: (user: string) => boolean
): StepContext => {
  const permitted = actor === "permitted" ? context.actors.users.filter(isPermitted) : []
  return permitted.length === 0 ? context : context.as(nthOf(permitted, user)!)
}

/** Like `asUserWho`, where the users with the role `needed` on an item are permitted. */
export const asUserWithRole = (
  context: StepContext,
  actor: ActorChoice,
  needed: Role,
  item: Item
): StepContext =>
  asUserWho(context, actor, (user) => context.model.accessError(user, item, needed, "view") === undefined)
