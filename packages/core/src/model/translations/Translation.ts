/** Translation settings of an organization: the languages that content is translated into. */

import { type Brand, Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"

/** The id of translation settings. */
export const TranslationId = idSchema("The id of translation settings.").pipe(Schema.brand("TranslationId"))
/** The id of translation settings. */
export type TranslationId = string & Brand.Brand<"TranslationId">

/** Translation settings of an organization. */
export class Translation extends resource<Translation>()(
  Schema.Struct({
    /** The type of the resource: always `translation-settings`. */
    object: Schema.Literal("translation-settings"),
    /** The id of the translation settings. */
    id: TranslationId,
    /** The title: 1 to 100 characters. */
    title: text({ min: 1, max: 100 }),
    /** The codes of the languages, such as `en`. */
    languages: Schema.Array(Schema.String),
    /** When the translation settings were created. */
    createdAt: Timestamp,
    /** When the translation settings were last updated. */
    updatedAt: Timestamp,
    /** The permissions of the caller on the translation settings. */
    permissions: Schema.Struct({
      /** Whether the caller can see the translation settings. */
      view: Schema.Boolean,
      /** Whether the caller can update and remove the translation settings. */
      edit: Schema.Boolean
    }),
    /** The URLs of the translation settings. */
    urls: Schema.Struct({
      /** The address of the translation settings in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "TranslationSettings" })
) {}

/** The input that creates or updates translation settings. */
export class PutTranslation extends resource<PutTranslation>()(
  Schema.Struct({
    /** The title: 1 to 100 characters. */
    title: trimmed({ min: 1, max: 100 })
  }).annotate({
    identifier: "PutTranslationSettings"
  })
) {}

/** The languages of new translation settings. */
export const defaultLanguages: ReadonlyArray<string> = ["en"]

const translationColumns = {
  id: Table.text<TranslationId>(),
  organization: Table.text<OrganizationId>(),
  title: Table.text(),
  languages: Table.json<ReadonlyArray<string>>(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}
/** Stored translation settings. */
export interface TranslationRow extends Table.RowOf<typeof translationColumns> {}

/** The table of translation settings. */
export const translations: Table.ProtectedTable<"translations", TranslationRow, "id"> = Table.makeProtected(
  "translations",
  {
    tenant: "organization",
    columns: translationColumns,
    locking: lockedByOrganization,
    key: ["id"],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [["organization", "id"]]
  }
)
