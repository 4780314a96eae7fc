/** Compares the change requests of a workspace with the model. */
import assert from "node:assert/strict"
import { nthOf } from "../definition/choices.ts"
import { errorTagOf, type Observer, selectFocused } from "../definition/Step.ts"
import { toMergeRules } from "../state/ReviewModel.ts"
import {
  type ChangeRequest,
  contentOf,
  countOpenThreads,
  mergeBaseOf,
  type SpaceState
} from "../state/SpaceState.ts"
import { type Item, spacesOf } from "../state/WorkspaceModel.ts"
import { compareContent } from "./ContentCompare.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Filter {
  readonly contributor?: string | undefined
  readonly creator?: string | undefined
}

const statuses = ["draft", "open", "archived", "merged"] as const

/** Compares the resource of a change request with the model. */
export const compareChangeRequest = (
  space: Item,
  state: SpaceState,
  request: ChangeRequest,
  value: unknown
): void => {
  const resource = value as Record<string, unknown> & { readonly createdBy: { readonly id: string } }
  const shown = {
    id: request.id,
    number: request.number,
    status: request.status,
    subject: request.subject,
    space: space.id,
    revision: request.revision,
    revisionInitial: request.initial,
    revisionMergedAncestor: request.updatedWith,
    revisionMerged: request.merged,
    comments: countOpenThreads(request.threads),
    outdated: request.status !== "merged" && mergeBaseOf(request) !== state.revision
  }
  assert.deepEqual(Object.fromEntries(Object.keys(shown).map((key) => [key, resource[key]])), shown)
  assert.equal(resource.createdBy.id, request.by)
  assert.deepEqual(resource.mergeRules, toMergeRules(request.mergeRules))
  assert.equal(resource.description !== undefined, request.hasDescription)
}

/** Compares the lists of change requests under every filter, and the content of one change request. */
export const compareChangeRequests = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  for (const space of selectFocused(spacesOf(model), observer.focus)) {
    const state = model.spaceStates.get(space.id)!
    const expectedError = model.accessError(user, space, "read", "read")
    const one = nthOf(state.changeRequests, focus)
    const person = nthOf(
      [...new Set(state.changeRequests.flatMap(({ contributors }) => [...contributors]))],
      focus
    )
    const whose: Filter = nthOf<Filter>([{ contributor: person }, { creator: person }], focus)!
    const everyFilter: ReadonlyArray<readonly [(typeof statuses)[number], Filter]> = [
      ...(observer.focus === undefined ? statuses : []).map((status) => [status, {}] as const),
      [nthOf(statuses, focus)!, person === undefined ? {} : whose]
    ]
    for (const [status, filter] of everyFilter) {
      const found = await readAllPages(api, user, (page) => [
        "changeRequests",
        "list",
        [space.id, { ...page, ...(status === "open" ? {} : { status }), ...filter }]
      ])
      if (expectedError !== undefined) {
        assert.equal(found, expectedError)
        break
      }
      assert.ok(typeof found !== "string", `Listing change requests failed with ${String(found)}.`)
      const expected = state.changeRequests.filter(
        (request) =>
          request.status === status &&
          (filter.contributor === undefined || request.contributors.has(filter.contributor)) &&
          (filter.creator === undefined || request.by === filter.creator)
      )
      assert.deepEqual(
        found.map(({ id }) => id),
        expected.map(({ id }) => id).toReversed()
      )
      for (const [index, request] of expected.toReversed().entries()) {
        compareChangeRequest(space, state, request, found[index])
      }
    }
    if (one === undefined) continue
    const of = { space: space.id, changeRequest: nthOf([one.id, String(one.number)], focus)! }
    if (expectedError === undefined) await compareContent(observer, of, contentOf(state, one))
    else assert.equal(errorTagOf(await api.call(user, ["content", "listPages", [of, {}]])), expectedError)
  }
}
