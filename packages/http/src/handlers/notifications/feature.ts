/** The handlers of the endpoints of notifications. */
import { notifications } from "./notifications.ts"

/** The handlers of each group of endpoints of notifications, by the name of the group. */
export const notificationsHandlers = { notifications }
