/** Steps on change requests: create, update, merge, and update from the space. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import { type ActorChoice, choose, nth, nthOf } from "../definition/choices.ts"
import { asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import { type MergedContent, mergeContents } from "../state/ContentModel.ts"
import { canMergeByRules } from "../state/ReviewModel.ts"
import {
  type ChangeRequest,
  type ChangeRequestStatus,
  mergeBaseOf,
  type SpaceState
} from "../state/SpaceState.ts"
import { spacesOf } from "../state/WorkspaceModel.ts"
import { compareChangeRequest, compareChangeRequests } from "./ChangeRequestCompare.ts"
import {
  isClosed,
  type RequestChoice,
  type ResolvedRequest,
  reconcileContent,
  requestChoice,
  requestError,
  resolveRequest
} from "./ContentSteps.ts"

interface OneRequest {
  readonly request: RequestChoice
}

const createChangeRequest = async (
  from: StepContext,
  given: { space: number; subject: string } & ActorChoice
): Promise<void> => {
  const { model } = from
  const space = nthOf(spacesOf(model), given.space)
  if (space === undefined) return
  const { user, expect } = asUserWithRole(from, given, "edit", space)
  const { subject } = given
  const expectedError = model.accessError(user, space, "edit", "change")
  const input = { subject, agentTaskId: "an-agent-task" }
  const value = await expect(["changeRequests", "create", [space.id, input]], expectedError)
  if (expectedError !== undefined) return
  // The id of the agent task is stored, but never returned.
  assert.ok(!JSON.stringify(value).includes(input.agentTaskId))
  const state = model.spaceStates.get(space.id)!
  const request: ChangeRequest = {
    id: (value as { id: string }).id,
    number: state.changeRequests.length + 1,
    by: user,
    status: "draft",
    subject,
    revision: state.revision,
    initial: state.revision,
    updatedWith: undefined,
    merged: undefined,
    hasDescription: false,
    mergeRules: "inherit",
    reviews: [],
    requested: [],
    contributors: new Set([user]),
    threads: []
  }
  state.changeRequests.push(request)
  compareChangeRequest(space, state, request, value)
}

/** Whether the step chose an existing change request, but none exists, so that it should create one. */
const needsRequest = ({ request }: ResolvedRequest, given: OneRequest): boolean =>
  request === undefined && given.request.which !== "missing"

interface Updating extends OneRequest {
  readonly status: ChangeRequestStatus | undefined
  readonly description: "same" | "some" | "empty"
  readonly subject: string | undefined
}

const paragraph = {
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Words.", marks: [] }] }]
}
const descriptions = {
  some: { object: "document", data: {}, nodes: [paragraph] },
  empty: { object: "document", data: {}, nodes: [] }
}

const update = async (from: StepContext, given: Updating & ActorChoice): Promise<void> => {
  const chosen = resolveRequest(from.model, given.request)
  if (chosen === undefined) return
  const { space, state, request, ref } = chosen
  if (needsRequest(chosen, given))
    return createChangeRequest(from, { ...given, space: given.request.nth, subject: "Rework" })
  const context = asUserWithRole(from, given, "review", space)
  const { status, subject } = given
  const changes = {
    ...(status === undefined ? {} : { status }),
    ...(subject === undefined ? {} : { subject })
  }
  const input =
    given.description === "same" ? changes : { ...changes, description: descriptions[given.description] }
  const isFinal = (one: ChangeRequest) =>
    status !== undefined && status !== one.status && (status === "merged" || one.status === "merged")
  const expectedError =
    requestError(context, space, request, "edit", "review") ?? (isFinal(request!) ? "Conflict" : undefined)
  const value = await context.expect(["changeRequests", "update", [space.id, ref, input]], expectedError)
  if (expectedError !== undefined) return
  Object.assign(request!, changes)
  if (given.description !== "same") request!.hasDescription = given.description === "some"
  compareChangeRequest(space, state, request!, value)
}

interface MergeResult {
  readonly result: "merge" | "update" | "conflicts"
  readonly revision: string
  readonly conflicts?: ReadonlyArray<{
    readonly kind: string
    readonly page?: { readonly id: string }
    readonly field?: string
  }>
}

/** Whether a result reports conflicts. Fails unless they are the conflicts that the model predicts. */
const hasConflicts = (
  { certainConflicts, possibleConflicts, isInvalidTree }: MergedContent,
  { result, conflicts = [] }: MergeResult
): boolean => {
  const isClear = possibleConflicts.size === 0 || certainConflicts.size > 0
  if (isClear)
    assert.equal(
      result === "conflicts",
      certainConflicts.size > 0 || isInvalidTree,
      "whether a merge has conflicts"
    )
  else if (isInvalidTree)
    assert.equal(result, "conflicts", "a merge that would break the tree must have conflicts")
  if (result !== "conflicts") return false
  const shown = conflicts
    .filter(({ kind }) => kind !== "parent" && kind !== "cycle")
    .map(({ kind, page, field }) => [kind, page?.id, ...(field === undefined ? [] : [field])].join(" "))
  assert.deepEqual(
    shown.filter((one) => !possibleConflicts.has(one)).toSorted(),
    [...certainConflicts].toSorted()
  )
  assert.ok(conflicts.length > 0)
  return true
}

/** Merges a change request with the content of its space in the model. `isExact`: without a three-way merge. */
const mergeInModel = (
  state: SpaceState,
  request: ChangeRequest
): MergedContent & { readonly isExact: boolean } => {
  const [base, primary, change] = [mergeBaseOf(request), state.revision, request.revision]
  const [before, ours, theirs] = [base, primary, change].map((id) => state.revisions.get(id)!)
  const none = {
    certainConflicts: new Set<string>(),
    possibleConflicts: new Set<string>(),
    isInvalidTree: false,
    isExact: true
  }
  if (change === base) return { ...none, content: ours! }
  if (primary === base) return { ...none, content: theirs! }
  return { ...mergeContents(before!, ours!, theirs!), isExact: false }
}

/**
 * Calls `merge` or `updateFromSpace` for a change request. `own` is the role that its creator needs. Returns undefined
 * if the call failed as expected, or if there was no change request and one was created instead.
 */
const callMerge = async (
  from: StepContext,
  given: OneRequest & ActorChoice,
  method: "merge" | "updateFromSpace",
  own: "edit" | "review"
) => {
  const chosen = resolveRequest(from.model, given.request)
  if (chosen === undefined) return undefined
  const { space, state, request, ref } = chosen
  if (needsRequest(chosen, given)) {
    await createChangeRequest(from, { ...given, space: given.request.nth, subject: "Rework" })
    return undefined
  }
  const context = asUserWithRole(from, given, "review", space)
  const isAllowed = () =>
    method === "updateFromSpace" ||
    canMergeByRules(context.model, space.organization, state, request!, context.user)
  const expectedError =
    requestError(context, space, request, own, "review") ??
    (isClosed(request!) || !isAllowed() ? "Conflict" : undefined)
  const value = (await context.expect(
    ["changeRequests", method, [space.id, ref]],
    expectedError
  )) as MergeResult
  return expectedError !== undefined || request === undefined
    ? undefined
    : { ...chosen, request, context, value }
}

const mergeRequest = async (from: StepContext, given: OneRequest & ActorChoice): Promise<void> => {
  const result = await callMerge(from, given, "merge", "review")
  if (result === undefined) return
  const { context, space, state, request, value } = result
  const merged = mergeInModel(state, request)
  if (hasConflicts(merged, value)) {
    assert.equal(value.revision, state.revision)
    return
  }
  state.revisions.set(
    value.revision,
    await reconcileContent(context, { space: space.id }, merged.content, !merged.isExact)
  )
  state.revision = value.revision
  request.status = "merged"
  request.merged = value.revision
}

const updateFromSpace = async (from: StepContext, given: OneRequest & ActorChoice): Promise<void> => {
  const result = await callMerge(from, given, "updateFromSpace", "edit")
  if (result === undefined) return
  const { context, space, state, request, ref, value } = result
  if (mergeBaseOf(request) === state.revision) {
    assert.deepEqual(value, { result: "update", revision: request.revision })
    return
  }
  const merged = mergeInModel(state, request)
  if (hasConflicts(merged, value)) {
    assert.equal(value.revision, request.revision)
    return
  }
  const of = { space: space.id, changeRequest: ref }
  state.revisions.set(value.revision, await reconcileContent(context, of, merged.content, !merged.isExact))
  request.revision = value.revision
  request.updatedWith = state.revision
}

const subject = fc.constantFrom("Reword", "Rework", "")

/** The feature of change requests. */
export const changeRequests: Feature = {
  steps: {
    createChangeRequest: defineStep<{ space: number; subject: string }>({
      weight: 4,
      choices: { space: nth, subject },
      run: createChangeRequest
    }),
    updateRequest: defineStep<Updating>({
      weight: 4,
      choices: {
        request: requestChoice,
        status: fc.option(choose({ draft: 1, open: 1, archived: 1, merged: 1 }), { nil: undefined }),
        subject: fc.option(subject, { nil: undefined }),
        description: choose({ same: 3, some: 2, empty: 1 })
      },
      run: update
    }),
    merge: defineStep<OneRequest>({ weight: 5, choices: { request: requestChoice }, run: mergeRequest }),
    updateFromSpace: defineStep<OneRequest>({
      weight: 4,
      choices: { request: requestChoice },
      run: updateFromSpace
    })
  },
  compare: compareChangeRequests
}
