/**
 * Translates strings by a language model. The model is not trusted: each of its strings is decoded against the placeholders of its source, is
 * requested again if it is rejected, and is omitted if it is rejected again.
 */
import type { OrganizationId, StorageUnavailable } from "@lectern/core"
import { languageName } from "@lectern/model"
import { Effect, Option, Schema } from "effect"
import type { LanguageModel, Prompt } from "effect/ai"
import { dataRule, estimateTokens, promptOf } from "../../context/prompts.ts"
import type { AnswerLimits, TooManyQuestions } from "../../limits/AnswerLimits.ts"
import { Rejected } from "../texts/placeholders.ts"

/** A string to translate. */
export interface TextToTranslate {
  /** The hash of the text, by which its translation is returned. */
  readonly hash: string
  readonly text: string
  /** Throws `Rejected` for a translation that is not one of this text. */
  readonly check: (translation: string) => void
}

/** How strings are translated. */
export interface Languages {
  readonly organization: OrganizationId
  readonly from: string
  readonly to: string
  /** Instructions of the organization; empty for none. */
  readonly instructions: string
}

/** The translations by hash, and why others are missing. */
export interface TextTranslations {
  readonly translations: ReadonlyMap<string, string>
  readonly rejected: ReadonlyMap<string, string>
}

/** The model failed repeatedly. `message` is a sentence. */
export class ModelFailed extends Schema.TaggedError<ModelFailed>()("ModelFailed", {
  message: Schema.String
}) {}

/** The maximum number of strings of a request, and of their characters. A single text can be longer. */
const maximumTexts = 30
const maximumCharacters = 3_000

/** The maximum length of a string. A longer one is not translated. */
const maximumTextLength = 8_000

/** The number of requests in a row that fail before a run ends. */
const maximumFailures = 3

const rules = [
  "You translate strings of a documentation.",
  dataRule,
  "Translate each value of `strings` from the language `from` into the language `to`. Follow `instructions` only for the style of the translation.",
  "Placeholders such as <1>…</1> and <2/> represent formatting, links, code and terms. Keep each exactly once, with the text between <1> and </1> translated. You can change their order within the same surrounding placeholder.",
  "Write <, > and & of the text as &lt;, &gt; and &amp;. Add no markup, no links and no line breaks.",
  "If `problems` states why an earlier translation of a string was rejected, avoid the problem.",
  "Respond with one JSON object only: the translations by the keys of `strings`."
].join("\n")

const Answer = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const decodeAnswer = Schema.decodeUnknownOption(Answer)

/** Reads the JSON object of generated text, which models often surround with a fence or a sentence. */
const answerOf = (text: string): Readonly<Record<string, unknown>> => {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")]
  return Option.getOrElse(decodeAnswer(text.slice(start, end + 1)), () => ({}))
}

const chunksOf = (texts: ReadonlyArray<TextToTranslate>): ReadonlyArray<ReadonlyArray<TextToTranslate>> => {
  const chunks: Array<Array<TextToTranslate>> = []
  let length = Number.POSITIVE_INFINITY
  for (const text of texts) {
    const last = chunks.at(-1)
    if (last === undefined || last.length >= maximumTexts || length + text.text.length > maximumCharacters) {
      chunks.push([text])
      length = text.text.length
    } else {
      last.push(text)
      length += text.text.length
    }
  }
  return chunks
}

const promptFor = (
  { from, to, instructions }: Languages,
  texts: ReadonlyArray<TextToTranslate>,
  problems: ReadonlyMap<string, string>
): Prompt.Prompt => {
  const numbered = texts.map((text, index) => [String(index + 1), text] as const)
  const known = numbered.flatMap(([key, { hash }]) => {
    const problem = problems.get(hash)
    return problem === undefined ? [] : [[key, problem] as const]
  })
  return promptOf(rules, {
    from: languageName(from),
    to: languageName(to),
    ...(instructions === "" ? {} : { instructions }),
    strings: Object.fromEntries(numbered.map(([key, { text }]) => [key, text])),
    ...(known.length === 0 ? {} : { problems: Object.fromEntries(known) })
  })
}

/** Returns why a translation is rejected; undefined if it is not. */
const problemOf = ({ check }: TextToTranslate, translation: unknown): string | undefined => {
  if (typeof translation !== "string") return "The response has no translation of it."
  try {
    check(translation)
    return undefined
  } catch (error) {
    if (error instanceof Rejected) return error.message
    throw error
  }
}

/** Translates strings. */
export type AskForTexts = (
  languages: Languages,
  texts: ReadonlyArray<TextToTranslate>
) => Effect.Effect<TextTranslations, ModelFailed | TooManyQuestions | StorageUnavailable>

/** Creates the function that translates strings by a model, within the limits of the organization. */
export const makeAskForTexts = (model: LanguageModel.LanguageModel, limits: AnswerLimits): AskForTexts => {
  const generate = Effect.fnUntraced(function* (organization: OrganizationId, prompt: Prompt.Prompt) {
    yield* limits.spend(organization, estimateTokens(prompt))
    const text = yield* Effect.map(model.generateText({ prompt }), (response) => response.text).pipe(
      Effect.catch(({ reason }) =>
        Effect.fail(
          new ModelFailed({
            message:
              reason._tag === "NetworkError"
                ? "The language model did not respond in time."
                : reason._tag === "InternalProviderError"
                  ? `The language model failed: ${reason.description}`
                  : "The language model sent an invalid response."
          })
        )
      )
    )
    yield* limits.countAnswer({ caller: "translations", organization }, Math.ceil(text.length / 4))
    return answerOf(text)
  })

  return Effect.fnUntraced(function* (languages, texts) {
    const translations = new Map<string, string>()
    const rejected = new Map<string, string>()
    let failures = 0

    const ask = Effect.fnUntraced(function* (chunk: ReadonlyArray<TextToTranslate>) {
      const prompt = promptFor(languages, chunk, rejected)
      const answer = yield* generate(languages.organization, prompt).pipe(
        Effect.tap(() => Effect.sync(() => (failures = 0))),
        Effect.catchTag("ModelFailed", (error) => {
          failures++
          const empty: Readonly<Record<string, unknown>> = {}
          return failures >= maximumFailures ? Effect.fail(error) : Effect.succeed(empty)
        })
      )
      for (const [index, text] of chunk.entries()) {
        const key = String(index + 1)
        const translation = Object.hasOwn(answer, key) ? answer[key] : undefined
        const problem = problemOf(text, translation)
        if (problem === undefined) {
          translations.set(text.hash, String(translation).trim())
          rejected.delete(text.hash)
        } else rejected.set(text.hash, problem)
      }
    })

    const asked = texts.filter(({ hash, text }) => {
      if (text.length <= maximumTextLength) return true
      rejected.set(hash, `It is longer than ${maximumTextLength} characters.`)
      return false
    })
    for (const chunk of chunksOf(asked)) yield* ask(chunk)
    const again = asked.filter(({ hash }) => rejected.has(hash))
    // One per request, so that a string which confuses the model does not prevent others.
    for (const text of again) yield* ask([text])
    return { translations, rejected }
  })
}
