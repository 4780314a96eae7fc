/**
 * Sequences of random operations on all resources of a workspace that depend on each other: content, change
 * requests, comments, collections, sites and people. Nothing predicts their outcome; the invariants that the doctor
 * checks must hold after each of them.
 */
import { CurrentUser, UserId } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { SampleWorkspace } from "../sampleWorkspace.ts"
import { oneIn } from "./choices.ts"
import * as content from "./content.ts"
import * as people from "./people.ts"
import * as sites from "./sites.ts"
import * as spaces from "./spaces.ts"

const operations = { ...content, ...spaces, ...sites, ...people }
type OperationName = keyof typeof operations

/** One operation with its choices, and whether Bob performs it, who has fewer permissions. */
export interface RandomStep {
  readonly operation: OperationName
  readonly choices: object
  readonly isByBob: boolean
}

/** The weights of operations on which many others depend. The weight of all others is 1. */
const weights: { readonly [K in OperationName]?: number } = {
  insertPage: 7,
  addSection: 3,
  addGroup: 3,
  addSectionToGroup: 2,
  removeSectionFromGroup: 2,
  removeGroup: 3,
  movePage: 3,
  renamePage: 3,
  writePage: 3,
  deletePage: 3,
  mergeChangeRequest: 3,
  updateChangeRequest: 3,
  createChangeRequest: 3,
  revertPage: 3,
  setChangeRequestStatus: 2
}

const randomStep: fc.Arbitrary<RandomStep> = fc.oneof(
  ...(Object.keys(operations) as Array<OperationName>).map((operation) => ({
    weight: weights[operation] ?? 1,
    arbitrary: fc.record({
      operation: fc.constant(operation),
      choices: operations[operation].choices as fc.Arbitrary<object>,
      isByBob: oneIn(5)
    })
  }))
)

/** A sequence of at most `maxLength` random operations. */
export const randomSteps = (maxLength: number): fc.Arbitrary<ReadonlyArray<RandomStep>> =>
  fc.array(randomStep, { maxLength, size: "max" })

type Services = Effect.Services<ReturnType<(typeof operations)[OperationName]["perform"]>>

/** Performs operations sequentially; returns the number of successful ones. A defect ends the sequence. */
export const performSteps = Effect.fnUntraced(function* (
  { ada, bob }: SampleWorkspace,
  steps: ReadonlyArray<RandomStep>
) {
  let performed = 0
  for (const { operation, choices, isByBob } of steps) {
    const effect = operations[operation].perform(choices as never) as Effect.Effect<void, unknown, Services>
    performed += yield* effect.pipe(
      Effect.as(1),
      Effect.catch(() => Effect.succeed(0)),
      CurrentUser.provide(UserId.make(isByBob ? bob : ada))
    )
  }
  return performed
})
