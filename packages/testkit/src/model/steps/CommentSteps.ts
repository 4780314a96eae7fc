/** Steps on comments: threads on spaces and change requests, replies, reactions. */
import * as fc from "fast-check"
import { type ActorChoice, type Choice, choose, chooseNth, nth, nthOf } from "../definition/choices.ts"
import { asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import type { PageState } from "../state/ContentModel.ts"
import { contentOf, type Post, type Thread } from "../state/SpaceState.ts"
import { type ErrorTag, spacesOf, type WorkspaceModel } from "../state/WorkspaceModel.ts"
import { type CommentTarget, compareComment, compareComments, compareReply } from "./CommentCompare.ts"
import { type RequestChoice, requestChoice, resolveRequest } from "./ContentSteps.ts"

/** The choice of a target of comments: a space or a change request. */
interface TargetChoice {
  readonly on: "space" | "changeRequest"
  readonly space: number
  readonly request: RequestChoice
}
const targetChoice: fc.Arbitrary<TargetChoice> = fc.record({
  on: choose({ space: 1, changeRequest: 1 }),
  space: nth,
  request: requestChoice
})

/** The choice of a thread. A missing one, or any one if no thread exists, is looked up on a target. */
interface ThreadChoice extends Choice<"existing" | "missing"> {
  readonly target: TargetChoice
}
const threadChoice: fc.Arbitrary<ThreadChoice> = fc.record({
  which: choose({ existing: 9, missing: 1 }),
  nth,
  target: targetChoice
})

/** The choice of a post: the thread itself, or one of its replies if there are any. */
type PostChoice = Choice<"thread" | "reply">

interface OneThread {
  readonly thread: ThreadChoice
}
interface OnePost extends OneThread {
  readonly post: PostChoice
}

/** Resolves a target; undefined if there is no space. */
const resolveTarget = (model: WorkspaceModel, given: TargetChoice): CommentTarget | undefined => {
  if (given.on === "changeRequest") {
    const chosen = resolveRequest(model, given.request)
    if (chosen === undefined) return undefined
    const { request, ref: changeRequest } = chosen
    const ref = { space: chosen.space.id, changeRequest }
    return { space: chosen.space, request, ref, threads: request?.threads }
  }
  const space = nthOf(spacesOf(model), given.space)
  if (space === undefined) return undefined
  const { threads } = model.spaceStates.get(space.id)!
  return { space, request: undefined, ref: { space: space.id }, threads }
}

/** Returns all threads, each with its target. */
const threadsOf = (model: WorkspaceModel): ReadonlyArray<CommentTarget & { readonly thread: Thread }> =>
  spacesOf(model).flatMap((space) => {
    const { threads, changeRequests } = model.spaceStates.get(space.id)!
    const targets: ReadonlyArray<CommentTarget> = [
      { space, request: undefined, ref: { space: space.id }, threads },
      ...changeRequests.map((request) => ({
        ...{ space, request, threads: request.threads },
        ref: { space: space.id, changeRequest: request.id }
      }))
    ]
    return targets.flatMap((target) => target.threads!.map((thread) => ({ ...target, thread })))
  })

/** Resolves a thread with its target; `thread` is undefined if it is missing. Undefined if there is no space. */
const resolveThread = (
  { model }: StepContext,
  given: ThreadChoice
): (CommentTarget & { readonly thread: Thread | undefined }) | undefined => {
  const found = given.which === "missing" ? undefined : nthOf(threadsOf(model), given.nth)
  if (found !== undefined) return found
  const target = resolveTarget(model, given.target)
  return target === undefined ? undefined : { ...target, thread: undefined }
}

/** Whether the step chose an existing thread, but none exists, so that it should start one. */
const needsThread = ({ thread }: { readonly thread: Thread | undefined }, given: OneThread): boolean =>
  thread === undefined && given.thread.which !== "missing"

const resolveReply = (thread: Thread | undefined, { which, nth }: PostChoice): Post | undefined =>
  which === "thread" ? undefined : nthOf(thread?.replies ?? [], nth)

/** Predicts the error of an action on a target. */
const targetError = ({ model, user }: StepContext, { space, threads }: CommentTarget): ErrorTag | undefined =>
  model.accessError(user, space, "read", "read") ?? (threads === undefined ? "NotFound" : undefined)

/** Predicts the error of an action on a thread that needs a role. */
const threadError = (
  context: StepContext,
  target: CommentTarget & { readonly thread: Thread | undefined },
  needed: "comment" | "edit" | "admin"
): ErrorTag | undefined =>
  targetError(context, target) ??
  (target.thread === undefined ? "NotFound" : undefined) ??
  context.model.accessError(context.user, target.space, needed, "read")

/** Predicts the error of a new post on a merged change request. */
const closedError = ({ request }: CommentTarget): ErrorTag | undefined =>
  request?.status === "merged" ? "Conflict" : undefined

const newPost = (id: string, by: string, text: string): Post => ({
  id,
  by,
  text,
  isEdited: false,
  reactions: []
})

interface Posting {
  readonly target: TargetChoice
  readonly page: Choice<"none" | "existing" | "missing">
  readonly text: string
}

const post = async (from: StepContext, given: Posting & ActorChoice): Promise<void> => {
  const { model } = from
  const target = resolveTarget(model, given.target)
  if (target === undefined) return
  const context = asUserWithRole(from, given, "comment", target.space)
  const state = model.spaceStates.get(target.space.id)!
  const content = contentOf(state, target.request)
  const pages = { none: [], existing: [...content.pages], missing: [["nothing", undefined] as const] }
  const [id, page] =
    nthOf<readonly [id: string, page: PageState | undefined]>(pages[given.page.which], given.page.nth) ?? []
  const input = { body: { markdown: given.text }, ...(id === undefined ? {} : { page: id }) }
  const expectedError =
    targetError(context, target) ??
    model.accessError(context.user, target.space, "comment", "read") ??
    closedError(target) ??
    (id !== undefined && page === undefined ? "InvalidInput" : undefined)
  const value = await context.expect(["comments", "create", [target.ref, input]], expectedError)
  if (expectedError !== undefined) return
  const thread: Thread = {
    ...newPost((value as { id: string }).id, context.user, given.text),
    resolvedBy: undefined,
    page: page === undefined ? undefined : { id: id!, title: page.title, body: page.body },
    revision: (target.request ?? state).revision,
    replies: []
  }
  target.threads!.push(thread)
  compareComment({ ...context, focus: 0 }, target, thread, value)
}

const reply = async (
  from: StepContext,
  given: OneThread & { readonly text: string } & ActorChoice
): Promise<void> => {
  const chosen = resolveThread(from, given.thread)
  if (chosen === undefined) return
  if (needsThread(chosen, given)) {
    return post(from, { ...given, target: given.thread.target, page: { which: "none", nth: 0 } })
  }
  const context = asUserWithRole(from, given, "comment", chosen.space)
  const { ref, thread } = chosen
  const expectedError = threadError(context, chosen, "comment") ?? closedError(chosen)
  const value = await context.expect(
    ["comments", "createReply", [ref, thread?.id ?? "nothing", { body: { markdown: given.text } }]],
    expectedError
  )
  if (expectedError !== undefined) return
  const posted = newPost((value as { id: string }).id, context.user, given.text)
  thread!.replies.push(posted)
  compareReply({ ...context, focus: 0 }, chosen, posted, value)
}

interface Updating extends OnePost {
  readonly text: string | undefined
  readonly resolved: boolean | undefined
  readonly add: ReadonlyArray<string>
  readonly remove: ReadonlyArray<string>
}

/** Returns the input of an update of a comment or a reply. */
const toInput = ({ text, add, remove }: Updating) => ({
  ...(text === undefined ? {} : { body: { markdown: text } }),
  ...(add.length === 0 ? {} : { addedReactions: add }),
  ...(remove.length === 0 ? {} : { removedReactions: remove })
})

/** Applies an update to a comment or a reply. */
const applyUpdate = (posted: Post, user: string, { text, add, remove }: Updating): void => {
  if (text !== undefined) {
    posted.text = text
    posted.isEdited = true
  }
  const remaining = posted.reactions.filter(
    (one) => one.user !== user || !remove.includes(one.emoji) || add.includes(one.emoji)
  )
  const added = add.filter((emoji) => !remaining.some((one) => one.user === user && one.emoji === emoji))
  posted.reactions = [...remaining, ...added.map((emoji) => ({ emoji, user }))]
}

const update = async (from: StepContext, given: Updating & ActorChoice): Promise<void> => {
  const chosen = resolveThread(from, given.thread)
  if (chosen === undefined) return
  const context = asUserWithRole(from, given, "comment", chosen.space)
  const { ref, thread } = chosen
  if (needsThread(chosen, given)) {
    const page = { which: "existing", nth: given.post.nth } as const
    return post(from, { ...given, target: given.thread.target, page, text: given.text ?? "First" })
  }
  const reply = resolveReply(thread, given.post)
  const posted = reply ?? thread
  const { resolved } = given
  const authorError = given.text === undefined || posted?.by === context.user ? undefined : "Forbidden"
  const changesStatus = reply === undefined && resolved !== undefined
  const expectedError =
    threadError(context, chosen, "comment") ??
    authorError ??
    (changesStatus ? threadError(context, chosen, "edit") : undefined)
  const id = thread?.id ?? "nothing"
  const value = await context.expect(
    reply === undefined
      ? ["comments", "update", [ref, id, { ...toInput(given), ...(changesStatus ? { resolved } : {}) }]]
      : ["comments", "updateReply", [ref, id, reply.id, toInput(given)]],
    expectedError
  )
  if (expectedError !== undefined || posted === undefined || thread === undefined) return
  applyUpdate(posted, context.user, given)
  if (reply !== undefined) return compareReply({ ...context, focus: 0 }, chosen, reply, value)
  if (changesStatus) thread.resolvedBy = resolved ? (thread.resolvedBy ?? context.user) : undefined
  compareComment({ ...context, focus: 0 }, chosen, thread, value)
}

const remove = async (from: StepContext, given: OnePost & ActorChoice): Promise<void> => {
  const chosen = resolveThread(from, given.thread)
  if (chosen === undefined) return
  const context = asUserWithRole(from, given, "comment", chosen.space)
  const { ref, thread, threads } = chosen
  const reply = resolveReply(thread, given.post)
  const posted = reply ?? thread
  const expectedError = threadError(context, chosen, posted?.by === context.user ? "comment" : "admin")
  const id = thread?.id ?? "nothing"
  await context.expect(
    reply === undefined
      ? ["comments", "remove", [ref, id]]
      : ["comments", "removeReply", [ref, id, reply.id]],
    expectedError
  )
  if (expectedError !== undefined || thread === undefined) return
  if (reply === undefined) threads!.splice(threads!.indexOf(thread), 1)
  else thread.replies.splice(thread.replies.indexOf(reply), 1)
}

const text = fc.constantFrom("Is this so?", "It is *so*.", "Ask @scenario-2@example.com")
const emojis = fc.subarray(["👍", "🎉"])

/** The feature of comments. */
export const comments: Feature = {
  steps: {
    post: defineStep<Posting>({
      weight: 5,
      choices: { target: targetChoice, page: chooseNth({ none: 8, existing: 7, missing: 1 }), text },
      run: post
    }),
    reply: defineStep<OneThread & { text: string }>({
      weight: 4,
      choices: { thread: threadChoice, text },
      run: reply
    }),
    updateComment: defineStep<Updating>({
      weight: 6,
      choices: {
        thread: threadChoice,
        post: chooseNth({ thread: 1, reply: 2 }),
        text: fc.option(text, { nil: undefined }),
        resolved: fc.option(fc.boolean(), { nil: undefined }),
        add: emojis,
        remove: emojis
      },
      run: update
    }),
    removeComment: defineStep<OnePost>({
      weight: 3,
      choices: { thread: threadChoice, post: chooseNth({ thread: 1, reply: 1 }) },
      run: remove
    })
  },
  compare: compareComments
}
