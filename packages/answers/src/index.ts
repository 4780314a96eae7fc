/** The public entry point of `@lectern/answers`. */
export { type ClosedAnswer, closeAnswer } from "./answer/closedMarkdown.ts"
export { pageUrlOf } from "./answer/isClosedDocument.ts"
export {
  type AnswerLimitSettings,
  type AnswerLimits,
  defaultAnswerLimits,
  TooManyQuestions
} from "./limits/AnswerLimits.ts"
export { defaultModelSettings, type ModelSettings } from "./model/ModelSettings.ts"
export { makeOpenAiModel } from "./model/openAiModel.ts"
export {
  type AnswerError,
  type AnswerSource,
  type AnswerUpdate,
  noAnswer,
  type Question
} from "./service/Answers.ts"
export {
  type Answers,
  type MakeAnswers,
  type ModelAnswersOptions,
  modelAnswers
} from "./service/makeAnswers.ts"
export type { QuestionContent } from "./service/readContext.ts"
export type { TranslationOf, TranslationRun, TranslationRuns } from "./translation/TranslationRuns.ts"
