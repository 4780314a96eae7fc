/** The tables and columns of translations by a language model. */
import { Table } from "@lectern/kernel"
import { addColumn, addIndex, createTable, type SchemaChange } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { json, nullable, text } = Table

const ofOrganization = { table: () => organizations, onRemove: "cascade" } as const
/** The table of migration 6, as far as references need it. */
const translations = Table.make("translations", { columns: { id: text() }, key: ["id"] })
/** The table of migration 1, as far as references need it. */
const spaces = Table.make("spaces", { columns: { id: text() }, key: ["id"] })
const ofTranslation = { table: () => translations, onRemove: "cascade" } as const

const translationRuns = Table.make("translationRuns", {
  columns: {
    ...{ organization: text(), id: text(), translation: text(), user: text(), status: text() },
    ...{ progress: json(), changeRequest: nullable(text()), error: nullable(text()) },
    ...{ startedAt: text(), aliveAt: text(), completedAt: nullable(text()) }
  },
  key: ["organization", "id"],
  references: { organization: ofOrganization, translation: ofTranslation },
  indexes: [["translation", "id"]]
})

const translatedPages = Table.make("translatedPages", {
  columns: {
    ...{ organization: text(), translation: text(), page: text(), target: text() },
    ...{ texts: json(), written: text() }
  },
  key: ["organization", "translation", "page"],
  references: { organization: ofOrganization, translation: ofTranslation },
  indexes: [["translation"]]
})

export const translationsChanges: ReadonlyArray<SchemaChange> = [
  addColumn("translations", "source", nullable(text()), {
    reference: { table: () => spaces, onRemove: "cascade" }
  }),
  addIndex("translations", ["source", "id"]),
  addColumn("translations", "plan", nullable(json())),
  addColumn("translations", "outcome", nullable(json())),
  createTable(translationRuns),
  createTable(translatedPages)
]
