/** What users do with change requests. */
import assert from "node:assert/strict"
import * as fc from "fast-check"
import { at, type By, type Feature, forOneWith, kind, pick, type Stage, spacesOf } from "../Feature.ts"
import { type Merged, merge } from "../model/ContentModel.ts"
import { baseOf, type ChangeRequest, type ChangeRequestStatus, type Writing } from "../model/Writing.ts"
import { compareChangeRequest, compareChangeRequests } from "./ChangeRequestCompare.ts"
import { type Chosen, chooseRequest, isClosed, takeOver, tryRequest } from "./ContentSteps.ts"

interface OneRequest {
  readonly request: number
}

const propose = async (from: Stage, given: { space: number; subject: string } & By): Promise<void> => {
  const { model } = from
  const space = at(spacesOf(model), given.space)
  if (space === undefined) return
  const { user, expect } = forOneWith(from, given, "edit", space)
  const { subject } = given
  const refusal = model.tryReach(user, space, "edit", "change")
  const input = { subject, agentTaskId: "a-task-of-an-agent" }
  const value = await expect(["changeRequests", "create", [space.id, input]], refusal)
  if (refusal !== undefined) return
  // It is kept, and returned to nobody.
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

/** Whether there are no change requests, so that a step does better to open one. */
const isBare = ({ request }: Chosen, given: OneRequest): boolean =>
  request === undefined && given.request % 10 !== 0

interface Updating extends OneRequest {
  readonly status: ChangeRequestStatus | undefined
  readonly subject: string | undefined
}

const update = async (from: Stage, given: Updating & By): Promise<void> => {
  const chosen = chooseRequest(from.model, given.request)
  if (chosen === undefined) return
  const { space, writing, request, ref } = chosen
  if (isBare(chosen, given)) return propose(from, { ...given, space: given.request, subject: "Rework" })
  const stage = forOneWith(from, given, "review", space)
  const { status, subject } = given
  const input = { ...(status === undefined ? {} : { status }), ...(subject === undefined ? {} : { subject }) }
  const isFinal = (one: ChangeRequest) =>
    status !== undefined && status !== one.status && (status === "merged" || one.status === "merged")
  const refusal =
    tryRequest(stage, space, request, "edit", "review") ?? (isFinal(request!) ? "Conflict" : undefined)
  const value = await stage.expect(["changeRequests", "update", [space.id, ref, input]], refusal)
  if (refusal !== undefined) return
  Object.assign(request!, input)
  compareChangeRequest(space, writing, request!, value)
}

interface Answer {
  readonly result: "merge" | "update" | "conflicts"
  readonly revision: string
  readonly conflicts?: ReadonlyArray<{
    readonly kind: string
    readonly page?: { readonly id: string }
    readonly field?: string
  }>
}

/** Whether an answer says that there are conflicts: where it does, they have to be those that there are. */
const hasConflicts = ({ certain, possible, isTorn }: Merged, { result, conflicts = [] }: Answer): boolean => {
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

/** What comes of putting a change request and the content of its space together. */
const mergeIn = (writing: Writing, request: ChangeRequest): Merged & { readonly isExact: boolean } => {
  const [base, primary, change] = [baseOf(request), writing.revision, request.revision]
  const [before, mine, its] = [base, primary, change].map((id) => writing.revisions.get(id)!)
  const none = { certain: new Set<string>(), possible: new Set<string>(), isTorn: false, isExact: true }
  if (change === base) return { ...none, content: mine! }
  if (primary === base) return { ...none, content: its! }
  return { ...merge(before!, mine!, its!), isExact: false }
}

/** Asks for a change request and its space to be put together; undefined where it ends there. `own` is the role it takes on one's own. */
const ask = async (from: Stage, given: OneRequest & By, method: "merge" | "pull", own: "edit" | "review") => {
  const chosen = chooseRequest(from.model, given.request)
  if (chosen === undefined) return undefined
  const { space, request, ref } = chosen
  if (isBare(chosen, given)) {
    await propose(from, { ...given, space: given.request, subject: "Rework" })
    return undefined
  }
  const stage = forOneWith(from, given, "review", space)
  const refusal =
    tryRequest(stage, space, request, own, "review") ?? (isClosed(request!) ? "Conflict" : undefined)
  const value = (await stage.expect(["changeRequests", method, [space.id, ref]], refusal)) as Answer
  return refusal !== undefined || request === undefined ? undefined : { ...chosen, request, stage, value }
}

const mergeRequest = async (from: Stage, given: OneRequest & By): Promise<void> => {
  const asked = await ask(from, given, "merge", "review")
  if (asked === undefined) return
  const { stage, space, writing, request, value } = asked
  const merged = mergeIn(writing, request)
  if (hasConflicts(merged, value)) {
    assert.equal(value.revision, writing.revision)
    return
  }
  writing.revisions.set(
    value.revision,
    await takeOver(stage, { space: space.id }, merged.content, !merged.isExact)
  )
  writing.revision = value.revision
  request.status = "merged"
  request.merged = value.revision
}

const pull = async (from: Stage, given: OneRequest & By): Promise<void> => {
  const asked = await ask(from, given, "pull", "edit")
  if (asked === undefined) return
  const { stage, space, writing, request, ref, value } = asked
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
  writing.revisions.set(value.revision, await takeOver(stage, of, merged.content, !merged.isExact))
  request.revision = value.revision
  request.updatedWith = writing.revision
}

const one = { request: pick }
const subject = fc.constantFrom("Reword", "Rework", "")

/** Change requests. */
export const changeRequests: Feature = {
  kinds: {
    propose: kind<{ space: number; subject: string }>(4, { space: pick, subject }, propose),
    updateRequest: kind<Updating>(
      4,
      {
        ...one,
        status: fc.option(fc.constantFrom<ChangeRequestStatus>("draft", "open", "archived", "merged"), {
          nil: undefined
        }),
        subject: fc.option(subject, { nil: undefined })
      },
      update
    ),
    merge: kind<OneRequest>(5, one, mergeRequest),
    pull: kind<OneRequest>(4, one, pull)
  },
  compare: compareChangeRequests
}
