/** Stores how members receive notifications. */

import type { GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type NotificationSettingsRow,
  notificationSettings,
  type SpaceNotificationSettingsRow,
  spaceNotificationSettings
} from "@lectern/kernel/tables"
import { maximumSpaceSettings, type NotificationDelivery } from "@lectern/model/notifications"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { mailedDeliveries } from "./deliveries.ts"

type SpaceKey = Omit<SpaceNotificationSettingsRow, "delivery">

/** Selects the settings of a member for spaces. */
export const spaceSettingsOf = (
  organization: OrganizationId,
  user: UserId
): Where.Where<SpaceNotificationSettingsRow> =>
  Where.and<SpaceNotificationSettingsRow>(Where.eq("organization", organization), Where.eq("user", user))

/** Sets how a member receives notifications about everything without a setting of its own. An absent language does not change. */
export const setDelivery = Effect.fnUntraced(function* (
  records: GrantedRecords,
  {
    organization,
    user,
    ...set
  }: Omit<NotificationSettingsRow, "language"> & Partial<Pick<NotificationSettingsRow, "language">>
): Effect.fn.Return<void, StorageUnavailable> {
  const row = { organization, user, language: null, ...set }
  if ((yield* records.insertMissing(notificationSettings, [row])) === 1) return
  yield* records.update(
    notificationSettings,
    Where.and<NotificationSettingsRow>(Where.eq("organization", organization), Where.eq("user", user)),
    set
  )
})

/** Ends the e-mails to a member, also those about spaces with a setting of their own. Notifications remain in the list. */
export const endMails = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { organization, user }: Pick<NotificationSettingsRow, "organization" | "user">
): Effect.fn.Return<void, StorageUnavailable> {
  yield* setDelivery(records, { organization, user, delivery: "list" })
  yield* records.update(
    spaceNotificationSettings,
    Where.and<SpaceNotificationSettingsRow>(
      spaceSettingsOf(organization, user),
      Where.isIn("delivery", mailedDeliveries)
    ),
    { delivery: "list" }
  )
})

/**
 * Sets how a member receives notifications about a space; null removes the setting. Returns false, and stores nothing, if too
 * many spaces have one.
 */
export const setSpaceDelivery = Effect.fnUntraced(function* (
  records: GrantedRecords,
  key: SpaceKey,
  delivery: NotificationDelivery | null
): Effect.fn.Return<boolean, StorageUnavailable> {
  const ofUser = spaceSettingsOf(key.organization, key.user)
  const one = Where.and<SpaceNotificationSettingsRow>(ofUser, Where.eq("space", key.space))
  if (delivery === null) {
    yield* records.remove(spaceNotificationSettings, one)
    return true
  }
  if ((yield* records.update(spaceNotificationSettings, one, { delivery })) === 1) return true
  if ((yield* records.count(spaceNotificationSettings, ofUser)) >= maximumSpaceSettings) return false
  yield* records.insertMissing(spaceNotificationSettings, [{ ...key, delivery }])
  return true
})
