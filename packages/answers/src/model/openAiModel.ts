/**
 * Effect's `LanguageModel` over a server with the OpenAI-compatible interface of chat completions. Requests pass the safe fetcher and
 * offer no tools; calls of tools in responses are not read, so that a model has no effects.
 */
import type { Fetch, FetchRequest, UpstreamFailed, UpstreamTimeout } from "@lectern/core"
import { Effect, Redacted, Result, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import { type CompletionChunk, decodeChunk, decodeCompletion, endOfStream } from "./completions.ts"
import { type EventTooLong, eventData } from "./eventData.ts"
import type { ModelSettings } from "./ModelSettings.ts"

/** The maximum size of a response, in bytes: an event per token repeats about 200 bytes. */
const maximumBytes = 4 * 1024 * 1024

/** The maximum length of the generated text, in characters. Longer text is truncated, and the request is canceled. */
export const maximumTextLength = 32_000

const textId = "text"

type Usage = NonNullable<CompletionChunk["usage"]>

const finishReasons: Readonly<Record<string, Response.FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "stop"
}

const countOf = (value: number | null | undefined): number | undefined =>
  value === undefined || value === null ? undefined : Math.max(0, Math.min(Math.round(value), 1e9))

const finishPart = (reason: string | null | undefined, usage?: Usage | null): Response.FinishPartEncoded => {
  const [input, output] = [countOf(usage?.prompt_tokens), countOf(usage?.completion_tokens)]
  return {
    type: "finish",
    reason: finishReasons[reason ?? "stop"] ?? "unknown",
    usage: {
      inputTokens: input === undefined ? {} : { total: input },
      outputTokens: output === undefined ? {} : { total: output }
    }
  }
}

const errorOf =
  (method: string) =>
  (error: UpstreamFailed | UpstreamTimeout | EventTooLong): AiError.AiError =>
    AiError.make({
      module: "OpenAiModel",
      method,
      reason:
        error._tag === "UpstreamTimeout"
          ? new AiError.NetworkError({
              reason: "TransportError",
              method: "POST",
              url: "",
              description: error.message
            })
          : error._tag === "EventTooLong"
            ? new AiError.InvalidResponseError({ description: "An event of the response is too long." })
            : new AiError.InternalProviderError({ description: error.message })
    })

const malformed = (method: string): AiError.AiError =>
  AiError.make({
    module: "OpenAiModel",
    method,
    reason: new AiError.InvalidResponseError({ description: "The response is not a chat completion." })
  })

/** Returns the messages of a prompt. Only text is sent. */
const messagesOf = (prompt: Prompt.Prompt): ReadonlyArray<{ role: string; content: string }> =>
  prompt.content.flatMap(({ role, content }) => {
    const text =
      typeof content === "string"
        ? content
        : content.map((part) => (part.type === "text" ? part.text : "")).join("")
    return role === "tool" || text === "" ? [] : [{ role, content: text }]
  })

const completionsUrl = (base: string): string => `${base.replace(/\/+$/, "")}/chat/completions`

const requestOf = (settings: ModelSettings, prompt: Prompt.Prompt, isStreamed: boolean): FetchRequest => {
  const body = {
    model: settings.name,
    messages: messagesOf(prompt),
    max_tokens: settings.maximumAnswerTokens,
    ...(isStreamed ? { stream: true, stream_options: { include_usage: true } } : {})
  }
  return {
    url: completionsUrl(settings.url),
    post: {
      body: new TextEncoder().encode(JSON.stringify(body)),
      headers: {
        "content-type": "application/json",
        ...(settings.key === undefined ? {} : { authorization: `Bearer ${Redacted.value(settings.key)}` })
      },
      isResponseRead: true
    },
    accept: isStreamed ? "text/event-stream, application/json" : "application/json",
    maximumBytes,
    timeoutMillis: settings.timeoutMillis
  }
}

/** The parts of an event. A first event can have an error of the server instead of a choice. */
const partsOfChunk = (
  event: string
): Effect.Effect<ReadonlyArray<Response.StreamPartEncoded>, AiError.AiError> => {
  const chunk = decodeChunk(event)
  if (Result.isFailure(chunk) || chunk.success.error !== undefined)
    return Effect.fail(malformed("streamText"))
  const { choices = [], usage } = chunk.success
  const delta = choices[0]?.delta?.content ?? ""
  const reason = choices[0]?.finish_reason
  const ended = typeof reason === "string" || (usage !== undefined && usage !== null)
  return Effect.succeed([
    ...(delta === "" ? [] : [{ type: "text-delta" as const, id: textId, delta }]),
    ...(ended ? [finishPart(reason, usage)] : [])
  ])
}

/** Truncates the text of a response after {@link maximumTextLength} characters, and ends the stream there. */
const bounded = <E>(
  parts: Stream.Stream<Response.StreamPartEncoded, E>
): Stream.Stream<Response.StreamPartEncoded, E> =>
  parts.pipe(
    Stream.mapAccum(
      () => 0,
      (length, part) => {
        if (part.type !== "text-delta") return [length, [part]] as const
        const delta = part.delta.slice(0, maximumTextLength - length)
        const isFull = length + part.delta.length > maximumTextLength
        const kept: ReadonlyArray<Response.StreamPartEncoded> = delta === "" ? [] : [{ ...part, delta }]
        return [length + delta.length, isFull ? [...kept, finishPart("length")] : kept] as const
      }
    ),
    Stream.takeUntil((part) => part.type === "finish" && part.reason === "length")
  )

/** The parts of a response that a server has sent as a whole, although a stream was requested. */
const partsOfCompletion = (
  text: string
): Effect.Effect<ReadonlyArray<Response.StreamPartEncoded>, AiError.AiError> => {
  const completion = decodeCompletion(text)
  if (Result.isFailure(completion)) return Effect.fail(malformed("streamText"))
  const { choices, usage } = completion.success
  const delta = choices[0]?.message.content ?? ""
  return Effect.succeed([
    ...(delta === "" ? [] : [{ type: "text-delta" as const, id: textId, delta }]),
    finishPart(choices[0]?.finish_reason, usage)
  ])
}

const readText = <E>(bytes: Stream.Stream<Uint8Array, E>): Effect.Effect<string, E> =>
  Stream.runFold(
    Stream.decodeText(bytes),
    () => "",
    (text, part) => text + part
  )

/**
 * Creates the language model of a server. Its requests are sent by `fetch`, which bounds their destination, duration and size; text that
 * is longer than 32,000 characters is truncated. A stream that ends early cancels its request.
 */
export const makeOpenAiModel = (
  settings: ModelSettings,
  fetch: Fetch
): Effect.Effect<LanguageModel.LanguageModel> =>
  LanguageModel.make({
    generateText: ({ prompt }) =>
      fetch(requestOf(settings, prompt, false)).pipe(
        Effect.mapError(errorOf("generateText")),
        Effect.flatMap(({ body }) => {
          const completion = decodeCompletion(new TextDecoder().decode(body))
          if (Result.isFailure(completion)) return Effect.fail(malformed("generateText"))
          const { choices, usage } = completion.success
          const text = (choices[0]?.message.content ?? "").slice(0, maximumTextLength)
          const parts: Array<Response.PartEncoded> = [
            { type: "text", text },
            finishPart(choices[0]?.finish_reason, usage)
          ]
          return Effect.succeed(parts)
        })
      ),
    streamText: ({ prompt }) => {
      const request = requestOf(settings, prompt, true)
      const opened = (fetch.stream ?? wholeResponse(fetch))(request)
      const parts = Effect.map(opened, ({ contentType, body }) =>
        contentType === "application/json"
          ? Stream.flattenIterable(
              Stream.fromEffect(
                Effect.flatMap(Effect.mapError(readText(body), errorOf("streamText")), partsOfCompletion)
              )
            )
          : eventData(body).pipe(
              Stream.mapError(errorOf("streamText")),
              Stream.takeUntil((event) => event.trim() === endOfStream, { excludeLast: true }),
              Stream.mapEffect(partsOfChunk),
              Stream.flattenIterable
            )
      )
      return Stream.concat(
        Stream.succeed<Response.StreamPartEncoded>({ type: "text-start", id: textId }),
        bounded(Stream.unwrap(Effect.mapError(parts, errorOf("streamText"))))
      )
    }
  })

/** Streams a response that a fetcher only returns as a whole. */
const wholeResponse =
  (fetch: Fetch): NonNullable<Fetch["stream"]> =>
  (request) =>
    Effect.map(fetch(request), ({ body, ...response }) => ({ ...response, body: Stream.succeed(body) }))
