/** Declares the settings of the language model that answers questions. Without them, the server asks no model. */
import { Schema } from "effect"
import { defineSetting } from "./Setting.ts"
import { wholeNumber } from "./wholeNumber.ts"

/** The base URL of the server of the model. */
export const modelUrl = defineSetting({
  flag: "model-url",
  description:
    "The base URL of a server with the OpenAI-compatible interface of chat completions, such as http://127.0.0.1:11434/v1, to answer questions by a language model. The server can be in a private network. None by default: questions are not answered.",
  schema: Schema.String.check(
    Schema.makeFilter((text: string) => {
      const url = URL.parse(text)
      return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
        ? undefined
        : "must be an http or https URL without a user name and a password"
    })
  )
})

/** The key of the server of the model. */
export const modelKey = defineSetting({
  flag: "model-key",
  description: "The key of the server of the language model, sent as a bearer token. None by default.",
  schema: Schema.RedactedFromValue(Schema.NonEmptyString),
  isSecret: true
})

/** The name of the model. */
export const modelName = defineSetting({
  flag: "model-name",
  description: "The name of the language model, as its server lists it. Required with a model URL.",
  schema: Schema.NonEmptyString
})

/** The maximum duration of an answer. */
export const modelTimeout = defineSetting({
  flag: "model-timeout",
  description: "The maximum duration of an answer of the language model, in seconds, at most 110.",
  // A request that is not streamed ends after 120 s.
  schema: wholeNumber(110, "seconds"),
  fallback: "60"
})

/** The maximum number of tokens of an answer. */
export const modelMaxTokens = defineSetting({
  flag: "model-max-tokens",
  description: "The maximum number of tokens that the language model generates for an answer, at most 8192.",
  schema: wholeNumber(8_192, "tokens"),
  fallback: "1024"
})

/** The maximum number of questions of a caller. */
export const modelQuestionsPerHour = defineSetting({
  flag: "model-questions-per-hour",
  description:
    "The maximum number of questions of a user, or of an address for visitors of sites, per hour, at most 100000.",
  schema: wholeNumber(100_000, "questions"),
  fallback: "60"
})

/** The maximum number of tokens of an organization. */
export const modelTokensPerDay = defineSetting({
  flag: "model-tokens-per-day",
  description:
    "The maximum number of tokens of the questions and answers on the content of an organization per day (UTC), estimated as four characters each.",
  schema: wholeNumber(1_000_000_000_000, "tokens"),
  fallback: "2000000"
})
