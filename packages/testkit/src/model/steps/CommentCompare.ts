/** Compares the comments of a workspace with the model. */
import assert from "node:assert/strict"
import type { Comment, CommentReply } from "@lectern/core"
import { nthOf } from "../definition/choices.ts"
import { errorTagOf, type Observer, selectFocused } from "../definition/Step.ts"
import { type ChangeRequest, contentOf, type Post, type Thread } from "../state/SpaceState.ts"
import { hasRole, type Item, spacesOf } from "../state/WorkspaceModel.ts"
import { readAllPages } from "./TreeCompare.ts"

/** A space or a change request with its comments. `threads` is undefined if the change request does not exist. */
export interface CommentTarget {
  readonly space: Item
  readonly request: ChangeRequest | undefined
  /** The reference to the target, as the operations accept it. */
  readonly ref: { readonly space: string; readonly changeRequest?: string }
  readonly threads: Array<Thread> | undefined
}

/** Compares the fields that comments and replies have in common. */
const comparePost = (
  { model, user }: Observer,
  { space, request }: CommentTarget,
  posted: Post,
  shown: Comment | CommentReply
): void => {
  const role = model.roleOn(user, space)
  const isOwn = posted.by === user
  const canComment = hasRole(role, "comment")
  const byEmoji = Map.groupBy(posted.reactions, ({ emoji }) => emoji)
  assert.deepEqual(
    {
      id: shown.id as string,
      by: shown.postedBy.id as string,
      text: shown.body.markdown,
      isEdited: shown.editedAt !== undefined,
      reactions: shown.reactions.map(({ emoji, count, users }) => [
        emoji,
        count,
        users.map(({ user }) => user.id)
      ]),
      permissions: shown.permissions
    },
    {
      id: posted.id,
      by: posted.by,
      text: posted.text,
      isEdited: posted.isEdited,
      reactions: Array.from(byEmoji, ([emoji, all]) => [emoji, all.length, all.map(({ user }) => user)]),
      permissions: {
        view: hasRole(role, "read"),
        edit: isOwn && canComment,
        reply: canComment && request?.status !== "merged",
        delete: isOwn ? canComment : hasRole(role, "admin")
      }
    }
  )
}

/** Compares the resource of a reply with the model. */
export const compareReply = (observer: Observer, target: CommentTarget, posted: Post, value: unknown): void =>
  comparePost(observer, target, posted, value as CommentReply)

/** Compares the resource of a comment with the model, including whether its page has changed since. */
export const compareComment = (
  observer: Observer,
  target: CommentTarget,
  thread: Thread,
  value: unknown
): void => {
  const comment = value as Comment
  comparePost(observer, target, thread, comment)
  const { page } = thread
  const content = contentOf(observer.model.spaceStates.get(target.space.id)!, target.request)
  const now = page === undefined ? undefined : content.pages.get(page.id)
  const shown = comment.target.page
  assert.deepEqual(
    {
      status: comment.status,
      resolvedBy: comment.resolvedBy?.id as string | undefined,
      replies: comment.replies,
      space: comment.target.space as string,
      changeRequest: comment.target.changeRequest,
      revision: comment.target.revision as string,
      page: shown === undefined ? undefined : { id: shown.id, title: shown.title, outdated: shown.outdated }
    },
    {
      status: thread.resolvedBy === undefined ? "open" : "resolved",
      resolvedBy: thread.resolvedBy,
      replies: thread.replies.length,
      space: target.space.id,
      changeRequest: target.request?.id,
      revision: thread.revision,
      page:
        page === undefined
          ? undefined
          : {
              id: page.id,
              title: now?.title ?? page.title,
              outdated: now?.title !== page.title || now.body !== page.body
            }
    }
  )
}

const filters = [{}, { status: "open" }, { status: "resolved" }, { order: "asc" }] as const

/** Compares the threads of a target under a filter, its commenters, and the replies of one thread. */
const compareThreads = async (observer: Observer, target: CommentTarget): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  const { threads = [], ref, space } = target
  const expectedError = model.accessError(user, space, "read", "read")
  const authors = [...new Set(threads.map(({ by }) => by))].slice(0, nthOf([0, 1, 2], focus))
  const filter: { status?: string; order?: string } = nthOf(filters, focus)!
  const found = await readAllPages<{ id: string }>(api, user, (page) => [
    "comments",
    "list",
    [ref, { ...page, ...filter, ...(authors.length === 0 ? {} : { authors }) }]
  ])
  const commenters = await readAllPages(api, user, (page) => ["comments", "listCommenters", [ref, page]])
  if (expectedError !== undefined) {
    assert.deepEqual([found, commenters], [expectedError, expectedError])
    return
  }
  assert.ok(typeof found !== "string" && typeof commenters !== "string")
  const expected = threads.filter(
    ({ resolvedBy, by }) =>
      (filter.status === undefined || (filter.status === "resolved") === (resolvedBy !== undefined)) &&
      (authors.length === 0 || authors.includes(by))
  )
  const inOrder = filter.order === "asc" ? expected : expected.toReversed()
  assert.deepEqual(
    found.map(({ id }) => id),
    inOrder.map(({ id }) => id)
  )
  for (const [index, thread] of inOrder.entries()) compareComment(observer, target, thread, found[index])
  const commenterIds = new Set(threads.flatMap(({ by, replies }) => [by, ...replies.map(({ by }) => by)]))
  const members = [...model.members.get(space.organization)!.keys()]
  assert.deepEqual(
    commenters.map(({ id }) => id),
    members.filter((member) => commenterIds.has(member)).toReversed()
  )
  const thread = nthOf(threads, focus)
  if (thread === undefined) return
  const replies = await readAllPages<{ id: string }>(api, user, (page) => [
    "comments",
    "listReplies",
    [ref, thread.id, page]
  ])
  assert.ok(typeof replies !== "string", `Listing replies failed with ${String(replies)}.`)
  assert.equal(replies.length, thread.replies.length)
  for (const [index, posted] of thread.replies.entries())
    compareReply(observer, target, posted, replies[index])
}

/** Compares the comments on spaces, and on one change request of each. A thread must not be found on another target. */
export const compareComments = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  for (const space of selectFocused(spacesOf(model), observer.focus)) {
    const { threads, changeRequests } = model.spaceStates.get(space.id)!
    const on = { space, request: undefined, ref: { space: space.id }, threads }
    await compareThreads(observer, on)
    const request = nthOf(changeRequests, focus)
    if (request === undefined) continue
    const ref = { space: space.id, changeRequest: request.id }
    await compareThreads(observer, { space, request, ref, threads: request.threads })
    const thread = nthOf(threads, focus)
    if (thread === undefined) continue
    assert.equal(errorTagOf(await api.call(user, ["comments", "get", [ref, thread.id, {}]])), "NotFound")
  }
}
