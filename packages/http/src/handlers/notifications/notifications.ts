/** Handlers of the endpoints for notifications. */
import { NotificationsApi } from "@lectern/client"
import { Notifications } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the caller's notifications. */
export const notifications = Effect.map(Notifications, (notifications) =>
  implement(NotificationsApi, {
    listNotifications: notifications.list,
    readNotifications: notifications.read,
    getNotificationSettings: notifications.getSettings,
    updateNotificationSettings: notifications.updateSettings,
    updateSpaceNotificationSettings: notifications.updateSpaceSettings
  })
)
