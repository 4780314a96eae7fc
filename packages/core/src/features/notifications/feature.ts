/** The manifest of the feature `notifications`. */

import { SystemGrant } from "@lectern/access"
import { defineFeature, subscribeToEvent, Where } from "@lectern/kernel"
import {
  type NotificationRow,
  notificationSettings,
  notifications,
  type SpaceNotificationSettingsRow,
  SpacesTransferred,
  spaceNotificationSettings
} from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { Notifications } from "./Notifications.ts"
import { makeNotificationJobs, notificationsOfEvents } from "./notificationJobs.ts"
import { Unsubscriptions } from "./Unsubscriptions.ts"

/** The notifications of members, in a list and by e-mail. */
export const notificationsFeature = defineFeature("notifications", {
  uses: ["change-requests", "content", "mail", "spaces"],
  tables: [notifications, notificationSettings, spaceNotificationSettings],
  userServices: { notifications: Notifications },
  layer: Layer.mergeAll(Notifications.layer, Unsubscriptions.layer, notificationsOfEvents),
  jobs: makeNotificationJobs,
  subscriptions: Effect.map(
    SystemGrant.make("Removes the notifications of a space that moves to another organization."),
    ({ records }) => [
      // The keys of the rows name the organization.
      subscribeToEvent(SpacesTransferred, ({ spaces }) =>
        Effect.andThen(
          records.remove(notifications, Where.isIn<NotificationRow, "space">("space", spaces)),
          records.remove(
            spaceNotificationSettings,
            Where.isIn<SpaceNotificationSettingsRow, "space">("space", spaces)
          )
        )
      )
    ]
  )
})
