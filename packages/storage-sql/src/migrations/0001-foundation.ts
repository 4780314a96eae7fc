/** Creates the tables of organizations, users, teams, collections, spaces and grants. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"

const { boolean, integer, json, nullable, text } = Table

export const users = Table.make("users", {
  columns: {
    id: text(),
    email: text(),
    displayName: text(),
    photoURL: nullable(text()),
    createdAt: text()
  },
  key: ["id"],
  unique: [["email"]],
  references: {},
  indexes: []
})

export const organizations = Table.make("organizations", {
  columns: {
    id: text(),
    title: text(),
    createdAt: text(),
    type: text(),
    useCase: nullable(text()),
    communityType: nullable(text()),
    emailDomains: json(),
    hostname: nullable(text()),
    defaultRole: nullable(text()),
    defaultContent: nullable(json()),
    logo: nullable(text()),
    sso: boolean(),
    ai: boolean(),
    inviteLinks: boolean()
  },
  key: ["id"],
  unique: [["hostname"]],
  references: {},
  indexes: []
})

const members = Table.make("members", {
  columns: {
    organization: text(),
    user: text(),
    id: text(),
    role: nullable(text()),
    disabled: boolean(),
    sso: boolean(),
    joinedAt: text(),
    lastSeenAt: nullable(text())
  },
  key: ["organization", "user"],
  unique: [],
  references: {
    organization: { table: (): Table.AnyTable => organizations, onRemove: "cascade" },
    user: { table: (): Table.AnyTable => users, onRemove: "cascade" }
  },
  indexes: [
    ["user", "id"],
    ["organization", "id"]
  ]
})

export const teams = Table.make("teams", {
  columns: {
    id: text(),
    organization: text(),
    title: text(),
    createdAt: text()
  },
  key: ["id"],
  unique: [],
  references: {
    organization: { table: (): Table.AnyTable => organizations, onRemove: "cascade" }
  },
  indexes: [["organization", "id"]]
})

const teamMembers = Table.make("teamMembers", {
  columns: {
    team: text(),
    user: text(),
    organization: text(),
    role: text()
  },
  key: ["team", "user"],
  unique: [],
  references: {
    team: { table: (): Table.AnyTable => teams, onRemove: "cascade" },
    user: { table: (): Table.AnyTable => users, onRemove: "cascade" }
  },
  indexes: [["user", "organization"]]
})

const apiTokens = Table.make("apiTokens", {
  columns: {
    id: text(),
    user: text(),
    label: text(),
    digest: text(),
    createdAt: text(),
    expiresAt: nullable(text()),
    lastUsedAt: nullable(text()),
    revokedAt: nullable(text())
  },
  key: ["id"],
  unique: [["digest"]],
  references: {
    user: { table: (): Table.AnyTable => users, onRemove: "cascade" }
  },
  indexes: [["user", "id"]]
})

const collections = Table.make("collections", {
  columns: {
    id: text(),
    organization: text(),
    title: text(),
    description: nullable(text()),
    parent: nullable(text()),
    position: text(),
    path: text(),
    defaultLevel: nullable(text()),
    level: nullable(text()),
    createdAt: text()
  },
  key: ["id"],
  unique: [],
  references: {
    organization: { table: (): Table.AnyTable => organizations, onRemove: "cascade" },
    parent: { table: (): Table.AnyTable => collections, onRemove: "restrict" }
  },
  indexes: [
    ["organization", "id"],
    ["organization", "parent", "position"],
    ["organization", "path"],
    ["parent", "position"]
  ]
})

export const spaces = Table.make("spaces", {
  columns: {
    id: text(),
    organization: text(),
    title: text(),
    emoji: nullable(text()),
    icon: nullable(text()),
    parent: nullable(text()),
    position: text(),
    path: text(),
    defaultLevel: nullable(text()),
    level: nullable(text()),
    editMode: text(),
    revision: text(),
    comments: integer(),
    changeRequests: integer(),
    changeRequestsOpen: integer(),
    changeRequestsDraft: integer(),
    createdAt: text(),
    updatedAt: text(),
    deletedAt: nullable(text())
  },
  key: ["id"],
  unique: [],
  references: {
    organization: { table: (): Table.AnyTable => organizations, onRemove: "cascade" },
    parent: { table: (): Table.AnyTable => collections, onRemove: "restrict" }
  },
  indexes: [
    ["organization", "id"],
    ["organization", "parent", "position"],
    ["organization", "path"],
    ["parent", "position"],
    ["organization", "deletedAt", "level"],
    ["deletedAt"]
  ]
})

const grants = Table.make("grants", {
  columns: {
    id: text(),
    organization: text(),
    kind: text(),
    target: text(),
    user: nullable(text()),
    team: nullable(text()),
    role: text()
  },
  key: ["id"],
  unique: [
    ["target", "user"],
    ["target", "team"]
  ],
  references: {
    organization: { table: (): Table.AnyTable => organizations, onRemove: "cascade" },
    user: { table: (): Table.AnyTable => users, onRemove: "cascade" },
    team: { table: (): Table.AnyTable => teams, onRemove: "cascade" }
  },
  indexes: [["organization", "user"], ["user"], ["team"]]
})

const tables: ReadonlyArray<Table.AnyTable> = [
  users,
  organizations,
  members,
  teams,
  teamMembers,
  apiTokens,
  collections,
  spaces,
  grants
]

export const foundation: Migration = {
  number: 1,
  name: "foundation",
  changes: tables.map((table) => ({ _tag: "CreateTable", table }))
}
