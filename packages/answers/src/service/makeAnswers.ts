/** Composes the service of answers in a workspace. */
import type {
  ChangeRequests,
  Content,
  Fetch,
  Glossary,
  PublishedSearch,
  Records,
  Search,
  Spaces,
  Translations
} from "@lectern/core"
import { Effect } from "effect"
import { type AnswerLimitSettings, defaultAnswerLimits, makeAnswerLimits } from "../limits/AnswerLimits.ts"
import { defaultModelSettings, type ModelSettings } from "../model/ModelSettings.ts"
import { makeOpenAiModel } from "../model/openAiModel.ts"
import { makeTranslationRuns, type TranslationRuns } from "../translation/TranslationRuns.ts"
import { type Answers as Answering, makeAnswersOver } from "./Answers.ts"
import { makeReadContext } from "./readContext.ts"

/** Answers questions, and translates spaces. */
export interface Answers extends Answering {
  /** Translates spaces. */
  readonly translations: TranslationRuns
}

/** Options of {@link modelAnswers}. */
export interface ModelAnswersOptions
  extends Pick<ModelSettings, "url" | "key" | "name">,
    Partial<Pick<ModelSettings, "timeoutMillis" | "maximumAnswerTokens">> {
  /** Sends the requests to the model: the safe fetcher, which must reach its address. */
  readonly fetch: Fetch
  /** The limits of questions; the defaults otherwise. */
  readonly limits?: Partial<AnswerLimitSettings>
}

/** Creates the service of answers in a workspace. */
export type MakeAnswers = Effect.Effect<
  Answers,
  never,
  ChangeRequests | Content | Glossary | PublishedSearch | Records | Search | Spaces | Translations
>

/** The minimum number of tokens that a model may generate for a translation, whose request has at most 3,000 characters. */
const translationTokens = 4_096

/**
 * Creates answers by a language model of the operator's choice, on a server with the OpenAI-compatible interface.
 *
 * @example
 * toNodeListener(workspace, {
 *   answers: modelAnswers({ url: "http://127.0.0.1:11434/v1", name: "llama3.3", fetch: nodeFetcher({ allow: ["127.0.0.1:11434"] }) })
 * })
 */
export const modelAnswers = ({ fetch, limits, ...settings }: ModelAnswersOptions): MakeAnswers =>
  Effect.gen(function* () {
    const complete = { ...defaultModelSettings, ...settings }
    const maximumAnswerTokens = Math.max(complete.maximumAnswerTokens, translationTokens)
    const answerLimits = yield* makeAnswerLimits({ ...defaultAnswerLimits, ...limits })
    const answers = makeAnswersOver(
      yield* makeOpenAiModel(complete, fetch),
      answerLimits,
      yield* makeReadContext
    )
    const translator = yield* makeOpenAiModel({ ...complete, maximumAnswerTokens }, fetch)
    return { ...answers, translations: yield* makeTranslationRuns(translator, answerLimits) }
  })
