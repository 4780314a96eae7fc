/** Comments are posted, replied to, resolved and deleted: on a space, and on a change request. */
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
import type { ScenarioContext } from "../ScenarioContext.ts"
import { documentOf, idsOf, pagesOf } from "./helpers.ts"

/** The operations on the comments of a space or of a change request. */
interface CommentOperations {
  readonly list: OperationId
  readonly post: OperationId
  readonly get: OperationId
  readonly update: OperationId
  readonly delete: OperationId
  readonly replies: OperationId
  readonly reply: OperationId
  readonly getReply: OperationId
}

const inSpace: CommentOperations = {
  list: "listCommentsInSpace",
  post: "postCommentInSpace",
  get: "getCommentInSpace",
  update: "updateCommentInSpace",
  delete: "deleteCommentInSpace",
  replies: "listCommentRepliesInSpace",
  reply: "postCommentReplyInSpace",
  getReply: "getCommentReplyInSpace"
}

const inChangeRequest: CommentOperations = {
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

const quote = { text: "package", before: "Download the ", after: "." }

/**
 * Posts, lists, updates, resolves, replies to and deletes comments. Two open comments remain. Returns the ids of a
 * comment and a reply to it.
 */
const discussPage = async (
  operations: CommentOperations,
  at: Params,
  page: ContentPage,
  node: string,
  { ada, bob }: { readonly ada: Person; readonly bob: Person }
): Promise<{ readonly comment: string; readonly reply: string }> => {
  const general = await ada.call<Comment>(operations.post, at, {
    body: { body: { markdown: "Well **done**." } }
  })
  expect(general).toMatchObject({ replies: 0, postedBy: { id: ada.id }, permissions: { edit: true } })
  const onNode = await bob.call<Comment>(operations.post, at, {
    body: { body: { markdown: "Which version?" }, page: page.id, node, quote }
  })
  expect(onNode.target).toMatchObject({ page: { id: page.id, outdated: false }, node: { id: node }, quote })
  await bob.expectError(400, operations.post, at, { body: { body: { markdown: "Where?" }, quote } })
  const asDocument = await bob.call<Comment>(operations.post, at, {
    body: { body: { document: documentOf("Please add an example.") } }
  })
  await ada.expectError(400, operations.post, at, { body: { body: {} } })

  // Comments are filtered by page, by author and by status.
  const list = async (query: { readonly [name: string]: string | ReadonlyArray<string> }) =>
    idsOf(await ada.call<Page<Comment>>(operations.list, at, { query }))
  const all = [general.id, onNode.id, asDocument.id]
  expect(await list({ order: "asc", format: "markdown" })).toEqual(all)
  expect(await list({ order: "desc" })).toEqual(all.toReversed())
  expect(await list({ targetPage: page.id })).toEqual([onNode.id])
  expect(await list({ authors: [ada.id] })).toEqual([general.id])
  expect(await list({ authors: [ada.id, bob.id], order: "asc" })).toEqual(all)

  const comment = { ...at, commentId: onNode.id }
  const resolved = await bob.call<Comment>(operations.update, comment, {
    body: {
      resolved: true,
      body: { markdown: "Which version exactly?" },
      addedReactions: [thumb],
      removedReactions: ["👎"]
    }
  })
  expect(resolved).toMatchObject({
    status: "resolved",
    resolvedBy: { id: bob.id },
    reactions: [{ emoji: thumb, count: 1 }]
  })
  expect(resolved.editedAt).toBeDefined()
  const shown = await ada.call<Comment>(operations.get, comment, { query: { format: "markdown" } })
  expect(shown.body).toEqual({ markdown: expect.stringMatching(/^Which version exactly\?\n?$/) })
  const nodes = await ada.call<Comment>(operations.get, comment, { query: { format: "document" } })
  expect(nodes.body).toHaveProperty("document.object", "document")
  expect(await list({ status: "resolved" })).toEqual([onNode.id])
  expect(await list({ status: "open", order: "asc" })).toEqual([general.id, asDocument.id])
  await bob.call<Comment>(operations.update, comment, {
    body: { resolved: false, body: { document: documentOf("Which version?") } }
  })
  expect(await list({ status: "resolved" })).toEqual([])
  await bob.expectError(
    403,
    operations.update,
    { ...at, commentId: general.id },
    { body: { body: { markdown: "Version 1?" } } }
  )

  // Two replies are posted.
  const format = "markdown"
  const firstReply = await ada.call<CommentReply>(operations.reply, comment, {
    query: { format },
    body: { body: { markdown: "Version 2." } }
  })
  await bob.call<CommentReply>(operations.reply, comment, {
    body: { body: { document: documentOf("Thank you.") } }
  })
  expect((await ada.call<Page<CommentReply>>(operations.replies, comment, { query: { format } })).count).toBe(
    2
  )
  const reply = { ...comment, commentReplyId: firstReply.id }
  expect(await ada.call<CommentReply>(operations.getReply, reply, { query: { format } })).toEqual(firstReply)
  const replied = await ada.call<Comment>(operations.get, comment)
  expect(replied.replies).toBe(2)
  expect(replied.repliers.reduce((sum, { count }) => sum + count, 0)).toBe(2)
  expect(new Set(replied.repliers.map(({ user }) => user.id)).size).toBe(replied.repliers.length)

  const deleted = { ...at, commentId: asDocument.id }
  await bob.call(operations.delete, deleted)
  await ada.expectError(404, operations.get, deleted)
  return { comment: onNode.id, reply: firstReply.id }
}

/** Creates a space with a page. Returns the page and the key of its first paragraph. */
const createPage = async ({ ada, acme }: ScenarioContext) => {
  const at = { organizationId: acme.id }
  const space = await ada.call<Space>("createSpace", at, { body: { title: "Reviewed" } })
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
  title: "Comments are posted, replied to, resolved and deleted",
  run: async (context) => {
    const { ada, bob, rita } = context
    const { at, page, node } = await createPage(context)
    const countOpen = async () => (await ada.call<Space>("getSpaceById", at)).comments
    const { comment, reply } = await discussPage(inSpace, at, page, node, context)
    expect(await countOpen()).toBe(2)
    await rita.expectError(403, "postCommentInSpace", at, { body: { body: { markdown: "May I?" } } })

    // A reply is updated by its author.
    const inReply = { ...at, commentId: comment, commentReplyId: reply }
    const body = { body: { markdown: "Version 2.1." }, addedReactions: [thumb], removedReactions: ["👎"] }
    const changed = await ada.call<CommentReply>("updateCommentReplyInSpace", inReply, { body })
    expect(changed).toMatchObject({ reactions: [{ emoji: thumb, count: 1 }] })
    await ada.call("updateCommentReplyInSpace", inReply, {
      body: { body: { document: documentOf("Version 2.2.") } }
    })
    await bob.expectError(403, "updateCommentReplyInSpace", inReply, {
      body: { body: { markdown: "Version 3." } }
    })
    const asRead = await ada.call<CommentReply>("getCommentReplyInSpace", inReply, {
      query: { format: "document" }
    })
    expect(asRead.body).toHaveProperty("document.object", "document")

    // A comment on a changed page is marked as outdated.
    await ada.call("updateSpaceContent", at, {
      body: { changes: [{ operation: "update_page", page: page.id, document: { markdown: "Others." } }] }
    })
    const outdated = await ada.call<Comment>("getCommentInSpace", { ...at, commentId: comment })
    expect(outdated.target.page?.outdated).toBe(true)

    // A change request has its own comments, with the same operations.
    const changeRequest = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Discuss the page" }
    })
    const inIt = { ...at, changeRequestId: changeRequest.id }
    await discussPage(inChangeRequest, inIt, page, await nodeIn(inIt, page, bob), context)
    expect((await ada.call<ChangeRequest>("getChangeRequestById", inIt)).comments).toBe(2)
    expect(await countOpen()).toBe(2)
  }
}

/** Returns the key of the first paragraph of a page in a change request. */
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
