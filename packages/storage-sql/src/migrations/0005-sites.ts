/** Creates the tables of docs sites. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, createTable } from "../SchemaChange.ts"
import { organizations, spaces } from "./0001-foundation.ts"

const { boolean, json, nullable, text } = Table

export const sitesTable = Table.make("sites", {
  columns: {
    id: text(),
    organization: text(),
    type: text(),
    title: text(),
    folded: text(),
    icon: nullable(json()),
    basename: nullable(text()),
    proxy: nullable(text()),
    visibility: text(),
    published: boolean(),
    adaptive: boolean(),
    agentsContext: text(),
    defaultSection: nullable(text()),
    defaultSiteSpace: nullable(text()),
    createdAt: text()
  },
  key: ["id"],
  unique: [["organization", "basename"]],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})

const ofSite = { table: () => sitesTable, onRemove: "cascade" } as const

const settings = Table.make("siteSettings", {
  columns: {
    site: text(),
    customization: nullable(json()),
    adaptiveSchema: nullable(json()),
    privateKey: text(),
    fallbackURL: nullable(text())
  },
  key: ["site"],
  references: { site: ofSite }
})

const groups = Table.make("siteSectionGroups", {
  columns: { id: text(), site: text(), position: text(), title: text(), icon: nullable(text()) },
  key: ["id"],
  references: { site: ofSite },
  indexes: [["site", "position"]]
})

const sections = Table.make("siteSections", {
  columns: {
    id: text(),
    site: text(),
    sectionGroup: nullable(text()),
    position: text(),
    title: text(),
    description: nullable(text()),
    path: text(),
    condition: nullable(text()),
    icon: nullable(text()),
    defaultSiteSpace: nullable(text())
  },
  key: ["id"],
  unique: [["site", "path"]],
  references: { site: ofSite, sectionGroup: { table: () => groups, onRemove: "restrict" } },
  indexes: [["site", "position"], ["sectionGroup"]]
})

export const siteSpaces = Table.make("siteSpaces", {
  columns: {
    id: text(),
    site: text(),
    section: nullable(text()),
    space: text(),
    position: text(),
    path: text(),
    condition: nullable(text())
  },
  key: ["id"],
  unique: [["site", "space"]],
  references: {
    site: ofSite,
    section: { table: () => sections, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" }
  },
  indexes: [["site", "position"], ["section"], ["space"]]
})

const shareLinks = Table.make("shareLinks", {
  columns: {
    id: text(),
    site: text(),
    name: text(),
    active: boolean(),
    key: text(),
    createdAt: text()
  },
  key: ["id"],
  unique: [["key"]],
  references: { site: ofSite },
  indexes: [["site", "id"]]
})

export const sites: Migration = {
  number: 5,
  name: "sites",
  changes: [
    ...[sitesTable, settings, groups, sections, siteSpaces, shareLinks].map(createTable),
    addColumn("spaces", "published", nullable(json()))
  ]
}
