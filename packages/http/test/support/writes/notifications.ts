/** Writes to the notifications of a user. */
import { oneIn, organizationPath, pickOne, type WriteKind, type WriteKinds } from "./writes.ts"

const readNotifications: WriteKind = (writer) => ({
  method: "POST",
  path: `${organizationPath(writer)}/notifications/read`,
  body: {},
  facts: []
})

const updateNotificationSettings: WriteKind = (writer) => ({
  method: "PUT",
  path: `${organizationPath(writer)}/notification-settings`,
  body: { delivery: oneIn(writer, 2) ? "daily" : "list" },
  facts: []
})

const updateSpaceNotificationSettings: WriteKind = (writer) => {
  const space = pickOne(writer, writer.spaces)
  if (space === undefined) return undefined
  return {
    method: "PUT",
    path: `/spaces/${space}/notification-settings`,
    body: { delivery: oneIn(writer, 2) ? null : "none" },
    facts: []
  }
}

/** The kinds of writes to notifications, by their operations. */
export const notificationWrites = {
  readNotifications: [readNotifications],
  updateNotificationSettings: [updateNotificationSettings],
  updateSpaceNotificationSettings: [updateSpaceNotificationSettings]
} satisfies WriteKinds
