/** Notifications of a person: the actions of others that concern them, and failures. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { CommentId } from "../comments/Comment.ts"
import { PageId } from "../content/Page.ts"
import { mailLanguages } from "../mail/mailTexts.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { User } from "../users/User.ts"

/** The id of a notification. */
export const NotificationId = idSchema("The id of a notification.").pipe(Schema.brand("NotificationId"))

/** The id of a notification. */
export type NotificationId = string & Brand.Brand<"NotificationId">

/**
 * The kind of a notification:
 * - `mention`: a user mentioned the recipient in a comment or in a reply.
 * - `reply`: a user replied to a comment of the recipient, or to a comment that the recipient has replied to.
 * - `comment`: a user commented on a change request of the recipient.
 * - `reviewRequested`: a user requested a review by the recipient.
 * - `review`: a user reviewed a change request of the recipient.
 * - `merged`: a change request was merged that the recipient created, reviewed or should have reviewed.
 * - `conflict`: a change request that the recipient created, reviewed or should review conflicts with a merge into its space.
 * - `added`: a user added the recipient to the organization.
 * - `importFailed`: an import that the recipient started has failed.
 * - `synchronizationFailed`: a Git synchronization that the recipient set up has failed.
 * - `webhookDisabled`: a user disabled a webhook that the recipient created.
 */
export const NotificationKind = Schema.Literals([
  "mention",
  "reply",
  "comment",
  "reviewRequested",
  "review",
  "merged",
  "conflict",
  "added",
  "importFailed",
  "synchronizationFailed",
  "webhookDisabled"
])

/** The kind of a notification. */
export type NotificationKind = typeof NotificationKind.Type

/**
 * How a person receives notifications: `immediate` also by e-mail after a few minutes, `daily` also by one e-mail a day, `list`
 * in the list only, and `none` not at all.
 */
export const NotificationDelivery = Schema.Literals(["immediate", "daily", "list", "none"])

/** How a person receives notifications. */
export type NotificationDelivery = typeof NotificationDelivery.Type

/** The language of the e-mails to a person. */
export const NotificationLanguage = Schema.Literals(mailLanguages)

/** The delivery of a person without settings. */
export const defaultDelivery: NotificationDelivery = "immediate"

/** A notification of the caller. */
export class Notification extends resource<Notification>()(
  Schema.Struct({
    /** The type of the resource: always `notification`. */
    object: Schema.Literal("notification"),
    /** The id of the notification. */
    id: NotificationId,
    /** The kind. */
    kind: NotificationKind,
    /** The user who caused it. Absent if a background job did. */
    actor: Schema.optionalKey(User),
    /** The space that it is about. Absent if it is about none. */
    space: Schema.optionalKey(
      Schema.Struct({
        /** The id of the space. */
        id: SpaceId,
        /** The title of the space. */
        title: Schema.String
      })
    ),
    /** The change request that it is about. Absent if it is about none. */
    changeRequest: Schema.optionalKey(
      Schema.Struct({
        /** The id of the change request. */
        id: ChangeRequestId,
        /** The number of the change request in its space. */
        number: Schema.Int,
        /** The subject of the change request. */
        subject: Schema.String
      })
    ),
    /** The comment that it is about. Absent if it is about none. */
    comment: Schema.optionalKey(
      Schema.Struct({
        /** The id of the comment. */
        id: CommentId,
        /** The page that was commented on. Absent for comments on a whole space or change request. */
        page: Schema.optionalKey(PageId)
      })
    ),
    /** When it happened, or happened last. */
    createdAt: Timestamp,
    /** When the caller marked it as read. Absent if they have not. */
    readAt: Schema.optionalKey(Timestamp),
    /** URLs of the notification. */
    urls: Schema.Struct({
      /** The URL of its subject, in the application. */
      app: Schema.String
    })
  }).annotate({
    identifier: "Notification",
    description: "A notification of the caller: an action of another user that concerns them, or a failure."
  })
) {}

/** Which notifications to list. */
export class ListNotifications extends resource<ListNotifications>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Whether to list unread notifications only; false by default. */
    unread: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** The maximum number of notifications that one request marks as read by their ids. */
const maximumIds = 100

/** The notifications to mark as read. */
export class ReadNotifications extends resource<ReadNotifications>()(
  Schema.Struct({
    /** The ids of the notifications, at most 100. All notifications in the organization by default. Others are ignored. */
    notifications: Schema.optionalKey(
      Schema.Array(NotificationId).check(
        Schema.isMaxLength(maximumIds, { message: `must be at most ${maximumIds} ids` })
      )
    )
  }).annotate({ identifier: "ReadNotifications" })
) {}

/** How the caller receives notifications in an organization. */
export class NotificationSettings extends resource<NotificationSettings>()(
  Schema.Struct({
    /** The type of the resource: always `notification-settings`. */
    object: Schema.Literal("notification-settings"),
    /** The organization. */
    organization: OrganizationId,
    /** How the caller receives notifications. */
    delivery: NotificationDelivery,
    /** The language of e-mails to the caller. Absent if none is set: then it is English. */
    language: Schema.optionalKey(NotificationLanguage),
    /** Whether the server can send e-mail. Without it, `immediate` and `daily` have the effect of `list`. */
    hasMail: Schema.Boolean,
    /** The spaces with a delivery of their own which the caller can see, at most 100. */
    spaces: Schema.Array(
      Schema.Struct({
        /** The id of the space. */
        id: SpaceId,
        /** The title of the space. */
        title: Schema.String,
        /** How the caller receives notifications about the space. */
        delivery: NotificationDelivery
      })
    )
  }).annotate({
    identifier: "NotificationSettings",
    description: "How the caller receives notifications in an organization."
  })
) {}

/** The maximum number of spaces with a delivery of their own, per person and organization. */
export const maximumSpaceSettings = 100

/** How the caller receives from now on notifications in an organization. */
export class UpdateNotificationSettings extends resource<UpdateNotificationSettings>()(
  Schema.Struct({
    /** How to receive notifications about everything without a delivery of its own. */
    delivery: NotificationDelivery,
    /** The language of e-mails: `en`, `de`, `fr` or `es`; null for English. It does not change if it is absent. */
    language: Schema.optionalKey(Schema.NullOr(NotificationLanguage))
  }).annotate({ identifier: "UpdateNotificationSettings" })
) {}

/** How the caller receives from now on notifications about a space. */
export class UpdateSpaceNotificationSettings extends resource<UpdateSpaceNotificationSettings>()(
  Schema.Struct({
    /** How to receive notifications about the space; null for that of the organization. */
    delivery: Schema.NullOr(NotificationDelivery)
  }).annotate({ identifier: "UpdateSpaceNotificationSettings" })
) {}
