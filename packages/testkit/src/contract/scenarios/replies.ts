/** Replies to comments are updated and deleted, and the commenters are listed. */
import type { ChangeRequest, Comment, CommentReply, Page, Space } from "@lectern/core"
import { expect } from "vitest"
import type { OperationId } from "../endpoints.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { ScenarioContext } from "../ScenarioContext.ts"
import { documentOf } from "./helpers.ts"

type Params = Readonly<Record<string, string>>

/** The operations on the replies of a space or of a change request. */
interface ReplyOperations {
  readonly post: OperationId
  readonly reply: OperationId
  readonly update: OperationId
  readonly get: OperationId
  readonly remove: OperationId
  readonly commenters: OperationId
}

const inSpace: ReplyOperations = {
  post: "postCommentInSpace",
  reply: "postCommentReplyInSpace",
  update: "updateCommentReplyInSpace",
  get: "getCommentReplyInSpace",
  remove: "deleteCommentReplyInSpace",
  commenters: "listCommentersInSpace"
}

const inChangeRequest: ReplyOperations = {
  post: "postCommentInChangeRequest",
  reply: "postCommentReplyInChangeRequest",
  update: "updateCommentReplyInChangeRequest",
  get: "getCommentReplyInChangeRequest",
  remove: "deleteCommentReplyInChangeRequest",
  commenters: "listCommentersInChangeRequest"
}

/** Posts, updates and deletes a reply, and lists the commenters. */
const checkReplies = async (
  operations: ReplyOperations,
  at: Params,
  { ada, bob }: ScenarioContext
): Promise<void> => {
  const question = { body: { markdown: "Which version?" } }
  const comment = await ada.call<Comment>(operations.post, at, { body: question })
  const thread = { ...at, commentId: comment.id }
  const reply = await bob.call<CommentReply>(operations.reply, thread, {
    body: { body: { markdown: "Version 2." } }
  })
  const inReply = { ...thread, commentReplyId: reply.id }
  const changed = await bob.call<CommentReply>(operations.update, inReply, {
    body: { body: { markdown: "Version 3." }, addedReactions: ["👍"], removedReactions: ["👎"] }
  })
  expect(changed).toMatchObject({ id: reply.id, reactions: [{ emoji: "👍", count: 1 }] })
  await bob.call(operations.update, inReply, { body: { body: { document: documentOf("Version 4.") } } })

  const { items } = await ada.call<Page<{ user: { id: string } }>>(operations.commenters, at)
  expect(items.map(({ user }) => user.id).toSorted()).toEqual([ada.id, bob.id].toSorted())
  await bob.call(operations.remove, inReply)
  await ada.expectError(404, operations.get, inReply)
}

export const replies: ContractScenario = {
  title: "Replies to comments are updated and deleted, and the commenters are listed",
  requires: ["comments", "changeRequestComments"],
  run: async (context) => {
    const { ada, bob, acme } = context
    const organization = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", organization, { body: { title: "Discussed" } })
    const at = { spaceId: space.id }
    await checkReplies(inSpace, at, context)
    const proposed = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Discuss" }
    })
    await checkReplies(inChangeRequest, { ...at, changeRequestId: proposed.id }, context)
  }
}
