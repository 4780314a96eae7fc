/** Presents answers in the shapes of the public contract, as JSON and as server-sent events. */
import { type AnswerError, type AnswerUpdate, pageUrlOf } from "@lectern/answers"
import { Duration, type Effect, Stream } from "effect"
import type { ApiResponse } from "../server/messages/Message.ts"
import { answerFailure } from "./answerFailures.ts"
import type { AnswerFormat } from "./questionInput.ts"

/** How often a comment is sent while the model does not respond, so that proxies do not close the connection. */
const keepAlive = Duration.seconds(10)

const encoder = new TextEncoder()

/** Returns the URL that a cited page has for the caller; undefined for the one in the application. */
export type UrlOfSource = (source: AnswerUpdate["sources"][number]) => string | undefined

/** Replaces the links to the cited pages by their URLs on a site. */
const withUrls = ({ markdown, sources }: AnswerUpdate, urlOf: UrlOfSource): string =>
  sources.reduce((text, source) => {
    const url = urlOf(source)?.replaceAll("(", "%28").replaceAll(")", "%29")
    return url === undefined
      ? text
      : text.replaceAll(`](${pageUrlOf(source.space, source.page)})`, `](${url})`)
  }, markdown)

/** Presents an answer. */
export const presentAnswer = (
  update: AnswerUpdate,
  format: AnswerFormat = "document",
  urlOf: UrlOfSource = () => undefined
): object => ({
  answer: format === "markdown" ? { markdown: withUrls(update, urlOf) } : { document: update.document },
  followupQuestions: update.followUpQuestions,
  sources: update.sources.map(({ page, revision, space, sections }) => ({
    type: "page",
    page,
    revision,
    space,
    sections
  }))
})

const eventOf = (data: unknown, name?: string): Uint8Array =>
  encoder.encode(`${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)

const comment = encoder.encode(": keep-alive\n\n")

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Proxies of the nginx family buffer responses otherwise.
  "x-accel-buffering": "no"
}

/**
 * Streams data as server-sent events. The event `done` follows the last one; after an error, the event `error` with the body of an error
 * response, as official clients read it.
 */
export const eventStreamOf = (data: Stream.Stream<object, AnswerError>): ApiResponse => {
  const events = data.pipe(
    Stream.map((value) => eventOf(value)),
    Stream.concat(Stream.succeed(eventOf({}, "done"))),
    Stream.catch((error) => {
      const { body } = answerFailure(error)
      return Stream.succeed(eventOf(JSON.parse(String(body)), "error"))
    })
  )
  const comments = Stream.map(Stream.drop(Stream.tick(keepAlive), 1), () => comment)
  return {
    status: 200,
    headers: { ...headers },
    body: { stream: Stream.merge(events, comments, { haltStrategy: "left" }), length: undefined }
  }
}

/** Returns the last update of an answer. */
export const lastOf = <E>(
  updates: Stream.Stream<AnswerUpdate, E>
): Effect.Effect<AnswerUpdate | undefined, E> =>
  Stream.runFold(
    updates,
    (): AnswerUpdate | undefined => undefined,
    (_, update) => update
  )
