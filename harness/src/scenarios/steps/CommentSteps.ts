/** Steps on comments: threads on spaces and change requests, replies, reactions. */
import * as fc from "fast-check"
import { type ActorChoice, type Choice, choose, chooseNth, nth, nthOf } from "../definition/choices.ts"
import { asUserWithRole, defineStep, type Feature, type StepContext } from "../definition/Step.ts"
import type { PageState } from "../model/ContentModel.ts"
import { contentOf, type Said, type Thread } from "../model/SpaceState.ts"
import { type Refusal, spacesOf, type WorkspaceModel } from "../model/WorkspaceModel.ts"
import { compareComment, compareComments, compareReply, type Subject } from "./CommentCompare.ts"
import { type RequestChoice, requestChoice, resolveRequest } from "./ContentSteps.ts"

/** What is commented: a space or a change request. */
interface SubjectChoice {
  readonly on: "space" | "changeRequest"
  readonly space: number
  readonly request: RequestChoice
}
const subjectChoice: fc.Arbitrary<SubjectChoice> = fc.record({
  on: choose({ space: 1, changeRequest: 1 }),
  space: nth,
  request: requestChoice
})

/** A thread. A missing one, or any where there are none, is looked up on a subject. */
interface ThreadChoice extends Choice<"existing" | "missing"> {
  readonly subject: SubjectChoice
}
const threadChoice: fc.Arbitrary<ThreadChoice> = fc.record({
  which: choose({ existing: 9, missing: 1 }),
  nth,
  subject: subjectChoice
})

/** The thread itself, or one of its replies if there are any. */
type PostChoice = Choice<"thread" | "reply">

interface OneThread {
  readonly thread: ThreadChoice
}
interface OnePost extends OneThread {
  readonly post: PostChoice
}

/** Resolves a subject; undefined if there is no space. */
const resolveSubject = (model: WorkspaceModel, given: SubjectChoice): Subject | undefined => {
  if (given.on === "changeRequest") {
    const chosen = resolveRequest(model, given.request)
    if (chosen === undefined) return undefined
    const { request, ref } = chosen
    const of = { space: chosen.space.id, changeRequest: ref }
    return { space: chosen.space, request, of, threads: request?.threads }
  }
  const space = nthOf(spacesOf(model), given.space)
  if (space === undefined) return undefined
  const { threads } = model.writings.get(space.id)!
  return { space, request: undefined, of: { space: space.id }, threads }
}

/** All threads, each with what it is on. */
const threadsOf = (model: WorkspaceModel): ReadonlyArray<Subject & { readonly thread: Thread }> =>
  spacesOf(model).flatMap((space) => {
    const { threads, changeRequests } = model.writings.get(space.id)!
    const subjects: ReadonlyArray<Subject> = [
      { space, request: undefined, of: { space: space.id }, threads },
      ...changeRequests.map((request) => ({
        ...{ space, request, threads: request.threads },
        of: { space: space.id, changeRequest: request.id }
      }))
    ]
    return subjects.flatMap((subject) => subject.threads!.map((thread) => ({ ...subject, thread })))
  })

/** Resolves a thread with its subject; `thread` is undefined if it is missing. Undefined if there is no space. */
const resolveThread = (
  { model }: StepContext,
  given: ThreadChoice
): (Subject & { readonly thread: Thread | undefined }) | undefined => {
  const found = given.which === "missing" ? undefined : nthOf(threadsOf(model), given.nth)
  if (found !== undefined) return found
  const subject = resolveSubject(model, given.subject)
  return subject === undefined ? undefined : { ...subject, thread: undefined }
}

/** Whether the step chose an existing thread and there is none, so that it should start one. */
const needsThread = ({ thread }: { readonly thread: Thread | undefined }, given: OneThread): boolean =>
  thread === undefined && given.thread.which !== "missing"

const resolveReply = (thread: Thread | undefined, { which, nth }: PostChoice): Said | undefined =>
  which === "thread" ? undefined : nthOf(thread?.replies ?? [], nth)

/** The refusal of an action on a subject. */
const trySubject = ({ model, user }: StepContext, { space, threads }: Subject): Refusal | undefined =>
  model.tryReach(user, space, "read", "read") ?? (threads === undefined ? "NotFound" : undefined)

/** The refusal of an action on a thread that needs a role. */
const tryThread = (
  context: StepContext,
  subject: Subject & { readonly thread: Thread | undefined },
  needed: "comment" | "edit" | "admin"
): Refusal | undefined =>
  trySubject(context, subject) ??
  (subject.thread === undefined ? "NotFound" : undefined) ??
  context.model.tryReach(context.user, subject.space, needed, "read")

const isClosed = ({ request }: Subject): Refusal | undefined =>
  request?.status === "merged" ? "Conflict" : undefined

const newPost = (id: string, by: string, text: string): Said => ({
  id,
  by,
  text,
  isEdited: false,
  reactions: []
})

interface Posting {
  readonly subject: SubjectChoice
  readonly page: Choice<"none" | "existing" | "missing">
  readonly text: string
}

const post = async (from: StepContext, given: Posting & ActorChoice): Promise<void> => {
  const { model } = from
  const subject = resolveSubject(model, given.subject)
  if (subject === undefined) return
  const context = asUserWithRole(from, given, "comment", subject.space)
  const writing = model.writings.get(subject.space.id)!
  const content = contentOf(writing, subject.request)
  const pages = { none: [], existing: [...content.pages], missing: [["nothing", undefined] as const] }
  const [id, page] =
    nthOf<readonly [id: string, page: PageState | undefined]>(pages[given.page.which], given.page.nth) ?? []
  const input = { body: { markdown: given.text }, ...(id === undefined ? {} : { page: id }) }
  const refusal =
    trySubject(context, subject) ??
    model.tryReach(context.user, subject.space, "comment", "read") ??
    isClosed(subject) ??
    (id !== undefined && page === undefined ? "InvalidInput" : undefined)
  const value = await context.expect(["comments", "create", [subject.of, input]], refusal)
  if (refusal !== undefined) return
  const thread: Thread = {
    ...newPost((value as { id: string }).id, context.user, given.text),
    resolvedBy: undefined,
    page: page === undefined ? undefined : { id: id!, title: page.title, body: page.body },
    revision: (subject.request ?? writing).revision,
    replies: []
  }
  subject.threads!.push(thread)
  compareComment({ ...context, focus: 0 }, subject, thread, value)
}

const reply = async (
  from: StepContext,
  given: OneThread & { readonly text: string } & ActorChoice
): Promise<void> => {
  const chosen = resolveThread(from, given.thread)
  if (chosen === undefined) return
  if (needsThread(chosen, given)) {
    return post(from, { ...given, subject: given.thread.subject, page: { which: "none", nth: 0 } })
  }
  const context = asUserWithRole(from, given, "comment", chosen.space)
  const { of, thread } = chosen
  const refusal = tryThread(context, chosen, "comment") ?? isClosed(chosen)
  const value = await context.expect(
    ["comments", "createReply", [of, thread?.id ?? "nothing", { body: { markdown: given.text } }]],
    refusal
  )
  if (refusal !== undefined) return
  const said = newPost((value as { id: string }).id, context.user, given.text)
  thread!.replies.push(said)
  compareReply({ ...context, focus: 0 }, chosen, said, value)
}

interface Updating extends OnePost {
  readonly text: string | undefined
  readonly resolved: boolean | undefined
  readonly add: ReadonlyArray<string>
  readonly remove: ReadonlyArray<string>
}

/** The input of an update of a comment or a reply. */
const inputOf = ({ text, add, remove }: Updating) => ({
  ...(text === undefined ? {} : { body: { markdown: text } }),
  ...(add.length === 0 ? {} : { addedReactions: add }),
  ...(remove.length === 0 ? {} : { removedReactions: remove })
})

/** Applies an update to a comment or a reply. */
const change = (said: Said, user: string, { text, add, remove }: Updating): void => {
  if (text !== undefined) {
    said.text = text
    said.isEdited = true
  }
  const left = said.reactions.filter(
    (one) => one.user !== user || !remove.includes(one.emoji) || add.includes(one.emoji)
  )
  const fresh = add.filter((emoji) => !left.some((one) => one.user === user && one.emoji === emoji))
  said.reactions = [...left, ...fresh.map((emoji) => ({ emoji, user }))]
}

const update = async (from: StepContext, given: Updating & ActorChoice): Promise<void> => {
  const chosen = resolveThread(from, given.thread)
  if (chosen === undefined) return
  const context = asUserWithRole(from, given, "comment", chosen.space)
  const { of, thread } = chosen
  if (needsThread(chosen, given)) {
    const page = { which: "existing", nth: given.post.nth } as const
    return post(from, { ...given, subject: given.thread.subject, page, text: given.text ?? "First" })
  }
  const reply = resolveReply(thread, given.post)
  const said = reply ?? thread
  const { resolved } = given
  const isOwn = given.text === undefined || said?.by === context.user ? undefined : "Forbidden"
  const settles = reply === undefined && resolved !== undefined
  const refusal =
    tryThread(context, chosen, "comment") ??
    isOwn ??
    (settles ? tryThread(context, chosen, "edit") : undefined)
  const id = thread?.id ?? "nothing"
  const value = await context.expect(
    reply === undefined
      ? ["comments", "update", [of, id, { ...inputOf(given), ...(settles ? { resolved } : {}) }]]
      : ["comments", "updateReply", [of, id, reply.id, inputOf(given)]],
    refusal
  )
  if (refusal !== undefined || said === undefined || thread === undefined) return
  change(said, context.user, given)
  if (reply !== undefined) return compareReply({ ...context, focus: 0 }, chosen, reply, value)
  if (settles) thread.resolvedBy = resolved ? (thread.resolvedBy ?? context.user) : undefined
  compareComment({ ...context, focus: 0 }, chosen, thread, value)
}

const remove = async (from: StepContext, given: OnePost & ActorChoice): Promise<void> => {
  const chosen = resolveThread(from, given.thread)
  if (chosen === undefined) return
  const context = asUserWithRole(from, given, "comment", chosen.space)
  const { of, thread, threads } = chosen
  const reply = resolveReply(thread, given.post)
  const said = reply ?? thread
  const refusal = tryThread(context, chosen, said?.by === context.user ? "comment" : "admin")
  const id = thread?.id ?? "nothing"
  await context.expect(
    reply === undefined ? ["comments", "remove", [of, id]] : ["comments", "removeReply", [of, id, reply.id]],
    refusal
  )
  if (refusal !== undefined || thread === undefined) return
  if (reply === undefined) threads!.splice(threads!.indexOf(thread), 1)
  else thread.replies.splice(thread.replies.indexOf(reply), 1)
}

const text = fc.constantFrom("Is this so?", "It is *so*.", "Ask @scenario-2@example.com")
const emojis = fc.subarray(["👍", "🎉"])

/** Comments on spaces and change requests. */
export const comments: Feature = {
  steps: {
    post: defineStep<Posting>({
      weight: 5,
      choices: { subject: subjectChoice, page: chooseNth({ none: 8, existing: 7, missing: 1 }), text },
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
