/** The requests and responses of chat completions, as far as they are read. Unknown fields are ignored. */
import { Schema } from "effect"

const Count = Schema.optionalKey(Schema.NullOr(Schema.Finite))

const Usage = Schema.Struct({ prompt_tokens: Count, completion_tokens: Count })

/** An event of a streamed completion. A model can also send reasoning and calls of tools, which are not read. */
export const CompletionChunk = Schema.Struct({
  choices: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        delta: Schema.optionalKey(
          Schema.NullOr(Schema.Struct({ content: Schema.optionalKey(Schema.NullOr(Schema.String)) }))
        ),
        finish_reason: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    )
  ),
  usage: Schema.optionalKey(Schema.NullOr(Usage)),
  error: Schema.optionalKey(Schema.Unknown)
})
export type CompletionChunk = typeof CompletionChunk.Type

/** A completion that is sent as a whole. */
export const Completion = Schema.Struct({
  choices: Schema.Array(
    Schema.Struct({
      message: Schema.Struct({ content: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
      finish_reason: Schema.optionalKey(Schema.NullOr(Schema.String))
    })
  ),
  usage: Schema.optionalKey(Schema.NullOr(Usage))
})
export type Completion = typeof Completion.Type

/** Decodes the JSON of an event. */
export const decodeChunk = Schema.decodeUnknownResult(Schema.fromJsonString(CompletionChunk))

/** Decodes the JSON of a whole completion. */
export const decodeCompletion = Schema.decodeUnknownResult(Schema.fromJsonString(Completion))

/** The data of the event after the last one. */
export const endOfStream = "[DONE]"
