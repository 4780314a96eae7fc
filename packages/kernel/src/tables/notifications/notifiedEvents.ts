/** The events that notify people, as data: what a job needs of them. */

import { ChangeRequestId } from "@lectern/model/change-requests"
import { CommentId } from "@lectern/model/comments"
import { NotificationId } from "@lectern/model/notifications"
import { OrganizationId } from "@lectern/model/organizations"
import { SpaceId } from "@lectern/model/spaces"
import { UserId } from "@lectern/model/users"
import { Effect, Option, Schema } from "effect"
import type { EventRow } from "../../storage/eventTables.ts"

const mentions = Schema.Array(UserId)

const CommentFact = Schema.Struct({
  resource: Schema.Literal("comment"),
  isNew: Schema.Boolean,
  id: CommentId,
  mentions
})

const ReplyFact = Schema.Struct({
  resource: Schema.Literal("commentReply"),
  isNew: Schema.Boolean,
  id: Schema.String,
  comment: CommentId,
  mentions
})

const RequestFact = Schema.Struct({
  resource: Schema.Literal("requestedReviewer"),
  changeRequest: ChangeRequestId,
  user: UserId
})

const ReviewFact = Schema.Struct({ resource: Schema.Literal("review"), changeRequest: ChangeRequestId })

const MergeFact = Schema.Struct({ resource: Schema.Literal("changeRequest"), id: ChangeRequestId })

const MemberFact = Schema.Struct({ resource: Schema.Literal("member"), user: UserId })

const ImportFact = Schema.Struct({
  resource: Schema.Literal("importRun"),
  id: Schema.String,
  space: SpaceId,
  user: UserId,
  status: Schema.Literal("failed")
})

const GitFact = Schema.Struct({
  resource: Schema.Literal("gitSync"),
  space: SpaceId,
  user: UserId,
  state: Schema.Literal("failure")
})

const WebhookFact = Schema.Struct({
  resource: Schema.Literal("webhook"),
  id: Schema.String,
  createdBy: UserId,
  active: Schema.Literal(false)
})

const Subject = Schema.Union([
  CommentFact,
  ReplyFact,
  RequestFact,
  ReviewFact,
  MergeFact,
  MemberFact,
  ImportFact,
  GitFact,
  WebhookFact
])

const NotifiedEventSchema = Schema.Struct({
  id: NotificationId,
  organization: OrganizationId,
  actor: Schema.NullOr(UserId),
  createdAt: Schema.String,
  subject: Subject
})

/** An event that notifies people: its fields that a job needs. */
export type NotifiedEvent = typeof NotifiedEventSchema.Type

/** The types of the events that can notify people. An update of an account, for example, never does. */
const notifyingTypes: ReadonlySet<string> = new Set([
  "comment.created",
  "comment.updated",
  "commentReply.created",
  "commentReply.updated",
  "requestedReviewer.created",
  "requestedReviewer.updated",
  "review.created",
  "changeRequest.merged",
  "member.created",
  "importRun.updated",
  "gitSync.created",
  "gitSync.updated",
  "webhook.updated"
])

const decode = Schema.decodeUnknownOption(NotifiedEventSchema)

/** Returns the events of a batch that notify people. */
export const notifiedEvents = (rows: ReadonlyArray<EventRow>): ReadonlyArray<NotifiedEvent> =>
  rows.flatMap(({ id, type, organization, actor, createdAt, data }) => {
    if (organization === null || !notifyingTypes.has(type)) return []
    const [resource, action] = type.split(".")
    const event = decode({
      id,
      organization,
      actor,
      createdAt,
      subject: { ...data, resource, isNew: action === "created" }
    })
    return Option.toArray(event)
  })

const decodePayload = Schema.decodeUnknownEffect(Schema.Array(NotifiedEventSchema))

/** Decodes the events of a job. */
export const decodeNotifiedEvents = (payload: unknown): Effect.Effect<ReadonlyArray<NotifiedEvent>> =>
  Effect.orDie(decodePayload(payload))
