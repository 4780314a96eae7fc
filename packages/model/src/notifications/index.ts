/** All names of `notifications`. */
export * from "./Notification.ts"
