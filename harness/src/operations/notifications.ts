/** The operations on the notifications of a user. */
import type { NotificationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const notifications = {
  listNotifications: {
    serves: "Notifications.list",
    rule: "organization.list",
    statements: 9,
    query: "unread=true"
  },
  readNotifications: {
    serves: "Notifications.read",
    rule: "organization.list",
    statements: 6,
    body: () => ({}),
    full: () => ({ body: { notifications: ["missing"] } })
  },
  getNotificationSettings: {
    serves: "Notifications.getSettings",
    rule: "organization.list",
    statements: 6
  },
  updateNotificationSettings: {
    serves: "Notifications.updateSettings",
    rule: "organization.list",
    statements: 6,
    body: () => ({ delivery: "daily" })
  },
  updateSpaceNotificationSettings: {
    serves: "Notifications.updateSpaceSettings",
    rule: "space.read",
    statements: 8,
    body: () => ({ delivery: "none" })
  }
} satisfies RowsOf<typeof NotificationsApi>
