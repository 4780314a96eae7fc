/** Adds the notifications of members, and how they receive them. */
import { Table } from "@lectern/kernel"
import { createTable, type SchemaChange } from "../SchemaChange.ts"
import { organizations, spaces, users } from "./0001-foundation.ts"
import { changeRequests } from "./0002-content.ts"
import { commentsTable } from "./0003-comments.ts"

const { nullable, text } = Table

const ofOrganization = { table: () => organizations, onRemove: "cascade" } as const
const ofUser = { table: () => users, onRemove: "cascade" } as const
const ofSpace = { table: () => spaces, onRemove: "cascade" } as const

const notifications = Table.make("notifications", {
  columns: {
    organization: text(),
    user: text(),
    kind: text(),
    subject: text(),
    id: text(),
    actor: nullable(text()),
    space: nullable(text()),
    changeRequest: nullable(text()),
    comment: nullable(text()),
    createdAt: text(),
    readAt: nullable(text()),
    mailDueAt: nullable(text())
  },
  key: ["organization", "user", "kind", "subject"],
  references: {
    organization: ofOrganization,
    user: ofUser,
    actor: ofUser,
    space: ofSpace,
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    comment: { table: () => commentsTable, onRemove: "cascade" }
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

const notificationSettings = Table.make("notificationSettings", {
  columns: { organization: text(), user: text(), delivery: text() },
  key: ["organization", "user"],
  references: { organization: ofOrganization, user: ofUser },
  indexes: [["user"]]
})

const spaceNotificationSettings = Table.make("spaceNotificationSettings", {
  columns: { organization: text(), user: text(), delivery: text(), space: text() },
  key: ["organization", "user", "space"],
  references: { organization: ofOrganization, user: ofUser, space: ofSpace },
  indexes: [["user"], ["space"]]
})

/** The changes of the schema. */
export const notificationChanges: ReadonlyArray<SchemaChange> = [
  createTable(notifications),
  createTable(notificationSettings),
  createTable(spaceNotificationSettings)
]
