/** Replies to comments are changed and deleted, and the commenters are listed. */
import type { ChangeRequest, Comment, CommentReply, Page, Space } from "@lectern/core"
import { expect } from "vitest"
import type { OperationId } from "../endpoints.ts"
import type { ContractScenario } from "../Scenario.ts"
import type { Stage } from "../Stage.ts"
import { documentOf } from "./reading.ts"

type Params = Readonly<Record<string, string>>

/** The operations on replies, in a space or in a change request. */
interface Replying {
  readonly post: OperationId
  readonly reply: OperationId
  readonly update: OperationId
  readonly get: OperationId
  readonly remove: OperationId
  readonly commenters: OperationId
}

const inSpace: Replying = {
  post: "postCommentInSpace",
  reply: "postCommentReplyInSpace",
  update: "updateCommentReplyInSpace",
  get: "getCommentReplyInSpace",
  remove: "deleteCommentReplyInSpace",
  commenters: "listCommentersInSpace"
}

const inChangeRequest: Replying = {
  post: "postCommentInChangeRequest",
  reply: "postCommentReplyInChangeRequest",
  update: "updateCommentReplyInChangeRequest",
  get: "getCommentReplyInChangeRequest",
  remove: "deleteCommentReplyInChangeRequest",
  commenters: "listCommentersInChangeRequest"
}

const discuss = async (does: Replying, at: Params, { ada, bob }: Stage): Promise<void> => {
  const question = { body: { markdown: "Which version?" } }
  const comment = await ada.call<Comment>(does.post, at, { body: question })
  const thread = { ...at, commentId: comment.id }
  const reply = await bob.call<CommentReply>(does.reply, thread, {
    body: { body: { markdown: "Version 2." } }
  })
  const one = { ...thread, commentReplyId: reply.id }
  const changed = await bob.call<CommentReply>(does.update, one, {
    body: { body: { markdown: "Version 3." }, addedReactions: ["👍"], removedReactions: ["👎"] }
  })
  expect(changed).toMatchObject({ id: reply.id, reactions: [{ emoji: "👍", count: 1 }] })
  await bob.call(does.update, one, { body: { body: { document: documentOf("Version 4.") } } })

  const { items } = await ada.call<Page<{ user: { id: string } }>>(does.commenters, at)
  expect(items.map(({ user }) => user.id).toSorted()).toEqual([ada.id, bob.id].toSorted())
  await bob.call(does.remove, one)
  await ada.refused(404, does.get, one)
}

export const replies: ContractScenario = {
  title: "Replies to comments are changed and deleted, and the commenters are listed",
  beyond: "comments",
  run: async (stage) => {
    const { ada, bob, acme } = stage
    const organization = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", organization, { body: { title: "Discussed" } })
    const at = { spaceId: space.id }
    await discuss(inSpace, at, stage)
    const proposed = await bob.call<ChangeRequest>("createChangeRequest", at, {
      body: { subject: "Discuss" }
    })
    await discuss(inChangeRequest, { ...at, changeRequestId: proposed.id }, stage)
  }
}
