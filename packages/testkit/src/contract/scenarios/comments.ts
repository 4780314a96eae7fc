/** People talk about pages: in the space, and in a change request. */
import type {
  ChangeRequest,
  Comment,
  CommentReply,
  ContentPage,
  EditedContent,
  Page,
  Space
} from "@lectern/core"
import { expect } from "vitest"
import type { OperationId } from "../endpoints.ts"
import type { Person } from "../Person.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { Stage } from "../Stage.ts"
import { documentOf, idsOf, pagesOf } from "./reading.ts"

/** The operations of one of the two places where people talk. */
interface Talk {
  readonly list: OperationId
  readonly post: OperationId
  readonly get: OperationId
  readonly update: OperationId
  readonly delete: OperationId
  readonly replies: OperationId
  readonly reply: OperationId
  readonly getReply: OperationId
}

const inSpace: Talk = {
  list: "listCommentsInSpace",
  post: "postCommentInSpace",
  get: "getCommentInSpace",
  update: "updateCommentInSpace",
  delete: "deleteCommentInSpace",
  replies: "listCommentRepliesInSpace",
  reply: "postCommentReplyInSpace",
  getReply: "getCommentReplyInSpace"
}

const inChangeRequest: Talk = {
  list: "listCommentsInChangeRequest",
  post: "postCommentInChangeRequest",
  get: "getCommentInChangeRequest",
  update: "updateCommentInChangeRequest",
  delete: "deleteCommentInChangeRequest",
  replies: "listCommentRepliesInChangeRequest",
  reply: "postCommentReplyInChangeRequest",
  getReply: "getCommentReplyInChangeRequest"
}

type Params = Readonly<Record<string, string>>

const thumb = "👍"

/** Two people talk about a page; what they say is found, answered, settled and taken back. */
const talk = async (
  does: Talk,
  at: Params,
  page: ContentPage,
  node: string,
  { ada, bob }: { readonly ada: Person; readonly bob: Person }
): Promise<{ readonly comment: string; readonly reply: string }> => {
  const general = await ada.call<Comment>(does.post, at, { body: { body: { markdown: "Well **done**." } } })
  expect(general).toMatchObject({ replies: 0, postedBy: { id: ada.id }, permissions: { edit: true } })
  const asked = await bob.call<Comment>(does.post, at, {
    body: { body: { markdown: "Why?" }, page: page.id, node }
  })
  expect(asked.target).toMatchObject({ page: { id: page.id, outdated: false }, node: { id: node } })
  const written = await bob.call<Comment>(does.post, at, {
    body: { body: { document: documentOf("Because") } }
  })
  await ada.refused(400, does.post, at, { body: { body: {} } })

  // They are found by what they are on, by who wrote them, and by whether they are settled.
  const list = async (query: { readonly [name: string]: string | ReadonlyArray<string> }) =>
    idsOf(await ada.call<Page<Comment>>(does.list, at, { query }))
  const all = [general.id, asked.id, written.id]
  expect(await list({ order: "asc", format: "markdown" })).toEqual(all)
  expect(await list({ order: "desc" })).toEqual(all.toReversed())
  expect(await list({ targetPage: page.id })).toEqual([asked.id])
  expect(await list({ authors: [ada.id] })).toEqual([general.id])
  expect(await list({ authors: [ada.id, bob.id], order: "asc" })).toEqual(all)

  const comment = { ...at, commentId: asked.id }
  const settled = await bob.call<Comment>(does.update, comment, {
    body: { resolved: true, body: { markdown: "Why so?" }, addedReactions: [thumb], removedReactions: ["👎"] }
  })
  expect(settled).toMatchObject({
    status: "resolved",
    resolvedBy: { id: bob.id },
    reactions: [{ emoji: thumb, count: 1 }]
  })
  expect(settled.editedAt).toBeDefined()
  const shown = await ada.call<Comment>(does.get, comment, { query: { format: "markdown" } })
  expect(shown.body).toEqual({ markdown: expect.stringMatching(/^Why so\?\n?$/) })
  const nodes = await ada.call<Comment>(does.get, comment, { query: { format: "document" } })
  expect(nodes.body).toHaveProperty("document.object", "document")
  expect(await list({ status: "resolved" })).toEqual([asked.id])
  expect(await list({ status: "open", order: "asc" })).toEqual([general.id, written.id])
  await bob.call<Comment>(does.update, comment, {
    body: { resolved: false, body: { document: documentOf("Why?") } }
  })
  expect(await list({ status: "resolved" })).toEqual([])
  await bob.refused(
    403,
    does.update,
    { ...at, commentId: general.id },
    { body: { body: { markdown: "No." } } }
  )

  // Two answers.
  const format = "markdown"
  const answer = await ada.call<CommentReply>(does.reply, comment, {
    query: { format },
    body: { body: { markdown: "So." } }
  })
  await bob.call<CommentReply>(does.reply, comment, { body: { body: { document: documentOf("I see") } } })
  expect((await ada.call<Page<CommentReply>>(does.replies, comment, { query: { format } })).count).toBe(2)
  const reply = { ...comment, commentReplyId: answer.id }
  expect(await ada.call<CommentReply>(does.getReply, reply, { query: { format } })).toEqual(answer)
  expect((await ada.call<Comment>(does.get, comment)).replies).toBe(2)

  const gone = { ...at, commentId: written.id }
  await bob.call(does.delete, gone)
  await ada.refused(404, does.get, gone)
  return { comment: asked.id, reply: answer.id }
}

/** A space with a page, whose first paragraph has a key. */
const write = async ({ ada, acme }: Stage) => {
  const at = { organizationId: acme.id }
  const space = await ada.call<Space>("createSpace", at, { body: { title: "Talked about" } })
  const inIt = { spaceId: space.id }
  const edited = await ada.call<EditedContent>("updateSpaceContent", inIt, {
    body: { changes: [{ operation: "insert_page", title: "Start", document: { markdown: "First words." } }] }
  })
  const pageId = pagesOf(edited)[0]!
  const page = await ada.call<ContentPage>(
    "getPageById",
    { ...inIt, pageId },
    { query: { format: "document" } }
  )
  const { nodes } = (page as { document?: { nodes: ReadonlyArray<{ key?: string }> } }).document!
  return { at: inIt, page, node: nodes[0]!.key! }
}

export const comments: ContractScenario = {
  title: "People talk about pages, and settle it",
  run: async (stage) => {
    const { ada, bob, rita } = stage
    const { at, page, node } = await write(stage)
    const open = async () => (await ada.call<Space>("getSpaceById", at)).comments
    const { comment, reply } = await talk(inSpace, at, page, node, stage)
    expect(await open()).toBe(2)
    await rita.refused(403, "postCommentInSpace", at, { body: { body: { markdown: "May I?" } } })

    // An answer is changed, and others like it.
    const answer = { ...at, commentId: comment, commentReplyId: reply }
    const body = { body: { markdown: "So it is." }, addedReactions: [thumb], removedReactions: ["👎"] }
    const changed = await ada.call<CommentReply>("updateCommentReplyInSpace", answer, { body })
    expect(changed).toMatchObject({ reactions: [{ emoji: thumb, count: 1 }] })
    await ada.call("updateCommentReplyInSpace", answer, { body: { body: { document: documentOf("So") } } })
    await bob.refused(403, "updateCommentReplyInSpace", answer, { body: { body: { markdown: "Never." } } })
    const asRead = await ada.call<CommentReply>("getCommentReplyInSpace", answer, {
      query: { format: "document" }
    })
    expect(asRead.body).toHaveProperty("document.object", "document")

    // The page changes, and the comment on it says so.
    await ada.call("updateSpaceContent", at, {
      body: { changes: [{ operation: "update_page", page: page.id, document: { markdown: "Others." } }] }
    })
    const outdated = await ada.call<Comment>("getCommentInSpace", { ...at, commentId: comment })
    expect(outdated.target.page?.outdated).toBe(true)

    // In a change request they talk as they do in the space; the two do not mix.
    const changeRequest = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Talk" }
    })
    const inIt = { ...at, changeRequestId: changeRequest.id }
    await talk(inChangeRequest, inIt, page, await nodeIn(inIt, page, bob), stage)
    expect((await ada.call<ChangeRequest>("getChangeRequestById", inIt)).comments).toBe(2)
    expect(await open()).toBe(2)
  }
}

/** The key of the first paragraph of a page in a change request. */
const nodeIn = async (at: Params, page: ContentPage, reader: Person): Promise<string> => {
  const shown = await reader.call<ContentPage>(
    "getPageInChangeRequestById",
    { ...at, pageId: page.id },
    {
      query: { format: "document" }
    }
  )
  const { nodes } = (shown as { document?: { nodes: ReadonlyArray<{ key?: string }> } }).document!
  return nodes[0]!.key!
}
