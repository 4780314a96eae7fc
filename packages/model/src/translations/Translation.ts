/** Translation settings of an organization: the languages that content is translated into. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"

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
