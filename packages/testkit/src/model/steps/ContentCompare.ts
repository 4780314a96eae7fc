/** Compares the content of a workspace, and the results of searches, with the model. */
import assert from "node:assert/strict"
import { nthOf } from "../definition/choices.ts"
import { errorTagOf, type Observer, selectFocused } from "../definition/Step.ts"
import type { Content } from "../state/ContentModel.ts"
import { contentOf } from "../state/SpaceState.ts"
import { spacesOf, type WorkspaceModel } from "../state/WorkspaceModel.ts"
import { isSlugOf, type ShownPage, toShownPages } from "./ContentShown.ts"
import { readAllPages } from "./TreeCompare.ts"

/** Returns the pages with the fields that the model has. */
const pickModelledFields = (pages: ReadonlyArray<ShownPage>): ReadonlyArray<ShownPage> =>
  pages.map(({ id, title, slug, path, updatedAt, pages }) => ({
    id,
    title,
    slug,
    path,
    updatedAt,
    pages: pickModelledFields(pages)
  }))

/** Returns the expected pages with the times that the workspace shows, where the clocks of both can differ. */
const withShownTimes = (
  model: WorkspaceModel,
  expected: ReadonlyArray<ShownPage>,
  shown: ReadonlyArray<ShownPage>
): ReadonlyArray<ShownPage> =>
  expected.map((page) => {
    const other = shown.find(({ id }) => id === page.id)
    return {
      ...page,
      updatedAt: model.shownTime(Date.parse(page.updatedAt), other?.updatedAt)!,
      pages: withShownTimes(model, page.pages, other?.pages ?? [])
    }
  })

/** Compares one page, read by its id or by its path; or a missing one, if there are no pages. */
const compareOnePage = async (
  { api, user, focus = 0 }: Observer,
  of: object,
  content: Content
): Promise<void> => {
  const [id, page] = nthOf([...content.pages], focus) ?? []
  const paths = (pages: ReadonlyArray<ShownPage>): ReadonlyArray<ShownPage> =>
    pages.flatMap((one) => [one, ...paths(one.pages)])
  const path = paths(toShownPages(content)).find((one) => one.id === id)?.path
  const isByPath = nthOf([true, false], focus) && path !== undefined
  const outcome = await api.call(user, [
    "content",
    isByPath ? "getPageByPath" : "getPage",
    [of, isByPath ? path : (id ?? "nothing"), { format: "markdown" }]
  ])
  assert.equal(errorTagOf(outcome), page === undefined ? "NotFound" : undefined)
  if (!outcome.ok || page === undefined) return
  const shown = outcome.value as ShownPage & { readonly markdown: string }
  assert.deepEqual(
    { id: shown.id, title: shown.title, slug: shown.slug, path: shown.path, markdown: shown.markdown },
    { id, title: page.title, slug: page.slug, path, markdown: page.body }
  )
}

/** Compares a content with the model. `of` is the reference to the content, as the operations accept it. */
export const compareContent = async (observer: Observer, of: object, content: Content): Promise<void> => {
  const { model } = observer
  const outcome = await observer.api.call(observer.user, ["content", "listPages", [of, {}]])
  assert.ok(outcome.ok, `Reading ${JSON.stringify(of)} failed.`)
  const shown = pickModelledFields((outcome.value as { pages: ReadonlyArray<ShownPage> }).pages)
  assert.deepEqual(shown, withShownTimes(model, toShownPages(content), shown))
  await compareOnePage(observer, of, content)
  const files = await readAllPages<{ id: string; name: string }>(observer.api, observer.user, (page) => [
    "content",
    "listFiles",
    [of, page]
  ])
  assert.ok(typeof files !== "string", `Listing files failed with ${String(files)}.`)
  assert.deepEqual(
    files.map(({ id, name }) => [id, name]),
    [...content.files].toSorted(byId).toReversed()
  )
}

const byId = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

/** Compares the content of spaces, and of one earlier revision of each, which must never change. */
export const compareContents = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus } = observer
  for (const space of selectFocused(spacesOf(model), focus)) {
    const state = model.spaceStates.get(space.id)!
    const expectedError = model.accessError(user, space, "read", "read")
    const [revision, content] = nthOf([...state.revisions], focus ?? 0)!
    if (expectedError === undefined) {
      await compareContent(observer, { space: space.id }, contentOf(state))
      await compareContent(observer, { space: space.id, revision }, content)
      continue
    }
    for (const target of [{ space: space.id }, { space: space.id, revision }]) {
      assert.equal(errorTagOf(await api.call(user, ["content", "listPages", [target, {}]])), expectedError)
    }
  }
}

const words = ["otter", "badger", "heron", "lynx", "marten", "stoat", "weasel", "polecat"]

/** Whether the slug of a page, or of a page above it, is a word, with or without numeric suffixes. */
const isInPath = (content: Content, id: string, word: string): boolean => {
  const page = content.pages.get(id)
  return page !== undefined && (isSlugOf(page.slug, word) || isInPath(content, page.parent, word))
}

/** Returns the ids of the pages that contain a word, in their title, body or path. */
const pageIdsWithWord = (content: Content, word: string): ReadonlyArray<string> =>
  [...content.pages].flatMap(([id, { title, body }]) =>
    title.toLowerCase() === word || body === word || isInPath(content, id, word) ? [id] : []
  )

/** The maximum number of pages per space in a search of an organization. */
const maxPagesPerSpace = 10

interface FoundSpace {
  readonly id: string
  readonly pages: ReadonlyArray<{ readonly id: string }>
}

/**
 * Compares the results of searches in a space and in each organization: exactly the matching pages that the user can
 * read.
 */
export const compareSearch = async ({ api, model, user, focus = 0 }: Observer): Promise<void> => {
  const query = nthOf(words, focus)!
  const space = nthOf(spacesOf(model), focus)
  if (space !== undefined) {
    const state = model.spaceStates.get(space.id)!
    const found = await readAllPages(api, user, (page) => [
      "search",
      "searchSpace",
      [space.id, { ...page, query }]
    ])
    const expectedError = model.accessError(user, space, "read", "read")
    if (expectedError !== undefined) assert.equal(found, expectedError)
    else if (state.isIndexed) {
      assert.ok(typeof found !== "string", `The search failed with ${String(found)}.`)
      const expected = pageIdsWithWord(contentOf(state), query)
      assert.deepEqual(found.map(({ id }) => id).toSorted(), expected.toSorted(), `the pages with ${query}`)
    }
  }
  for (const organization of model.members.keys()) {
    const found = await readAllPages<FoundSpace>(api, user, (page) => [
      "search",
      "searchOrganization",
      [organization, { ...page, query }]
    ])
    if (model.roleIn(user, organization) === undefined) {
      assert.equal(found, "NotFound")
      continue
    }
    assert.ok(typeof found !== "string", `The search failed with ${String(found)}.`)
    const spaces = model.visibleItems(user, organization, "space")
    // The model does not predict results in a copied space that is not indexed yet: edits since may be found.
    const isPredicted = (id: string) => model.spaceStates.get(id)?.isIndexed !== false
    const expected = spaces
      .map(
        ({ id }) => [id, pageIdsWithWord(contentOf(model.spaceStates.get(id)!), query).toSorted()] as const
      )
      .filter(([id, pages]) => pages.length > 0 && isPredicted(id))
    const shown = new Map(found.map(({ id, pages }) => [id, pages.map(({ id }) => id)]))
    assert.deepEqual([...shown.keys()].filter(isPredicted).toSorted(), expected.map(([id]) => id).toSorted())
    for (const [id, pages] of expected) {
      // A result contains only the best pages of a space.
      const best = shown.get(id)!
      assert.deepEqual([...new Set(best)].length, Math.min(pages.length, maxPagesPerSpace))
      assert.deepEqual(
        best.filter((page) => !pages.includes(page)),
        []
      )
    }
  }
}
