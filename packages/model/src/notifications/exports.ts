/** The public names of notifications in `@lectern/model`. */
export {
  ListNotifications,
  Notification,
  NotificationDelivery,
  NotificationId,
  NotificationKind,
  NotificationLanguage,
  NotificationSettings,
  ReadNotifications,
  UpdateNotificationSettings,
  UpdateSpaceNotificationSettings
} from "./Notification.ts"
