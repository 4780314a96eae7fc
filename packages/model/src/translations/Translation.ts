/** Translation settings of an organization: a space that is translated into another language. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { JsonDocument } from "../content/document/Document.ts"
import { RevisionId } from "../content/Revision.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"

/** The language of a translation, by its code. */
export const TranslationLanguage = Schema.Literals([
  "en",
  "fr",
  "de",
  "es",
  "it",
  "pt",
  "pt-br",
  "ru",
  "ja",
  "zh",
  "yue",
  "ko",
  "ar",
  "hi",
  "nl",
  "pl",
  "tr",
  "sv",
  "no",
  "da",
  "fi",
  "el",
  "cs",
  "hu",
  "ro",
  "th",
  "vi",
  "id",
  "ms",
  "he",
  "uk",
  "sk",
  "bg",
  "hr",
  "lt",
  "lv",
  "et",
  "sl"
]).annotate({ identifier: "TranslationLanguage" })

/** The language of a translation, by its code. */
export type TranslationLanguage = typeof TranslationLanguage.Type

/** The maximum length of the instructions of a translation as JSON, in characters. */
const maximumInstructions = 20_000

/** The status of the last run of a translation. */
export const TranslationStatus = Schema.Literals(["pending", "running", "completed"])

/** The status of the last run of a translation. */
export type TranslationStatus = typeof TranslationStatus.Type

/** The space that is translated. */
export class TranslationSource extends resource<TranslationSource>()(
  Schema.Struct({
    /** The id of the space. */
    space: SpaceId,
    /** The language of the space. */
    language: TranslationLanguage
  }).annotate({ identifier: "TranslationSource" })
) {}

/** Numbers of the runs of a translation. */
export class TranslationStats extends resource<TranslationStats>()(
  Schema.Struct({
    /** The number of runs that have ended. */
    runs: Schema.Int,
    /** The number of words that all runs have translated. */
    totalWords: Schema.Int,
    /** The number of pages that have been translated. */
    totalPages: Schema.Int,
    /** The duration of all runs, in seconds. */
    totalDuration: Schema.Int,
    /** The duration of the last run, in seconds. */
    latestRunDuration: Schema.Int,
    /** The number of pages that the last run has translated. */
    latestPages: Schema.Int,
    /** The number of words that the last run has translated. */
    latestWords: Schema.Int
  }).annotate({ identifier: "TranslationStats" })
) {}

/** The result of the last run that has changed the variant. */
export class TranslationResult extends resource<TranslationResult>()(
  Schema.Struct({
    /** The id of the space with the translation. */
    space: SpaceId,
    /** The id of the revision of the change request that the run created. */
    revision: RevisionId
  }).annotate({ identifier: "TranslationResult" })
) {}

/** The id of translation settings. */
export const TranslationId = idSchema("The id of translation settings.").pipe(Schema.brand("TranslationId"))

/** The id of translation settings. */
export type TranslationId = string & Brand.Brand<"TranslationId">

/** Translation settings of an organization: of the contract if they have a source, otherwise only a title. */
export class Translation extends resource<Translation>()(
  Schema.Struct({
    /** The type of the resource: `translation` with a source, otherwise `translation-settings`. */
    object: Schema.Literals(["translation-settings", "translation"]),
    /** The id of the translation settings. */
    id: TranslationId,
    /** The title: 1 to 100 characters. */
    title: text({ min: 1, max: 100 }),
    /** The codes of the languages, such as `en`: that of the source, and that of the translation. */
    languages: Schema.Array(Schema.String),
    /** The status of the last run: `pending` before the first one. Absent without a source. */
    status: Schema.optionalKey(TranslationStatus),
    /** The space that is translated. Absent if only a title was given. */
    source: Schema.optionalKey(TranslationSource),
    /** The language of the translation. Absent without a source. */
    language: Schema.optionalKey(TranslationLanguage),
    /** The instructions for the language model. Absent without a source. */
    instructions: Schema.optionalKey(JsonDocument),
    /** The variant with the translation. Absent until a run has changed it. */
    result: Schema.optionalKey(TranslationResult),
    /** Numbers of the runs. Absent without a source. */
    stats: Schema.optionalKey(TranslationStats),
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

const instructions = Schema.optionalKey(JsonDocument)

/** Returns the issue of instructions that are too long. */
const instructionsIssue = (document: JsonDocument | undefined) =>
  document !== undefined && JSON.stringify(document).length > maximumInstructions
    ? { path: ["instructions"], issue: `must be at most ${maximumInstructions} characters of JSON` }
    : undefined

/** The title of new and changed translation settings: 1 to 100 characters. */
const title = Schema.optionalKey(trimmed({ min: 1, max: 100 }))

/** The input that creates translation settings. */
export class CreateTranslation extends resource<CreateTranslation>()(
  Schema.Struct({
    /** The title: 1 to 100 characters. By default, the name of the language in English. */
    title,
    /** The space to translate. Required with a language. */
    source: Schema.optionalKey(TranslationSource),
    /** The language to translate into. Required with a source. */
    language: Schema.optionalKey(TranslationLanguage),
    /** Instructions for the language model, as a document of at most 20,000 characters of JSON, such as the form of address. */
    instructions,
    /**
     * The variant: a copy of the space, in which runs propose change requests. By default, the first run copies the space. An
     * extension of Lectern.
     */
    target: Schema.optionalKey(
      Schema.Struct({
        /** The id of the space. */
        space: SpaceId
      })
    )
  })
    .check(
      Schema.makeFilter(({ title, source, language, instructions }) => {
        if ((source === undefined) !== (language === undefined)) return "must have a source with a language"
        return title === undefined && source === undefined
          ? "must have a title, or a source"
          : instructionsIssue(instructions)
      })
    )
    .annotate({ identifier: "CreateTranslationSettings" })
) {}

/** The input that updates translation settings: the title, the instructions or both. */
export class UpdateTranslation extends resource<UpdateTranslation>()(
  Schema.Struct({
    /** The title: 1 to 100 characters. Absent to leave it unchanged. */
    title,
    /** Instructions for the language model, as a document of at most 20,000 characters of JSON. Absent to leave them unchanged. */
    instructions
  })
    .check(
      Schema.makeFilter((input) =>
        Object.keys(input).length === 0
          ? "must have a title, or instructions"
          : instructionsIssue(input.instructions)
      )
    )
    .annotate({ identifier: "UpdateTranslationSettings" })
) {}

/** The stored plan of translation settings with a source. */
export interface TranslationPlan {
  /** The space to translate. */
  readonly source: TranslationSource
  /** The language to translate into. */
  readonly language: TranslationLanguage
  /** The instructions for the language model. */
  readonly instructions: JsonDocument
  /** The variant. Absent until the first run. */
  readonly target?: SpaceId
}

/** The outcome of the runs of translation settings. */
export interface TranslationOutcome {
  /** The status of the last run. */
  readonly status: TranslationStatus
  /** The variant, with the last proposed revision. */
  readonly result?: TranslationResult
  /** Numbers of the runs. */
  readonly stats: TranslationStats
}

/** The outcome of translation settings that no run has used. */
export const noOutcome: TranslationOutcome = {
  status: "pending",
  stats: {
    ...{ runs: 0, totalWords: 0, totalPages: 0, totalDuration: 0 },
    ...{ latestRunDuration: 0, latestPages: 0, latestWords: 0 }
  }
}

/** The languages of new translation settings that have only a title. */
export const defaultLanguages: ReadonlyArray<string> = ["en"]

/** Instructions that are empty. */
export const noInstructions: JsonDocument = { object: "document", data: {}, nodes: [] }

/** Returns the name of a language in English, such as `French` for `fr`. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code
