/** The recipients of the notifications of an event. Pure rules: `notificationContext.ts` loads the rows that they need. */

import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { CommentId } from "@lectern/model/comments"
import type { NotificationKind } from "@lectern/model/notifications"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import type { NotifiedEvent } from "./notifiedEvents.ts"

/** A change request, and the people who work on it. */
export interface NotifiedChangeRequest {
  readonly space: SpaceId
  readonly createdBy: UserId
  /** The users who have reviewed it, or are requested to. */
  readonly reviewers: ReadonlyArray<UserId>
}

/** A comment, and the people who wrote in its thread. */
export interface NotifiedComment {
  readonly space: SpaceId
  readonly changeRequest: ChangeRequestId | null
  /** The author and the authors of replies. */
  readonly authors: ReadonlyArray<UserId>
}

/** A change request that conflicts. */
export interface NotifiedConflict extends NotifiedChangeRequest {
  /** The content that conflicts: it is reported once, and again after the change request was updated. */
  readonly revision: string
}

/** The rows that the events of a batch refer to. What was removed since is absent, and notifies no user. */
export interface NotificationContext {
  readonly comments: ReadonlyMap<CommentId, NotifiedComment>
  readonly changeRequests: ReadonlyMap<ChangeRequestId, NotifiedChangeRequest>
  readonly spaces: ReadonlySet<SpaceId>
  /** The change requests that conflict with the content of their space. */
  readonly conflicts: ReadonlyMap<ChangeRequestId, NotifiedConflict>
}

/** A notification to store. */
export interface NotificationDraft {
  readonly users: ReadonlyArray<UserId>
  readonly kind: NotificationKind
  /** The id of its subject: there is one notification of a kind about it. */
  readonly subject: string
  readonly space: SpaceId | null
  readonly changeRequest: ChangeRequestId | null
  readonly comment: CommentId | null
  /** When the event renews a notification that exists: `always`, `read` if it was read, or `never`. */
  readonly renews: "always" | "read" | "never"
}

const draft = (
  kind: NotificationKind,
  subject: string,
  users: ReadonlyArray<UserId>,
  about: Partial<Omit<NotificationDraft, "kind" | "subject" | "users">> = {}
): NotificationDraft => ({
  users,
  kind,
  subject,
  space: null,
  changeRequest: null,
  comment: null,
  renews: "always",
  ...about
})

/** Returns the notifications about a comment or a reply. An edit notifies only the members whom it mentions for the first time. */
const draftsOfText = (
  { changeRequests, comments }: NotificationContext,
  subject: Extract<NotifiedEvent["subject"], { readonly resource: "comment" | "commentReply" }>
): ReadonlyArray<NotificationDraft> => {
  const id = subject.resource === "comment" ? subject.id : subject.comment
  const comment = comments.get(id)
  if (comment === undefined) return []
  const about = { space: comment.space, changeRequest: comment.changeRequest, comment: id }
  const mentioned = draft("mention", subject.id, subject.mentions, { ...about, renews: "never" })
  if (!subject.isNew) return [mentioned]
  const others = (users: ReadonlyArray<UserId>) => users.filter((user) => !subject.mentions.includes(user))
  if (subject.resource === "commentReply") {
    return [mentioned, draft("reply", id, others(comment.authors), about)]
  }
  const { changeRequest } = comment
  const author = changeRequest === null ? undefined : changeRequests.get(changeRequest)?.createdBy
  return author === undefined || changeRequest === null
    ? [mentioned]
    : [mentioned, draft("comment", changeRequest, others([author]), about)]
}

/** Returns the notifications about a change request that still exists. */
const draftsOfChangeRequest = (
  { changeRequests }: NotificationContext,
  id: ChangeRequestId,
  kind: NotificationKind,
  usersOf: (changeRequest: NotifiedChangeRequest) => ReadonlyArray<UserId>
): ReadonlyArray<NotificationDraft> => {
  const found = changeRequests.get(id)
  return found === undefined
    ? []
    : [draft(kind, id, usersOf(found), { space: found.space, changeRequest: id })]
}

const participantsOf = ({ createdBy, reviewers }: NotifiedChangeRequest) => [createdBy, ...reviewers]

/** Returns the notifications about the change requests that conflict after another one was merged. */
const draftsOfConflicts = (
  { changeRequests, conflicts }: NotificationContext,
  merged: ChangeRequestId
): ReadonlyArray<NotificationDraft> => {
  const space = changeRequests.get(merged)?.space
  return [...conflicts]
    .filter(([, conflict]) => conflict.space === space)
    .map(([id, conflict]) =>
      draft("conflict", `${id} ${conflict.revision}`, participantsOf(conflict), {
        space: conflict.space,
        changeRequest: id,
        renews: "never"
      })
    )
}

/** Returns the notifications of an event, also to the user who caused it. */
const allDrafts = (
  context: NotificationContext,
  { organization, actor, subject }: NotifiedEvent
): ReadonlyArray<NotificationDraft> => {
  switch (subject.resource) {
    case "comment":
    case "commentReply":
      return draftsOfText(context, subject)
    case "requestedReviewer":
      return draftsOfChangeRequest(context, subject.changeRequest, "reviewRequested", () => [subject.user])
    case "review":
      return draftsOfChangeRequest(context, subject.changeRequest, "review", ({ createdBy }) => [createdBy])
    case "changeRequest":
      return [
        ...draftsOfChangeRequest(context, subject.id, "merged", participantsOf),
        ...draftsOfConflicts(context, subject.id)
      ]
    case "member":
      // A sign-in by which a person joins, and an operator, act for no user.
      return actor === null ? [] : [draft("added", organization, [subject.user])]
    case "importRun":
      return context.spaces.has(subject.space)
        ? [draft("importFailed", subject.id, [subject.user], { space: subject.space })]
        : []
    case "gitSync":
      return context.spaces.has(subject.space)
        ? [
            draft("synchronizationFailed", subject.space, [subject.user], {
              space: subject.space,
              renews: "read"
            })
          ]
        : []
    case "webhook":
      return [draft("webhookDisabled", subject.id, [subject.createdBy], { renews: "read" })]
  }
}

/** The kinds of failures and conflicts, of which also the user is notified who caused them. */
const isFailure: ReadonlySet<NotificationKind> = new Set([
  "importFailed",
  "synchronizationFailed",
  "conflict"
])

/** Returns the notifications of an event. No user is notified of an action of their own, except of failures. */
export const draftsOf = (
  context: NotificationContext,
  event: NotifiedEvent
): ReadonlyArray<NotificationDraft> =>
  allDrafts(context, event)
    .map((one) => ({
      ...one,
      users: [...new Set(one.users)].filter((user) => isFailure.has(one.kind) || user !== event.actor)
    }))
    .filter(({ users }) => users.length > 0)
