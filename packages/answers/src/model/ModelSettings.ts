/** The settings of a language model: a server with the OpenAI-compatible interface of chat completions. */
import type { Redacted } from "effect"

/** A language model of the operator's choice. */
export interface ModelSettings {
  /** The base URL of the server, to which `/chat/completions` is appended, as in `http://127.0.0.1:11434/v1`. */
  readonly url: string
  /** The key that is sent as a bearer token. Absent for a server that requires none. */
  readonly key?: Redacted.Redacted | undefined
  /** The name of the model, as the server lists it. */
  readonly name: string
  /** The maximum duration of a request to the model, in milliseconds. */
  readonly timeoutMillis: number
  /** The maximum number of tokens that the model generates for an answer. */
  readonly maximumAnswerTokens: number
}

/** The settings that apply unless others are set. */
export const defaultModelSettings = { timeoutMillis: 60_000, maximumAnswerTokens: 1_024 } as const
