/** What users do with change requests. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import { type ActorChoice, choose, nth, nthOf } from "../definition/choices.ts"
import { asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import { type Merged, merge } from "../model/ContentModel.ts"
import { baseOf, type ChangeRequest, type ChangeRequestStatus, type Writing } from "../model/SpaceState.ts"
import { spacesOf } from "../model/WorkspaceModel.ts"
import { compareChangeRequest, compareChangeRequests } from "./ChangeRequestCompare.ts"
import {
  isClosed,
  type RequestChoice,
  type ResolvedRequest,
  requestChoice,
  resolveRequest,
  takeOver,
  tryRequest
} from "./ContentSteps.ts"

interface OneRequest {
  readonly request: RequestChoice
}

const propose = async (
  from: StepContext,
  given: { space: number; subject: string } & ActorChoice
): Promise<void> => {
  const { model } = from
  const space = nthOf(spacesOf(model), given.space)
  if (space === undefined) return
  const { user, expect } = asUserWithRole(from, given, "edit", space)
  const { subject } = given
  const refusal = model.tryReach(user, space, "edit", "change")
  const input = { subject, agentTaskId: "an-agent-task" }
  const value = await expect(["changeRequests", "create", [space.id, input]], refusal)
  if (refusal !== undefined) return
  // It is stored, and never returned.
  assert.ok(!JSON.stringify(value).includes(input.agentTaskId))
  const writing = model.writings.get(space.id)!
  const request: ChangeRequest = {
    id: (value as { id: string }).id,
    number: writing.changeRequests.length + 1,
    by: user,
    status: "draft",
    subject,
    revision: writing.revision,
    initial: writing.revision,
    updatedWith: undefined,
    merged: undefined,
    contributors: new Set([user]),
    threads: []
  }
  writing.changeRequests.push(request)
  compareChangeRequest(space, writing, request, value)
}

/** Whether the step chose an existing change request and there is none, so that it should create one. */
const needsRequest = ({ request }: ResolvedRequest, given: OneRequest): boolean =>
  request === undefined && given.request.which !== "missing"

interface Updating extends OneRequest {
  readonly status: ChangeRequestStatus | undefined
  readonly subject: string | undefined
}

const update = async (from: StepContext, given: Updating & ActorChoice): Promise<void> => {
  const chosen = resolveRequest(from.model, given.request)
  if (chosen === undefined) return
  const { space, writing, request, ref } = chosen
  if (needsRequest(chosen, given))
    return propose(from, { ...given, space: given.request.nth, subject: "Rework" })
  const context = asUserWithRole(from, given, "review", space)
  const { status, subject } = given
  const input = { ...(status === undefined ? {} : { status }), ...(subject === undefined ? {} : { subject }) }
  const isFinal = (one: ChangeRequest) =>
    status !== undefined && status !== one.status && (status === "merged" || one.status === "merged")
  const refusal =
    tryRequest(context, space, request, "edit", "review") ?? (isFinal(request!) ? "Conflict" : undefined)
  const value = await context.expect(["changeRequests", "update", [space.id, ref, input]], refusal)
  if (refusal !== undefined) return
  Object.assign(request!, input)
  compareChangeRequest(space, writing, request!, value)
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

/** Whether a result reports conflicts. Fails unless they are those that the model expects. */
const hasConflicts = (
  { certain, possible, isTorn }: Merged,
  { result, conflicts = [] }: MergeResult
): boolean => {
  const isClear = possible.size === 0 || certain.size > 0
  if (isClear) assert.equal(result === "conflicts", certain.size > 0 || isTorn, "conflicts of a merge")
  else if (isTorn) assert.equal(result, "conflicts", "a merge that would tear the tree")
  if (result !== "conflicts") return false
  const shown = conflicts
    .filter(({ kind }) => kind !== "parent" && kind !== "cycle")
    .map(({ kind, page, field }) => [kind, page?.id, ...(field === undefined ? [] : [field])].join(" "))
  assert.deepEqual(shown.filter((one) => !possible.has(one)).toSorted(), [...certain].toSorted())
  assert.ok(conflicts.length > 0)
  return true
}

/** Merges a change request with the content of its space, in the model. */
const mergeIn = (writing: Writing, request: ChangeRequest): Merged & { readonly isExact: boolean } => {
  const [base, primary, change] = [baseOf(request), writing.revision, request.revision]
  const [before, ours, theirs] = [base, primary, change].map((id) => writing.revisions.get(id)!)
  const none = { certain: new Set<string>(), possible: new Set<string>(), isTorn: false, isExact: true }
  if (change === base) return { ...none, content: ours! }
  if (primary === base) return { ...none, content: theirs! }
  return { ...merge(before!, ours!, theirs!), isExact: false }
}

/**
 * Calls `merge` or `updateFromSpace` for a change request; undefined if the step ends there. `own` is the role that the creator of
 * the change request needs.
 */
const callMerge = async (
  from: StepContext,
  given: OneRequest & ActorChoice,
  method: "merge" | "updateFromSpace",
  own: "edit" | "review"
) => {
  const chosen = resolveRequest(from.model, given.request)
  if (chosen === undefined) return undefined
  const { space, request, ref } = chosen
  if (needsRequest(chosen, given)) {
    await propose(from, { ...given, space: given.request.nth, subject: "Rework" })
    return undefined
  }
  const context = asUserWithRole(from, given, "review", space)
  const refusal =
    tryRequest(context, space, request, own, "review") ?? (isClosed(request!) ? "Conflict" : undefined)
  const value = (await context.expect(["changeRequests", method, [space.id, ref]], refusal)) as MergeResult
  return refusal !== undefined || request === undefined ? undefined : { ...chosen, request, context, value }
}

const mergeRequest = async (from: StepContext, given: OneRequest & ActorChoice): Promise<void> => {
  const asked = await callMerge(from, given, "merge", "review")
  if (asked === undefined) return
  const { context, space, writing, request, value } = asked
  const merged = mergeIn(writing, request)
  if (hasConflicts(merged, value)) {
    assert.equal(value.revision, writing.revision)
    return
  }
  writing.revisions.set(
    value.revision,
    await takeOver(context, { space: space.id }, merged.content, !merged.isExact)
  )
  writing.revision = value.revision
  request.status = "merged"
  request.merged = value.revision
}

const pull = async (from: StepContext, given: OneRequest & ActorChoice): Promise<void> => {
  const asked = await callMerge(from, given, "updateFromSpace", "edit")
  if (asked === undefined) return
  const { context, space, writing, request, ref, value } = asked
  if (baseOf(request) === writing.revision) {
    assert.deepEqual(value, { result: "update", revision: request.revision })
    return
  }
  const merged = mergeIn(writing, request)
  if (hasConflicts(merged, value)) {
    assert.equal(value.revision, request.revision)
    return
  }
  const of = { space: space.id, changeRequest: ref }
  writing.revisions.set(value.revision, await takeOver(context, of, merged.content, !merged.isExact))
  request.revision = value.revision
  request.updatedWith = writing.revision
}

const subject = fc.constantFrom("Reword", "Rework", "")

/** Change requests. */
export const changeRequests: Feature = {
  steps: {
    propose: defineStep<{ space: number; subject: string }>({
      weight: 4,
      choices: { space: nth, subject },
      run: propose
    }),
    updateRequest: defineStep<Updating>({
      weight: 4,
      choices: {
        request: requestChoice,
        status: fc.option(choose({ draft: 1, open: 1, archived: 1, merged: 1 }), { nil: undefined }),
        subject: fc.option(subject, { nil: undefined })
      },
      run: update
    }),
    merge: defineStep<OneRequest>({ weight: 5, choices: { request: requestChoice }, run: mergeRequest }),
    pull: defineStep<OneRequest>({ weight: 4, choices: { request: requestChoice }, run: pull })
  },
  compare: compareChangeRequests
}
