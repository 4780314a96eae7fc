/** All names of `notifications`. */
export * from "./Notification.ts"
export * from "./notificationTexts.ts"
