/** Comparing what a workspace shows of what was said with what the model knows. */
import assert from "node:assert/strict"
import type { Comment, CommentReply } from "@lectern/core"
import { nthOf } from "../definition/choices.ts"
import { inFocus, type Observer, refusalOf } from "../definition/Step.ts"
import { type ChangeRequest, contentOf, type Said, type Thread } from "../model/SpaceState.ts"
import { atLeast, type Item, spacesOf } from "../model/WorkspaceModel.ts"
import { readAll } from "./TreeCompare.ts"

/** What is commented: a space, or a change request of it; there are no threads where there is no such change request. */
export interface Subject {
  readonly space: Item
  readonly request: ChangeRequest | undefined
  /** What names it. */
  readonly of: { readonly space: string; readonly changeRequest?: string }
  readonly threads: Array<Thread> | undefined
}

/** What a comment and a reply have in common. */
const compareSaid = (
  { model, user }: Observer,
  { space, request }: Subject,
  said: Said,
  shown: Comment | CommentReply
): void => {
  const role = model.roleOn(user, space)
  const isOwn = said.by === user
  const may = atLeast(role, "comment")
  const byEmoji = Map.groupBy(said.reactions, ({ emoji }) => emoji)
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
      id: said.id,
      by: said.by,
      text: said.text,
      isEdited: said.isEdited,
      reactions: Array.from(byEmoji, ([emoji, all]) => [emoji, all.length, all.map(({ user }) => user)]),
      permissions: {
        view: atLeast(role, "read"),
        edit: isOwn && may,
        reply: may && request?.status !== "merged",
        delete: isOwn ? may : atLeast(role, "admin")
      }
    }
  )
}

/** What a reply says of itself. */
export const compareReply = (observer: Observer, subject: Subject, said: Said, value: unknown): void =>
  compareSaid(observer, subject, said, value as CommentReply)

/** What a comment says of itself, and of the page that it is on as that is now. */
export const compareComment = (
  observer: Observer,
  subject: Subject,
  thread: Thread,
  value: unknown
): void => {
  const comment = value as Comment
  compareSaid(observer, subject, thread, comment)
  const { page } = thread
  const content = contentOf(observer.model.writings.get(subject.space.id)!, subject.request)
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
      space: subject.space.id,
      changeRequest: subject.request?.id,
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

/** The threads on a subject under a filter, and all that is said in one of them. */
const compareThreads = async (observer: Observer, subject: Subject): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  const { threads = [], of, space } = subject
  const refusal = model.tryReach(user, space, "read", "read")
  const authors = [...new Set(threads.map(({ by }) => by))].slice(0, nthOf([0, 1, 2], focus))
  const filter: { status?: string; order?: string } = nthOf(filters, focus)!
  const found = await readAll<{ id: string }>(api, user, (page) => [
    "comments",
    "list",
    [of, { ...page, ...filter, ...(authors.length === 0 ? {} : { authors }) }]
  ])
  const commenters = await readAll(api, user, (page) => ["comments", "listCommenters", [of, page]])
  if (refusal !== undefined) {
    assert.deepEqual([found, commenters], [refusal, refusal])
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
  for (const [index, thread] of inOrder.entries()) compareComment(observer, subject, thread, found[index])
  const spoke = new Set(threads.flatMap(({ by, replies }) => [by, ...replies.map(({ by }) => by)]))
  const members = [...model.members.get(space.organization)!.keys()]
  assert.deepEqual(
    commenters.map(({ id }) => id),
    members.filter((member) => spoke.has(member)).toReversed()
  )
  const thread = nthOf(threads, focus)
  if (thread === undefined) return
  const replies = await readAll<{ id: string }>(api, user, (page) => [
    "comments",
    "listReplies",
    [of, thread.id, page]
  ])
  assert.ok(typeof replies !== "string", `listing failed with ${String(replies)}`)
  assert.equal(replies.length, thread.replies.length)
  for (const [index, said] of thread.replies.entries()) compareReply(observer, subject, said, replies[index])
}

/** What is said of spaces, and of one of the change requests of each: a thread is found in its own place alone. */
export const compareComments = async (observer: Observer): Promise<void> => {
  const { api, model, user, focus = 0 } = observer
  for (const space of inFocus(spacesOf(model), observer.focus)) {
    const { threads, changeRequests } = model.writings.get(space.id)!
    const on = { space, request: undefined, of: { space: space.id }, threads }
    await compareThreads(observer, on)
    const request = nthOf(changeRequests, focus)
    if (request === undefined) continue
    const of = { space: space.id, changeRequest: request.id }
    await compareThreads(observer, { space, request, of, threads: request.threads })
    const thread = nthOf(threads, focus)
    if (thread === undefined) continue
    assert.equal(refusalOf(await api.call(user, ["comments", "get", [of, thread.id, {}]])), "NotFound")
  }
}
