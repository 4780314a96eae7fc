/** How members receive notifications, and when they are sent by e-mail. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import {
  type MemberRow,
  members,
  type NotificationSettingsRow,
  notificationSettings,
  type SpaceNotificationSettingsRow,
  spaceNotificationSettings
} from "@lectern/kernel/tables"
import { defaultDelivery, type NotificationDelivery } from "@lectern/model/notifications"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"

/** How long an e-mail waits for further notifications, and for the recipient to read them, in milliseconds: 5 minutes. */
export const immediateDelayMillis = 5 * 60 * 1_000

/** The hour of the daily e-mail, in UTC. */
const dailyHour = 6

/** The deliveries by which notifications are also sent by e-mail. */
export const mailedDeliveries: ReadonlyArray<NotificationDelivery> = ["immediate", "daily"]

/** Whether notifications are sent by e-mail. */
export const isMailed = (delivery: NotificationDelivery | undefined): boolean =>
  delivery !== undefined && mailedDeliveries.includes(delivery)

/** Returns when a notification is sent by e-mail; null if it is not. `time` is in milliseconds. */
export const mailDueAt = (delivery: NotificationDelivery, time: number): string | null => {
  if (delivery === "immediate") return toTimestamp(time + immediateDelayMillis)
  if (delivery !== "daily") return null
  const date = new Date(time)
  const today = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), dailyHour)
  return toTimestamp(time < today ? today : today + 24 * 60 * 60 * 1_000)
}

/** Returns how a member receives a notification; undefined for users who are not members, or whose membership is disabled. */
export type FindDelivery = (user: UserId, space: SpaceId | null) => NotificationDelivery | undefined

/** Loads how users receive the notifications of an organization. */
export const loadDeliveries = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  users: ReadonlyArray<UserId>
): Effect.fn.Return<FindDelivery, StorageUnavailable> {
  const present = yield* records.find(members, {
    select: ["user"],
    where: Where.and<MemberRow>(
      Where.eq("organization", organization),
      Where.isIn("user", users),
      Where.eq("disabled", false)
    )
  })
  const general = yield* records.find(notificationSettings, {
    where: Where.and<NotificationSettingsRow>(
      Where.eq("organization", organization),
      Where.isIn("user", users)
    )
  })
  const ofSpaces = yield* records.find(spaceNotificationSettings, {
    where: Where.and<SpaceNotificationSettingsRow>(
      Where.eq("organization", organization),
      Where.isIn("user", users)
    )
  })
  const isMember = new Set(present.map(({ user }) => user))
  const generalOf = new Map(general.map(({ user, delivery }) => [user, delivery]))
  const spaceOf = new Map(ofSpaces.map(({ user, space, delivery }) => [`${user} ${space}`, delivery]))
  return (user, space) =>
    isMember.has(user)
      ? (spaceOf.get(`${user} ${space}`) ?? generalOf.get(user) ?? defaultDelivery)
      : undefined
})
