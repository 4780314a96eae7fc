/** Comparing the content that a workspace shows, and what searches find in it, with what the model knows. */
import assert from "node:assert/strict"
import { nthOf } from "../definition/choices.ts"
import { inFocus, type Observer, refusalOf } from "../definition/Step.ts"
import type { Content } from "../model/ContentModel.ts"
import { contentOf } from "../model/SpaceState.ts"
import { spacesOf } from "../model/WorkspaceModel.ts"
import { type ShownPage, show } from "./ContentShown.ts"
import { readAll } from "./TreeCompare.ts"

/** The pages as far as the model knows them. */
const known = (pages: ReadonlyArray<ShownPage>): ReadonlyArray<ShownPage> =>
  pages.map(({ id, title, slug, path, updatedAt, pages }) => ({
    id,
    title,
    slug,
    path,
    updatedAt,
    pages: known(pages)
  }))

/** The texts of a content, one page by its id or by its path, and what is not there. */
const compareOnePage = async (
  { api, user, focus = 0 }: Observer,
  of: object,
  content: Content
): Promise<void> => {
  const [id, page] = nthOf([...content.pages], focus) ?? []
  const paths = (pages: ReadonlyArray<ShownPage>): ReadonlyArray<ShownPage> =>
    pages.flatMap((one) => [one, ...paths(one.pages)])
  const path = paths(show(content)).find((one) => one.id === id)?.path
  const isByPath = nthOf([true, false], focus) && path !== undefined
  const outcome = await api.call(user, [
    "content",
    isByPath ? "getPageByPath" : "getPage",
    [of, isByPath ? path : (id ?? "nothing"), { format: "markdown" }]
  ])
  assert.equal(refusalOf(outcome), page === undefined ? "NotFound" : undefined)
  if (!outcome.ok || page === undefined) return
  const shown = outcome.value as ShownPage & { readonly markdown: string }
  assert.deepEqual(
    { id: shown.id, title: shown.title, slug: shown.slug, path: shown.path, markdown: shown.markdown },
    { id, title: page.title, slug: page.slug, path, markdown: page.body }
  )
}

/** A content, by what names it, has to be as the model has it. */
export const compareContent = async (observer: Observer, of: object, content: Content): Promise<void> => {
  const outcome = await observer.api.call(observer.user, ["content", "listPages", [of, {}]])
  assert.ok(outcome.ok, `reading ${JSON.stringify(of)} failed`)
  assert.deepEqual(known((outcome.value as { pages: ReadonlyArray<ShownPage> }).pages), show(content))
  await compareOnePage(observer, of, content)
  const files = await readAll<{ id: string; name: string }>(observer.api, observer.user, (page) => [
    "content",
    "listFiles",
    [of, page]
  ])
  assert.ok(typeof files !== "string", `listing failed with ${String(files)}`)
  assert.deepEqual(
    files.map(({ id, name }) => [id, name]),
    [...content.files].toSorted(byId).toReversed()
  )
}

const byId = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

/** The content of spaces, and of a revision that was once there: what it says never changes. */
export const compareContents = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus } = observer
  for (const space of inFocus(spacesOf(model), focus)) {
    const writing = model.writings.get(space.id)!
    const refusal = model.tryReach(user, space, "read", "read")
    const [revision, content] = nthOf([...writing.revisions], focus ?? 0)!
    if (refusal === undefined) {
      await compareContent(observer, { space: space.id }, contentOf(writing))
      await compareContent(observer, { space: space.id, revision }, content)
      continue
    }
    for (const target of [{ space: space.id }, { space: space.id, revision }]) {
      assert.equal(refusalOf(await api.call(user, ["content", "listPages", [target, {}]])), refusal)
    }
  }
}

const words = ["otter", "badger", "heron", "lynx", "marten", "stoat", "weasel", "polecat"]

/** The pages of a content that have a word in them. */
const pagesWith = (content: Content, word: string): ReadonlyArray<string> =>
  [...content.pages].flatMap(([id, { title, body }]) =>
    title.toLowerCase() === word || body === word ? [id] : []
  )

/** The most pages that are shown of a space, where all spaces are searched. */
const mostOfSpace = 10

interface FoundSpace {
  readonly id: string
  readonly pages: ReadonlyArray<{ readonly id: string }>
}

/** What a search finds, in a space and in each organization: all that the user may read, and nothing else. */
export const compareSearch = async ({ api, model, user, focus = 0 }: Observer): Promise<void> => {
  const query = nthOf(words, focus)!
  const space = nthOf(spacesOf(model), focus)
  if (space !== undefined) {
    const writing = model.writings.get(space.id)!
    const found = await readAll(api, user, (page) => [
      "search",
      "searchSpace",
      [space.id, { ...page, query }]
    ])
    const refusal = model.tryReach(user, space, "read", "read")
    if (refusal !== undefined) assert.equal(found, refusal)
    else if (writing.isFound) {
      assert.ok(typeof found !== "string", `a search failed with ${String(found)}`)
      const expected = pagesWith(contentOf(writing), query)
      assert.deepEqual(found.map(({ id }) => id).toSorted(), expected.toSorted(), `the pages with ${query}`)
    }
  }
  for (const organization of model.members.keys()) {
    const found = await readAll<FoundSpace>(api, user, (page) => [
      "search",
      "searchOrganization",
      [organization, { ...page, query }]
    ])
    if (model.roleIn(user, organization) === undefined) {
      assert.equal(found, "NotFound")
      continue
    }
    assert.ok(typeof found !== "string", `a search failed with ${String(found)}`)
    const spaces = model.listed(user, organization, "space")
    // A copy that no job has gone through yet may be found by what was written since.
    const isKnown = (id: string) => model.writings.get(id)?.isFound !== false
    const expected = spaces
      .map(({ id }) => [id, pagesWith(contentOf(model.writings.get(id)!), query).toSorted()] as const)
      .filter(([id, pages]) => pages.length > 0 && isKnown(id))
    const shown = new Map(found.map(({ id, pages }) => [id, pages.map(({ id }) => id)]))
    assert.deepEqual([...shown.keys()].filter(isKnown).toSorted(), expected.map(([id]) => id).toSorted())
    for (const [id, pages] of expected) {
      // Of a space only the best are shown.
      const best = shown.get(id)!
      assert.deepEqual([...new Set(best)].length, Math.min(pages.length, mostOfSpace))
      assert.deepEqual(
        best.filter((page) => !pages.includes(page)),
        []
      )
    }
  }
}
