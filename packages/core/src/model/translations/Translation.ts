/** Translation settings of an organization: what is translated, into which languages. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"

export const TranslationId = idSchema("The id of translation settings.").pipe(Schema.brand("TranslationId"))
export type TranslationId = typeof TranslationId.Type

/** Translation settings, as the specification shows them. */
export const Translation = Schema.Struct({
  object: Schema.Literal("translation-settings"),
  id: TranslationId,
  title: text({ min: 1, max: 100 }),
  languages: Schema.Array(Schema.String).annotate({ description: "The codes of the languages, as in en." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  permissions: Schema.Struct({ view: Schema.Boolean, edit: Schema.Boolean }),
  urls: Schema.Struct({ location: Schema.String })
}).annotate({ identifier: "TranslationSettings" })
export type Translation = typeof Translation.Type

/** What translation settings are made from, and all that can be changed of them. */
export const PutTranslation = Schema.Struct({ title: trimmed({ min: 1, max: 100 }) }).annotate({
  identifier: "PutTranslationSettings"
})

/** The languages of settings that nobody has chosen any for: what the content is written in. */
export const defaultLanguages: ReadonlyArray<string> = ["en"]

/** Where translation settings are kept. */
export const translations = Table.make("translations", {
  columns: {
    id: Table.text<TranslationId>(),
    organization: Table.text<OrganizationId>(),
    title: Table.text(),
    languages: Table.json<ReadonlyArray<string>>(),
    createdAt: Table.text(),
    updatedAt: Table.text()
  },
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})
export type TranslationRow = Table.Row<typeof translations>
