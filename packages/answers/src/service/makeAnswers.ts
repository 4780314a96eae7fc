/** Composes the service of answers in a workspace. */
import type { Content, Fetch, PublishedSearch, Records, Search, Spaces } from "@lectern/core"
import { Effect } from "effect"
import { type AnswerLimitSettings, defaultAnswerLimits, makeAnswerLimits } from "../limits/AnswerLimits.ts"
import { defaultModelSettings, type ModelSettings } from "../model/ModelSettings.ts"
import { makeOpenAiModel } from "../model/openAiModel.ts"
import { type Answers, makeAnswersOver } from "./Answers.ts"
import { makeReadContext } from "./readContext.ts"

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
export type MakeAnswers = Effect.Effect<Answers, never, Content | PublishedSearch | Records | Search | Spaces>

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
    const model = yield* makeOpenAiModel({ ...defaultModelSettings, ...settings }, fetch)
    return makeAnswersOver(
      model,
      yield* makeAnswerLimits({ ...defaultAnswerLimits, ...limits }),
      yield* makeReadContext
    )
  })
