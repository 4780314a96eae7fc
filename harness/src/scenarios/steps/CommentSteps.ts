/** What users say about spaces and change requests: comments, replies, reactions. */
import * as fc from "fast-check"
import { at, type By, type Feature, forOneWith, kind, pick, type Stage, spacesOf } from "../Feature.ts"
import type { Refusal, WorkspaceModel } from "../model/WorkspaceModel.ts"
import { contentOf, type Said, type Thread } from "../model/Writing.ts"
import { compareComment, compareComments, compareReply, type Subject } from "./CommentCompare.ts"
import { chooseRequest } from "./ContentSteps.ts"

interface OneThread {
  readonly thread: number
}
interface OneReply extends OneThread {
  readonly reply: number
}

/** What there is to be commented: spaces, and their change requests. */
const subjectOf = (model: WorkspaceModel, n: number): Subject | undefined => {
  const space = at(spacesOf(model), n >> 1)
  if (n % 2 === 1) {
    const chosen = chooseRequest(model, n)
    if (chosen === undefined) return undefined
    const { request, ref } = chosen
    const of = { space: chosen.space.id, changeRequest: ref }
    return { space: chosen.space, request, of, threads: request?.threads }
  }
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

/** A thread, or nothing of that name on some subject. */
const choose = (
  { model }: Stage,
  n: number
): (Subject & { readonly thread: Thread | undefined }) | undefined => {
  const found = n % 10 === 0 ? undefined : at(threadsOf(model), n)
  if (found !== undefined) return found
  const subject = subjectOf(model, n)
  return subject === undefined ? undefined : { ...subject, thread: undefined }
}

/** Whether there are no threads, so that a step does better to begin one. */
const isBare = ({ thread }: { readonly thread: Thread | undefined }, n: number): boolean =>
  thread === undefined && n % 10 !== 0

/** How getting at what is commented ends. */
const trySubject = ({ model, user }: Stage, { space, threads }: Subject): Refusal | undefined =>
  model.tryReach(user, space, "read", "read") ?? (threads === undefined ? "NotFound" : undefined)

/** How something on a thread ends that needs a role. */
const tryThread = (
  stage: Stage,
  subject: Subject & { readonly thread: Thread | undefined },
  needed: "comment" | "edit" | "admin"
): Refusal | undefined =>
  trySubject(stage, subject) ??
  (subject.thread === undefined ? "NotFound" : undefined) ??
  stage.model.tryReach(stage.user, subject.space, needed, "read")

const isClosed = ({ request }: Subject): Refusal | undefined =>
  request?.status === "merged" ? "Conflict" : undefined

const says = (id: string, by: string, text: string): Said => ({
  id,
  by,
  text,
  isEdited: false,
  reactions: []
})

interface Posting {
  readonly subject: number
  readonly page: number
  readonly text: string
}

const post = async (from: Stage, given: Posting & By): Promise<void> => {
  const { model } = from
  const subject = subjectOf(model, given.subject)
  if (subject === undefined) return
  const stage = forOneWith(from, given, "comment", subject.space)
  const writing = model.writings.get(subject.space.id)!
  const content = contentOf(writing, subject.request)
  const [id, page] =
    given.page % 2 === 0
      ? []
      : given.page % 9 === 1
        ? ["nothing", undefined]
        : (at([...content.pages], given.page) ?? [])
  const input = { body: { markdown: given.text }, ...(id === undefined ? {} : { page: id }) }
  const refusal =
    trySubject(stage, subject) ??
    model.tryReach(stage.user, subject.space, "comment", "read") ??
    isClosed(subject) ??
    (id !== undefined && page === undefined ? "InvalidInput" : undefined)
  const value = await stage.expect(["comments", "create", [subject.of, input]], refusal)
  if (refusal !== undefined) return
  const thread: Thread = {
    ...says((value as { id: string }).id, stage.user, given.text),
    resolvedBy: undefined,
    page: page === undefined ? undefined : { id: id!, title: page.title, body: page.body },
    revision: (subject.request ?? writing).revision,
    replies: []
  }
  subject.threads!.push(thread)
  compareComment({ ...stage, focus: 0 }, subject, thread, value)
}

const reply = async (from: Stage, given: OneThread & { readonly text: string } & By): Promise<void> => {
  const chosen = choose(from, given.thread)
  if (chosen === undefined) return
  if (isBare(chosen, given.thread)) return post(from, { ...given, subject: given.thread, page: 0 })
  const stage = forOneWith(from, given, "comment", chosen.space)
  const { of, thread } = chosen
  const refusal = tryThread(stage, chosen, "comment") ?? isClosed(chosen)
  const value = await stage.expect(
    ["comments", "createReply", [of, thread?.id ?? "nothing", { body: { markdown: given.text } }, {}]],
    refusal
  )
  if (refusal !== undefined) return
  const said = says((value as { id: string }).id, stage.user, given.text)
  thread!.replies.push(said)
  compareReply({ ...stage, focus: 0 }, chosen, said, value)
}

interface Updating extends OneReply {
  readonly text: string | undefined
  readonly resolved: boolean | undefined
  readonly add: ReadonlyArray<string>
  readonly remove: ReadonlyArray<string>
}

/** What an update asks for, of a comment or of a reply. */
const inputOf = ({ text, add, remove }: Updating) => ({
  ...(text === undefined ? {} : { body: { markdown: text } }),
  ...(add.length === 0 ? {} : { addedReactions: add }),
  ...(remove.length === 0 ? {} : { removedReactions: remove })
})

/** What becomes of something that was said. */
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

const update = async (from: Stage, given: Updating & By): Promise<void> => {
  const chosen = choose(from, given.thread)
  if (chosen === undefined) return
  const stage = forOneWith(from, given, "comment", chosen.space)
  const { of, thread } = chosen
  if (isBare(chosen, given.thread)) {
    return post(from, { ...given, subject: given.thread, page: given.reply, text: given.text ?? "First" })
  }
  const answered = given.reply % 3 === 0 ? undefined : at(thread?.replies ?? [], given.reply)
  const said = answered ?? thread
  const { resolved } = given
  const isOwn = given.text === undefined || said?.by === stage.user ? undefined : "Forbidden"
  const settles = answered === undefined && resolved !== undefined
  const refusal =
    tryThread(stage, chosen, "comment") ?? isOwn ?? (settles ? tryThread(stage, chosen, "edit") : undefined)
  const id = thread?.id ?? "nothing"
  const value = await stage.expect(
    answered === undefined
      ? ["comments", "update", [of, id, { ...inputOf(given), ...(settles ? { resolved } : {}) }]]
      : ["comments", "updateReply", [of, id, answered.id, inputOf(given)]],
    refusal
  )
  if (refusal !== undefined || said === undefined || thread === undefined) return
  change(said, stage.user, given)
  if (answered !== undefined) return compareReply({ ...stage, focus: 0 }, chosen, answered, value)
  if (settles) thread.resolvedBy = resolved ? (thread.resolvedBy ?? stage.user) : undefined
  compareComment({ ...stage, focus: 0 }, chosen, thread, value)
}

const remove = async (from: Stage, given: OneReply & By): Promise<void> => {
  const chosen = choose(from, given.thread)
  if (chosen === undefined) return
  const stage = forOneWith(from, given, "comment", chosen.space)
  const { of, thread, threads } = chosen
  const answered = given.reply % 2 === 0 ? undefined : at(thread?.replies ?? [], given.reply)
  const said = answered ?? thread
  const refusal = tryThread(stage, chosen, said?.by === stage.user ? "comment" : "admin")
  const id = thread?.id ?? "nothing"
  await stage.expect(
    answered === undefined
      ? ["comments", "remove", [of, id]]
      : ["comments", "removeReply", [of, id, answered.id]],
    refusal
  )
  if (refusal !== undefined || thread === undefined) return
  if (answered === undefined) threads!.splice(threads!.indexOf(thread), 1)
  else thread.replies.splice(thread.replies.indexOf(answered), 1)
}

const text = fc.constantFrom("Is this so?", "It is *so*.", "Ask @story-2@example.com")
const emojis = fc.subarray(["👍", "🎉"])

/** Comments on spaces and change requests. */
export const comments: Feature = {
  kinds: {
    post: kind<Posting>(5, { subject: pick, page: pick, text }, post),
    reply: kind<OneThread & { text: string }>(4, { thread: pick, text }, reply),
    updateComment: kind<Updating>(
      6,
      {
        thread: pick,
        reply: pick,
        text: fc.option(text, { nil: undefined }),
        resolved: fc.option(fc.boolean(), { nil: undefined }),
        add: emojis,
        remove: emojis
      },
      update
    ),
    removeComment: kind<OneReply>(3, { thread: pick, reply: pick }, remove)
  },
  compare: compareComments
}
