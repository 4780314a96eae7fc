/** Converts events to notifications, and stores them. */

import type { GrantedRecords } from "@lectern/access"
import { byId, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  changeRequests,
  comments,
  draftsOf,
  type NotificationDraft,
  type NotificationRow,
  type NotifiedEvent,
  notifications,
  spaces
} from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Clock, Effect } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"
import { loadDeliveries, mailDueAt } from "./deliveries.ts"
import { loadNotificationContext } from "./notificationContext.ts"

/** A row to store, and whether it renews one that exists. */
export interface NewNotification {
  readonly row: NotificationRow
  readonly renews: NotificationDraft["renews"]
}

/** Selects the notifications of a user in an organization. */
export const notificationsOf = (organization: OrganizationId, user: UserId): Where.Where<NotificationRow> =>
  Where.and<NotificationRow>(Where.eq("organization", organization), Where.eq("user", user))

/** Builds the rows of the notifications of events, without storing them. */
export const buildNotifications = Effect.fnUntraced(function* (
  records: GrantedRecords,
  content: ContentStore["Service"],
  hasMail: boolean,
  events: ReadonlyArray<NotifiedEvent>
): Effect.fn.Return<ReadonlyArray<NewNotification>, StorageUnavailable> {
  const context = yield* loadNotificationContext(records, content, events)
  const time = yield* Clock.currentTimeMillis
  const built: Array<NewNotification> = []
  for (const [organization, group] of Map.groupBy(events, (event) => event.organization)) {
    const drafts = group.flatMap((event) => draftsOf(context, event).map((draft) => ({ event, draft })))
    const users = [...new Set(drafts.flatMap(({ draft }) => draft.users))]
    if (users.length === 0) continue
    const deliveryOf = yield* loadDeliveries(records, organization, users)
    for (const { event, draft } of drafts) {
      for (const user of draft.users) {
        const delivery = deliveryOf(user, draft.space)
        if (delivery === undefined || delivery === "none") continue
        built.push({
          renews: draft.renews,
          row: {
            organization,
            user,
            kind: draft.kind,
            subject: draft.subject,
            id: event.id,
            actor: event.actor,
            space: draft.space,
            changeRequest: draft.changeRequest,
            comment: draft.comment,
            createdAt: event.createdAt,
            readAt: null,
            mailDueAt: hasMail ? mailDueAt(delivery, time) : null
          }
        })
      }
    }
  }
  return built
})

/** Stores a notification, or renews the one about the same subject. */
const storeNotification = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { row, renews }: NewNotification
): Effect.fn.Return<void, StorageUnavailable> {
  const inserted = yield* records.insertMissing(notifications, [row])
  if (inserted === 1 || renews === "never") return
  const { organization, user, kind, subject, ...set } = row
  yield* records.update(
    notifications,
    Where.and<NotificationRow>(
      notificationsOf(organization, user),
      Where.eq("kind", kind),
      Where.eq("subject", subject),
      renews === "always" ? Where.all : Where.not(Where.isNull("readAt"))
    ),
    set
  )
})

/** Stores notifications, except those about resources that were removed since they were built. */
export const storeNotifications = Effect.fnUntraced(function* (
  records: GrantedRecords,
  built: ReadonlyArray<NewNotification>
): Effect.fn.Return<void, StorageUnavailable> {
  const idsIn = (column: "space" | "changeRequest" | "comment") => built.map(({ row }) => row[column])
  const existing = [
    yield* byId(records, spaces, idsIn("space"), ["id"]),
    yield* byId(records, changeRequests, idsIn("changeRequest"), ["id"]),
    yield* byId(records, comments, idsIn("comment"), ["id"])
  ]
  for (const one of built) {
    const { space, changeRequest, comment } = one.row
    const exist = [space, changeRequest, comment].every(
      (id, index) => id === null || existing[index]!.has(id)
    )
    if (exist) yield* storeNotification(records, one)
  }
})
