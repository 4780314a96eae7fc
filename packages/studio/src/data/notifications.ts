/** The notifications of the person in the organization that is displayed. */
import type { AnnouncedChange, Notification, NotificationSettings } from "@lectern/client/fetch"
import { client } from "../session.ts"
import { notificationStrings } from "../strings/notifications.ts"
import { translate } from "../strings/strings.ts"
import { invalidate } from "./cache.ts"
import { runChange } from "./change.ts"
import { useOrganization } from "./organization.ts"
import { type Resource, useResource } from "./useResource.ts"

/** How a person receives notifications. */
export type NotificationDelivery = NotificationSettings["delivery"]

/** A language of e-mails. */
export type MailLanguage = NonNullable<NotificationSettings["language"]>

/** The notifications that are displayed, with the number of all. */
export interface NotificationList {
  readonly items: ReadonlyArray<Notification>
  readonly count: number
}

/** The key above all lists of notifications. */
const listsKey = "notifications"

const settingsKey = (organizationId: string): string => `notification-settings/${organizationId}`

const useNotificationPage = (name: string, unread: boolean, limit: number): Resource<NotificationList> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  const key = id === undefined ? undefined : `${listsKey}/${id}/${name}/${unread}/${limit}`
  return useResource(key, async (signal) => {
    const { items, count } = await client.notifications.listNotifications(
      { params: { organizationId: id! }, query: { limit, ...(unread ? { unread } : {}) } },
      { signal }
    )
    return { items, count: count ?? items.length }
  })
}

/** The latest notifications, at most `limit`. */
export const useNotifications = (unread: boolean, limit: number): Resource<NotificationList> =>
  useNotificationPage("list", unread, limit)

/** The number of unread notifications; undefined until it is known. */
export const useUnreadCount = (): number | undefined => useNotificationPage("count", true, 1).data?.count

/** How the person receives notifications. */
export const useNotificationSettings = (): Resource<NotificationSettings> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useResource(id === undefined ? undefined : settingsKey(id), (signal) =>
    client.notifications.getNotificationSettings({ params: { organizationId: id! } }, { signal })
  )
}

const refresh = (): void => invalidate(listsKey)

/** The resources whose changes can notify the person. */
const notifying: ReadonlySet<string> = new Set([
  "comment",
  "commentReply",
  "review",
  "requestedReviewer",
  "changeRequest",
  "member",
  "importRun",
  "gitSync",
  "webhook"
])

/** When the notifications are loaded again after a change, in milliseconds: a background job stores them soon after it. */
const refreshDelaysMs = [500, 2_000, 8_000]

let scheduled: ReadonlyArray<ReturnType<typeof setTimeout>> = []

/** Loads the notifications again after a change that can notify the person. */
export const refreshAfter = ({ type }: AnnouncedChange): void => {
  if (!notifying.has(type.slice(0, type.indexOf(".")))) return
  for (const timer of scheduled) clearTimeout(timer)
  scheduled = refreshDelaysMs.map((delay) => setTimeout(refresh, delay))
}

/** Marks notifications as read: some, or all of them. */
export const markAsRead = (organizationId: string, ids?: ReadonlyArray<string>) =>
  runChange({
    send: () =>
      client.notifications.readNotifications({
        params: { organizationId },
        payload: ids === undefined ? {} : { notifications: ids }
      }),
    failure: translate(notificationStrings, "notMarked"),
    invalidates: [listsKey]
  })

/** Sets how the person receives notifications in an organization. */
export const setDelivery = (organizationId: string, delivery: NotificationDelivery) =>
  runChange({
    send: () =>
      client.notifications.updateNotificationSettings({ params: { organizationId }, payload: { delivery } }),
    message: translate(notificationStrings, "saved"),
    failure: translate(notificationStrings, "notSaved"),
    invalidates: [settingsKey(organizationId)]
  })

/** Sets the language of the e-mails to the person; null for the default. */
export const setMailLanguage = (
  { organization, delivery }: NotificationSettings,
  language: MailLanguage | null
) =>
  runChange({
    send: () =>
      client.notifications.updateNotificationSettings({
        params: { organizationId: organization },
        payload: { delivery, language }
      }),
    message: translate(notificationStrings, "saved"),
    failure: translate(notificationStrings, "notSaved"),
    invalidates: [settingsKey(organization)]
  })

/** Sets how the person receives notifications about a space; null for that of the organization. */
export const setSpaceDelivery = (
  organizationId: string,
  spaceId: string,
  delivery: NotificationDelivery | null
) =>
  runChange({
    send: () =>
      client.notifications.updateSpaceNotificationSettings({ params: { spaceId }, payload: { delivery } }),
    message: translate(notificationStrings, "saved"),
    failure: translate(notificationStrings, "notSaved"),
    invalidates: [settingsKey(organizationId)]
  })
