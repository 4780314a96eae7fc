/** Comparing the change requests that a workspace shows with what the model knows. */
import assert from "node:assert/strict"
import { nthOf } from "../definition/choices.ts"
import { inFocus, type Observer, refusalOf } from "../definition/Step.ts"
import { baseOf, type ChangeRequest, contentOf, openIn, type Writing } from "../model/SpaceState.ts"
import { type Item, spacesOf } from "../model/WorkspaceModel.ts"
import { compareContent } from "./ContentCompare.ts"
import { readAll } from "./TreeCompare.ts"

interface Filter {
  readonly contributor?: string | undefined
  readonly creator?: string | undefined
}

const statuses = ["draft", "open", "archived", "merged"] as const

/** What a change request says of itself. */
export const compareChangeRequest = (
  space: Item,
  writing: Writing,
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
    comments: openIn(request.threads),
    outdated: request.status !== "merged" && baseOf(request) !== writing.revision
  }
  assert.deepEqual(Object.fromEntries(Object.keys(shown).map((key) => [key, resource[key]])), shown)
  assert.equal(resource.createdBy.id, request.by)
}

/** The change requests of spaces under every filter, and the content of one of them. */
export const compareChangeRequests = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  for (const space of inFocus(spacesOf(model), observer.focus)) {
    const writing = model.writings.get(space.id)!
    const refusal = model.tryReach(user, space, "read", "read")
    const one = nthOf(writing.changeRequests, focus)
    const person = nthOf(
      [...new Set(writing.changeRequests.flatMap(({ contributors }) => [...contributors]))],
      focus
    )
    const whose: Filter = nthOf<Filter>([{ contributor: person }, { creator: person }], focus)!
    const everyFilter: ReadonlyArray<readonly [(typeof statuses)[number], Filter]> = [
      ...(observer.focus === undefined ? statuses : []).map((status) => [status, {}] as const),
      [nthOf(statuses, focus)!, person === undefined ? {} : whose]
    ]
    for (const [status, filter] of everyFilter) {
      const found = await readAll(api, user, (page) => [
        "changeRequests",
        "list",
        [space.id, { ...page, ...(status === "open" ? {} : { status }), ...filter }]
      ])
      if (refusal !== undefined) {
        assert.equal(found, refusal)
        break
      }
      assert.ok(typeof found !== "string", `listing failed with ${String(found)}`)
      const expected = writing.changeRequests.filter(
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
        compareChangeRequest(space, writing, request, found[index])
      }
    }
    if (one === undefined) continue
    const of = { space: space.id, changeRequest: nthOf([one.id, String(one.number)], focus)! }
    if (refusal === undefined) await compareContent(observer, of, contentOf(writing, one))
    else assert.equal(refusalOf(await api.call(user, ["content", "listPages", [of, {}]])), refusal)
  }
}
