/** The tables `notifications`, `notificationSettings` and `spaceNotificationSettings`. */

import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { CommentId } from "@lectern/model/comments"
import type { MailLanguage } from "@lectern/model/mail"
import type { NotificationDelivery, NotificationId, NotificationKind } from "@lectern/model/notifications"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { changeRequests } from "../change-requests/changeRequestTables.ts"
import { comments } from "../comments/commentTables.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { users } from "../users/userTable.ts"

const notificationColumns = {
  organization: Table.text<OrganizationId>(),
  user: Table.text<UserId>(),
  kind: Table.text<NotificationKind>(),
  /** The id of its subject. Another event about the subject renews the notification. */
  subject: Table.text(),
  /** The id of the last event, which orders the notifications. */
  id: Table.text<NotificationId>(),
  actor: Table.nullable(Table.text<UserId>()),
  space: Table.nullable(Table.text<SpaceId>()),
  changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
  comment: Table.nullable(Table.text<CommentId>()),
  createdAt: Table.text(),
  readAt: Table.nullable(Table.text()),
  /** When it is sent by e-mail; null if it is not, or was sent. */
  mailDueAt: Table.nullable(Table.text())
}

/** A row of the table `notifications`. */
export interface NotificationRow extends Table.RowOf<typeof notificationColumns> {}

/** The table of notifications. */
export const notifications: Table.ProtectedTable<
  "notifications",
  NotificationRow,
  "organization" | "user" | "kind" | "subject"
> = Table.makeProtected("notifications", {
  tenant: "organization",
  owner: "user",
  columns: notificationColumns,
  locking: Table.withoutLocks,
  key: ["organization", "user", "kind", "subject"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" },
    actor: { table: () => users, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" },
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    comment: { table: () => comments, onRemove: "cascade" }
  },
  indexes: [
    ["organization", "user", "id"],
    ["mailDueAt"],
    ["createdAt"],
    ["user"],
    ["actor"],
    ["space"],
    ["changeRequest"],
    ["comment"]
  ]
})

const settingsColumns = {
  organization: Table.text<OrganizationId>(),
  user: Table.text<UserId>(),
  delivery: Table.text<NotificationDelivery>()
}

const generalColumns = {
  ...settingsColumns,
  /** The language of e-mails; null for the default. */
  language: Table.nullable(Table.text<MailLanguage>())
}

/** A row of the table `notificationSettings`. */
export interface NotificationSettingsRow extends Table.RowOf<typeof generalColumns> {}

/** How members receive notifications. Members without a row have the default. */
export const notificationSettings: Table.ProtectedTable<
  "notificationSettings",
  NotificationSettingsRow,
  "organization" | "user"
> = Table.makeProtected("notificationSettings", {
  tenant: "organization",
  owner: "user",
  columns: generalColumns,
  locking: Table.withoutLocks,
  key: ["organization", "user"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})

const spaceSettingsColumns = { ...settingsColumns, space: Table.text<SpaceId>() }

/** A row of the table `spaceNotificationSettings`. */
export interface SpaceNotificationSettingsRow extends Table.RowOf<typeof spaceSettingsColumns> {}

/** How members receive notifications about single spaces. */
export const spaceNotificationSettings: Table.ProtectedTable<
  "spaceNotificationSettings",
  SpaceNotificationSettingsRow,
  "organization" | "user" | "space"
> = Table.makeProtected("spaceNotificationSettings", {
  tenant: "organization",
  owner: "user",
  columns: spaceSettingsColumns,
  locking: Table.withoutLocks,
  key: ["organization", "user", "space"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" }
  },
  indexes: [["user"], ["space"]]
})
