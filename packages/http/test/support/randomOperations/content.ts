/** Random operations on content: edits, change requests and comments. */
import { ChangeRequests, Comments, Content, type Records } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { elementAt, index, oneIn, operation, rowAt, rowsOf } from "./choices.ts"

/** Few titles, so that slugs collide. */
const title = fc.constantFrom("Guide", "Intro", "API", "Guide")

/** Markdown, of which three values differ in one paragraph, so that merges conflict. */
const markdown = fc.constantFrom(
  "",
  "# A\n\nOf [the guide](/guide).",
  "One\n\nTwo\n\nThree",
  "One\n\n2\n\nThree",
  "One\n\nTwo\n\n3"
)

/** Selects the primary content of a space, or the content of one of its change requests. */
const contentChoices = { space: index, isMain: oneIn(2), changeRequest: index }
interface ContentChoices {
  readonly space: number
  readonly isMain: boolean
  readonly changeRequest: number
}

/** Resolves the selected content, and lists its pages. */
const contentOf = Effect.fnUntraced(function* (choices: ContentChoices) {
  const space = yield* rowAt("spaces", choices.space, (row) => row.deletedAt === null)
  const requests = (yield* rowsOf("changeRequests")).filter((row) => row.space === space.id)
  const request = choices.isMain ? undefined : elementAt(requests, choices.changeRequest)
  const ref = { space: space.id, ...(request === undefined ? {} : { changeRequest: request.id }) }
  const content = yield* Content
  const pages: Array<string> = []
  const collect = (all: ReadonlyArray<{ readonly id: string; readonly pages?: unknown }>): void => {
    for (const page of all) {
      pages.push(page.id)
      if (page.pages !== undefined) collect(page.pages as never)
    }
  }
  collect((yield* content.getRevision({ content: ref as never })).pages as never)
  return { space: space.id, ref, pages }
})

/** The pages and the space of the content that a change edits. */
interface EditedContent {
  readonly pages: ReadonlyArray<string>
  readonly space: string
}

/** Defines an operation that edits content with one change. */
const edit = <A extends object>(
  choices: { readonly [K in keyof A]: fc.Arbitrary<A[K]> },
  changeOf: (choices: A, place: EditedContent) => object | Effect.Effect<object, unknown, Records>
) =>
  operation(
    { of: fc.record(contentChoices), change: fc.record(choices) as fc.Arbitrary<A> },
    function* (drawn) {
      const { ref, pages, space } = yield* contentOf(drawn.of)
      const made = changeOf(drawn.change, { pages, space })
      const change = Effect.isEffect(made) ? yield* made : made
      yield* (yield* Content).edit({ content: ref as never, input: { changes: [change] as never } })
    }
  )

/** The parent of a page: none, or another page. */
const parent = fc.record({ isTop: oneIn(3), page: index })
const parentOf = (
  { pages }: EditedContent,
  { isTop, page }: { readonly isTop: boolean; readonly page: number }
) => (isTop ? null : (elementAt(pages, page) ?? null))

/** A position among siblings. Without it, a page is inserted last. */
const position = (places: number, lastInCases: number) =>
  fc.tuple(oneIn(lastInCases), fc.nat(places - 1)).map(([isGiven, at]) => (isGiven ? { at } : {}))

export const insertPage = edit(
  { title, markdown, parent, isGroup: oneIn(7), position: position(4, 3) },
  (drawn, place) => ({
    operation: "insert_page",
    ...(drawn.isGroup
      ? { type: "group", into: null }
      : { into: parentOf(place, drawn.parent), document: { markdown: drawn.markdown } }),
    title: drawn.title,
    ...drawn.position
  })
)

export const movePage = edit({ page: index, parent, position: position(5, 2) }, (drawn, place) => ({
  operation: "update_page",
  page: elementAt(place.pages, drawn.page),
  into: parentOf(place, drawn.parent),
  ...drawn.position
}))

export const renamePage = edit({ page: index, title, hasSlug: oneIn(2) }, (drawn, { pages }) => ({
  operation: "update_page",
  page: elementAt(pages, drawn.page),
  title: drawn.title,
  slug: drawn.hasSlug ? "guide" : ""
}))

export const writePage = edit({ page: index, markdown }, (drawn, { pages }) => ({
  operation: "update_page",
  page: elementAt(pages, drawn.page),
  document: { markdown: drawn.markdown }
}))

export const hidePage = edit({ page: index, hidden: oneIn(2) }, (drawn, { pages }) => ({
  operation: "update_page",
  page: elementAt(pages, drawn.page),
  hidden: drawn.hidden
}))

export const deletePage = edit({ page: index }, (drawn, { pages }) => ({
  operation: "delete_page",
  page: elementAt(pages, drawn.page)
}))

export const revertPage = edit({ revision: index, page: index }, (drawn, { space }) =>
  Effect.gen(function* () {
    const revision = yield* rowAt("revisions", drawn.revision, (row) => row.space === space)
    const found = yield* rowAt("searchParts", drawn.page, (row) => row.space === space)
    return { operation: "revert_page", page: found.page ?? "nothing", revision: revision.id }
  })
)

export const uploadFile = edit({ name: fc.constantFrom("0.txt", "1.txt", "2.txt") }, ({ name }) => ({
  operation: "insert_files",
  files: [{ name, contentType: "text/plain", base64: "aGk=" }]
}))

export const createChangeRequest = operation({ space: index }, function* ({ space }) {
  yield* (yield* ChangeRequests).create({ space: (yield* rowAt("spaces", space)).id, input: {} })
})

export const mergeChangeRequest = operation({ changeRequest: index }, function* ({ changeRequest }) {
  const { space, id } = yield* rowAt("changeRequests", changeRequest)
  yield* (yield* ChangeRequests).merge({ space: space as string, changeRequest: id })
})

export const updateChangeRequest = operation({ changeRequest: index }, function* ({ changeRequest }) {
  const { space, id } = yield* rowAt("changeRequests", changeRequest)
  yield* (yield* ChangeRequests).updateFromSpace({ space: space as string, changeRequest: id })
})

export const setChangeRequestStatus = operation(
  { changeRequest: index, status: fc.constantFrom("archived" as const, "open" as const) },
  function* ({ changeRequest, status }) {
    const { space, id } = yield* rowAt("changeRequests", changeRequest)
    yield* (yield* ChangeRequests).update({ space: space as string, changeRequest: id, input: { status } })
  }
)

export const createComment = operation(
  { of: fc.record(contentChoices), page: index, isOnNoPage: oneIn(2) },
  function* (drawn) {
    const { ref, pages } = yield* contentOf(drawn.of)
    const page = drawn.isOnNoPage ? {} : { page: elementAt(pages, drawn.page) ?? "nothing" }
    yield* (yield* Comments).create({
      target: ref as never,
      input: { body: { markdown: "Hm, @bob@example.com" }, ...page }
    })
  }
)

/** The parameters that identify an existing comment. */
const commentAt = (chosen: number) =>
  Effect.map(rowAt("comments", chosen), ({ id, space, changeRequest }) => ({
    comment: id,
    target: { space, ...(changeRequest === null ? {} : { changeRequest }) } as never
  }))

export const replyToComment = operation({ comment: index }, function* ({ comment }) {
  const parameters = yield* commentAt(comment)
  yield* (yield* Comments).createReply({ ...parameters, input: { body: { markdown: "Ah" } } })
})

export const resolveComment = operation({ comment: index }, function* ({ comment }) {
  const parameters = yield* commentAt(comment)
  yield* (yield* Comments).update({ ...parameters, input: { resolved: true } })
})

export const reactToComment = operation({ comment: index }, function* ({ comment }) {
  const parameters = yield* commentAt(comment)
  yield* (yield* Comments).update({ ...parameters, input: { addedReactions: ["👍"], resolved: false } })
})

export const deleteComment = operation({ comment: index }, function* ({ comment }) {
  const parameters = yield* commentAt(comment)
  yield* (yield* Comments).remove(parameters)
})
