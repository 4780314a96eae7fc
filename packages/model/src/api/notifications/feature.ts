/** The endpoints of notifications. */
import { NotificationsApi } from "./NotificationsApi.ts"

/** The groups of endpoints of notifications, in the order of the OpenAPI document. */
export const groups: readonly [typeof NotificationsApi] = [NotificationsApi]
