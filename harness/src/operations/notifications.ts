/** The operations on the notifications of a user. */
import type { NotificationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const notifications = {
  listNotifications: {
    serves: "Notifications.list",
    rule: "organization.list",
    query: "unread=true"
  },
  readNotifications: {
    serves: "Notifications.read",
    rule: "organization.list",
    body: () => ({}),
    full: () => ({ body: { notifications: ["missing"] } })
  },
  getNotificationSettings: {
    serves: "Notifications.getSettings",
    rule: "organization.list"
  },
  updateNotificationSettings: {
    serves: "Notifications.updateSettings",
    rule: "organization.list",
    body: () => ({ delivery: "daily" })
  },
  updateSpaceNotificationSettings: {
    serves: "Notifications.updateSpaceSettings",
    rule: "space.read",
    body: () => ({ delivery: "none" })
  }
} satisfies RowsOf<typeof NotificationsApi>
