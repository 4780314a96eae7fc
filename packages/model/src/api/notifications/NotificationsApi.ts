/** Declares the operations on the notifications of a person. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  Notification,
  NotificationSettings,
  OrganizationId,
  pageOf,
  ReadNotifications,
  SpaceId,
  UpdateNotificationSettings,
  UpdateSpaceNotificationSettings
} from "../../index.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { flag, page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }

/** The group of operations on the caller's notifications. */
export const NotificationsApi = HttpApiGroup.make("notifications")
  .add(
    HttpApiEndpoint.get("listNotifications", "/orgs/:organizationId/notifications", {
      params: organization,
      query: { ...page, unread: flag("Whether to list unread notifications only; false by default.") },
      success: pageOf(Notification),
      error: reading
    }).annotateMerge(
      describe(
        "List notifications",
        "Returns the caller's notifications about what they can see now, the last one first."
      )
    ),
    HttpApiEndpoint.post("readNotifications", "/orgs/:organizationId/notifications/read", {
      params: organization,
      payload: ReadNotifications,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Mark notifications as read",
        "Marks notifications of the caller as read: some, or all of them."
      )
    ),
    HttpApiEndpoint.get("getNotificationSettings", "/orgs/:organizationId/notification-settings", {
      params: organization,
      success: NotificationSettings,
      error: reading
    }).annotateMerge(
      describe(
        "Get notification settings",
        "Returns how the caller receives notifications in the organization, and about single spaces."
      )
    ),
    HttpApiEndpoint.put("updateNotificationSettings", "/orgs/:organizationId/notification-settings", {
      params: organization,
      payload: UpdateNotificationSettings,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe(
        "Update notification settings",
        "Sets how the caller receives notifications about everything in the organization without a setting of its own."
      )
    ),
    HttpApiEndpoint.put("updateSpaceNotificationSettings", "/spaces/:spaceId/notification-settings", {
      params: { spaceId: SpaceId },
      payload: UpdateSpaceNotificationSettings,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Update notification settings of a space",
        "Sets how the caller receives notifications about the space, or removes this setting."
      )
    )
  )
  .annotateMerge(
    describeGroup("Notifications", "The notifications of the caller, and how they receive them.")
  )
