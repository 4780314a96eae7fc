/** Responses to questions that are not answered. */
import type { AnswerError } from "@lectern/answers"
import { Conflict } from "@lectern/core"
import { toResponse } from "../server/messages/failures.ts"
import { type ApiResponse, jsonResponse } from "../server/messages/Message.ts"

/** The error of every question while the server has no language model. */
export const modelMissing = new Conflict({
  reason: "ModelMissing",
  message:
    "The server has no language model, so that it answers no questions. The operator can configure one with LECTERN_MODEL_URL."
})

/** The error of every run of a translation while the server has no language model. */
export const translationModelMissing = new Conflict({
  reason: "ModelMissing",
  message:
    "The server has no language model, so that it translates nothing. The operator can configure one with LECTERN_MODEL_URL."
})

/** The error of questions to a site whose customization has no answers. */
export const siteAnswersNothing = new Conflict({
  reason: "ModelMissing",
  message:
    "The site answers no questions. An administrator can turn answers on: set `ai.mode` of its customization to `search`."
})

/** The response to a question that fails. */
export const answerFailure = (error: AnswerError): ApiResponse =>
  error._tag === "TooManyQuestions"
    ? jsonResponse(
        429,
        JSON.stringify({ error: { code: 429, reason: "TooManyQuestions", message: error.message } }),
        { "retry-after": String(error.retryAfterSeconds) }
      )
    : toResponse(error)
