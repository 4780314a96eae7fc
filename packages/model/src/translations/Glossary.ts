/** The glossary of an organization: the translations of its terms. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { mapOf } from "../schema/MapOf.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"

/** The id of an entry of the glossary. */
export const GlossaryEntryId = idSchema("The id of an entry of the glossary.").pipe(
  Schema.brand("GlossaryEntryId")
)

/** The id of an entry of the glossary. */
export type GlossaryEntryId = string & Brand.Brand<"GlossaryEntryId">

/** The translations of a term by the code of the language: at most 50, of 1 to 255 characters on one line. */
export const GlossaryTranslations = mapOf(
  text({ min: 1, max: 255 }).check(
    Schema.isPattern(/^[^\n\r]*$/u, { message: "must be one line, without line breaks" })
  ),
  { min: 2, max: 10, maxEntries: 50, noun: "languages" }
)

/** An entry of the glossary: a term in several languages. */
export class GlossaryEntry extends resource<GlossaryEntry>()(
  Schema.Struct({
    /** The type of the resource: always `glossary-entry`. */
    object: Schema.Literal("glossary-entry"),
    /** The id of the entry. */
    id: GlossaryEntryId,
    /** The translations of the term by the code of the language, such as `en`. */
    translations: GlossaryTranslations,
    /** When the entry was created. */
    createdAt: Timestamp,
    /** When the entry was last updated. */
    updatedAt: Timestamp,
    /** URLs of the entry. */
    urls: Schema.Struct({
      /** The URL of the entry in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "GlossaryEntry" })
) {}

/** A change of the glossary. */
export const GlossaryOperation = Schema.Union([
  Schema.Struct({
    /** The kind of the change: `insert`. */
    type: Schema.Literal("insert"),
    /** The translations of the new entry: at most 50. */
    translations: GlossaryTranslations
  }),
  Schema.Struct({
    /** The kind of the change: `update`. */
    type: Schema.Literal("update"),
    /** The id of the entry. */
    id: GlossaryEntryId,
    /** The new translations of the entry: at most 50. */
    translations: GlossaryTranslations
  }),
  Schema.Struct({
    /** The kind of the change: `delete`. */
    type: Schema.Literal("delete"),
    /** The id of the entry. */
    id: GlossaryEntryId
  })
]).annotate({ identifier: "GlossaryOperation" })

/** The maximum number of changes in one request. */
const maximumOperations = 100

/** The changes of the glossary, which are applied as a whole. */
export class UpdateGlossary extends resource<UpdateGlossary>()(
  Schema.Struct({
    /** The changes, 1 to 100, in their order. */
    operations: Schema.Array(GlossaryOperation).check(
      Schema.isMinLength(1, { message: "must be at least 1 operation" }),
      Schema.isMaxLength(maximumOperations, { message: `must be at most ${maximumOperations} operations` })
    )
  }).annotate({ identifier: "UpdateGlossary" })
) {}
