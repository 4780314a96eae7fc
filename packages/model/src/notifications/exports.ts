/** The public names of notifications in `@lectern/model`. */
export {
  ListNotifications,
  Notification,
  NotificationDelivery,
  NotificationId,
  NotificationKind,
  NotificationSettings,
  ReadNotifications,
  UpdateNotificationSettings,
  UpdateSpaceNotificationSettings
} from "./Notification.ts"
