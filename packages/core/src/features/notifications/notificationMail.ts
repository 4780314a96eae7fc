/**
 * Sends the notifications of a person by e-mail: the unread ones about content that they can see when it is sent, and
 * that they receive by e-mail then.
 */

import { Access, roleOn, SystemGrant } from "@lectern/access"
import { type JobFailed, PublicUrl, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type NotificationRow,
  notificationSettings,
  notifications,
  organizations,
  type SpaceRow,
  spaces,
  users
} from "@lectern/kernel/tables"
import { type NotificationId, notificationText } from "@lectern/model/notifications"
import type { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { Mails } from "../mail/Mails.ts"
import { isMailed, loadDeliveries } from "./deliveries.ts"
import { presentNotifications } from "./presentNotifications.ts"
import { notificationsOf } from "./storeNotifications.ts"
import { makeUnsubscribeLinks } from "./unsubscribeLinks.ts"

/** An e-mail to send. */
export interface NotificationMail {
  readonly organization: OrganizationId
  readonly user: UserId
  readonly notifications: ReadonlyArray<NotificationId>
}

/** Creates the function that sends an e-mail. It sends none if nothing remains to be reported. */
export const makeNotificationMail = Effect.gen(function* () {
  const mails = yield* Mails
  const access = yield* Access
  const base = yield* PublicUrl
  const { records } = yield* SystemGrant.make("Sends notifications to the addresses of members.")
  const { linkOf } = yield* makeUnsubscribeLinks

  /** Returns the notifications that the recipient has not read, can see, and still receives by e-mail. */
  const findReportable = Effect.fnUntraced(function* ({
    organization,
    user,
    notifications: ids
  }: NotificationMail): Effect.fn.Return<ReadonlyArray<NotificationRow>, StorageUnavailable> {
    const caller = yield* access.loadCaller(user, organization)
    if (caller === undefined || caller.ssoRequired) return []
    const rows = yield* records.find(notifications, {
      where: Where.and<NotificationRow>(
        notificationsOf(organization, user),
        Where.isIn("id", ids),
        Where.isNull("readAt")
      ),
      orderBy: ["id"]
    })
    const found = yield* records.find(spaces, {
      where: Where.and<SpaceRow>(
        Where.isIn("id", [...new Set(rows.flatMap(({ space }) => space ?? []))]),
        Where.eq("organization", organization),
        Where.isNull("deletedAt")
      )
    })
    const visible = new Set(
      found.filter((space) => isAtLeast(roleOn(caller, space), "read")).map(({ id }) => id)
    )
    // The recipient can have ended the e-mails after the notifications were stored.
    const deliveryOf = yield* loadDeliveries(records, organization, [user])
    return rows.filter(
      ({ space }) => (space === null || visible.has(space)) && isMailed(deliveryOf(user, space))
    )
  })

  return Effect.fnUntraced(function* (
    mail: NotificationMail
  ): Effect.fn.Return<void, JobFailed | StorageUnavailable> {
    const rows = yield* findReportable(mail)
    const account = yield* records.get(users, { id: mail.user })
    if (rows.length === 0 || account === undefined) return
    const owner = yield* records.get(organizations, { id: mail.organization }, ["title"])
    const key = { organization: mail.organization, user: mail.user }
    const settings = yield* records.get(notificationSettings, key, ["language"])
    const language = settings?.language ?? "en"
    const items = yield* presentNotifications(records, base, rows)
    yield* mails.send(account.email, {
      template: "notifications",
      language,
      url: `${base}/app/notifications`,
      organization: owner?.title ?? "",
      inviter: "",
      items: items.map((item) => ({ text: notificationText(language, item), url: item.urls.app })),
      unsubscribeUrl: yield* linkOf(mail)
    })
  })
})
