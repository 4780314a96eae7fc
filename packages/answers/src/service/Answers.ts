/** Answers questions about content by a language model, on behalf of the `CurrentUser`. */
import {
  type CurrentUser,
  type LecternError,
  type SpaceId,
  UpstreamFailed,
  UpstreamTimeout
} from "@lectern/core"
import { Effect, Result, Stream } from "effect"
import type { AiError, LanguageModel, Prompt } from "effect/ai"
import { type ClosedAnswer, closeAnswer } from "../answer/closedMarkdown.ts"
import { pageUrlOf } from "../answer/isClosedDocument.ts"
import { divideAnswer, questionsOf } from "../answer/questions.ts"
import type { Source } from "../context/Passage.ts"
import {
  answerPrompt,
  estimateTokens,
  questionsPrompt,
  requestedQuestions,
  type Turn
} from "../context/prompts.ts"
import { selectSources } from "../context/selectSources.ts"
import type { AnswerLimits, TooManyQuestions } from "../limits/AnswerLimits.ts"
import type { QuestionContent, ReadContext } from "./readContext.ts"

/** A page that an answer cites. */
export interface AnswerSource {
  /** The id of the space. */
  readonly space: string
  /** The id of the revision that the page was read from. */
  readonly revision: string
  /** The id of the page. */
  readonly page: string
  /** The title of the page. */
  readonly title: string
  /** The path of the page in its space. */
  readonly path: string
  /** The anchors of the sections that the model has read. */
  readonly sections: ReadonlyArray<string>
  /** The number of the page in the citations of the answer. */
  readonly number: number
}

/** An answer as far as it is generated. Each replaces the one before. */
export interface AnswerUpdate extends Pick<ClosedAnswer, "markdown" | "document"> {
  /** The cited pages, in the order of their first citations. */
  readonly sources: ReadonlyArray<AnswerSource>
  /** The suggested questions as plain text, at most three. Empty until the answer is complete. */
  readonly followUpQuestions: ReadonlyArray<string>
  /** Whether this is the last update. */
  readonly isComplete: boolean
  /** Whether there is no answer: no page that the caller can read matches the question, or the model wrote nothing. */
  readonly isUnanswered: boolean
}

/** A question. */
export interface Question {
  /** The content whose pages are read. */
  readonly content: QuestionContent
  /** The question, at most 512 characters. */
  readonly question: string
  /** The previous turns of the conversation, oldest first. */
  readonly earlier?: ReadonlyArray<Turn>
  /** Whom the question counts for: the id of the user, or the address of a visitor. */
  readonly caller: string
}

/** The errors of a question. */
export type AnswerError = LecternError | TooManyQuestions

/** Answers questions. */
export interface Answers {
  /**
   * Answers a question. The content is found and read before the stream is returned, so that errors of access precede it. The stream ends
   * with an update that is complete. If the model fails, it fails with `UpstreamFailed` or `UpstreamTimeout` after an update with the
   * text so far. Ending it early cancels the request to the model.
   */
  readonly ask: (
    asked: Question
  ) => Effect.Effect<Stream.Stream<AnswerUpdate, AnswerError>, AnswerError, CurrentUser>
  /** Recommends questions that pages of these spaces answer, at most five. Empty without pages. */
  readonly recommend: (
    content: QuestionContent,
    spaces: ReadonlyArray<SpaceId>,
    caller: string
  ) => Effect.Effect<ReadonlyArray<string>, AnswerError, CurrentUser>
}

/** The text of an answer without sources. */
export const noAnswer = "No page that you can read answers this question."

/** The only update if there is no answer. */
const unanswered = (): AnswerUpdate => {
  const { markdown, document } = closeAnswer(noAnswer, () => undefined)
  return { markdown, document, sources: [], followUpQuestions: [], isComplete: true, isUnanswered: true }
}

const toUpstream = ({ reason }: AiError.AiError): UpstreamFailed | UpstreamTimeout =>
  reason._tag === "NetworkError"
    ? new UpstreamTimeout({ reason: "Timeout", message: "The language model did not respond in time." })
    : new UpstreamFailed({
        reason: "FetchFailed",
        message:
          reason._tag === "InternalProviderError"
            ? `The language model failed: ${reason.description}`
            : "The language model sent an invalid response."
      })

/** Whether generated text has grown enough since the last update. Updates become rarer, because each parses the whole text. */
const isDue = (length: number, emitted: number): boolean => length >= emitted * 1.25 + 40

interface Generated {
  readonly text: string
  readonly emitted: number
}

/** The anchors of the passages of a source. */
const sectionsOf = ({ passages }: Source): ReadonlyArray<string> => [
  ...new Set(passages.flatMap(({ anchor }) => (anchor === "" ? [] : [anchor])))
]

/** Creates the function that presents generated text. */
const makePresent = (sources: ReadonlyArray<Source>) => {
  const byNumber = new Map(sources.map((source) => [source.number, source]))
  return (text: string, isComplete: boolean): AnswerUpdate => {
    const { answer, questions } = divideAnswer(text)
    const { cited, ...closed } = closeAnswer(answer, (number) => {
      const source = byNumber.get(number)
      return source === undefined ? undefined : pageUrlOf(source.space, source.page)
    })
    // Readers would take an empty answer for one of the model.
    if (isComplete && closed.markdown.trim() === "") return unanswered()
    return {
      ...closed,
      sources: cited.map((number) => {
        const source = byNumber.get(number)!
        const { space, revision, page, title, path } = source
        return { space, revision, page, title, path, number, sections: sectionsOf(source) }
      }),
      followUpQuestions: isComplete ? questionsOf(questions ?? "", requestedQuestions.followUp) : [],
      isComplete,
      isUnanswered: false
    }
  }
}

/** An element of the stream of a model: text, its end, or its failure. */
type Part<E> = { readonly delta: string } | { readonly end: Result.Result<void, E> }

/** Streams the updates of an answer from the deltas of a model. If they fail, the text so far precedes the failure. */
const updatesOf = <E, R>(
  deltas: Stream.Stream<string, E, R>,
  present: (text: string, isComplete: boolean) => AnswerUpdate,
  onText: (length: number) => void
): Stream.Stream<AnswerUpdate, E, R> =>
  deltas.pipe(
    Stream.map((delta): Part<E> => ({ delta })),
    Stream.concat(Stream.succeed<Part<E>>({ end: Result.void })),
    Stream.catch((error) => Stream.succeed<Part<E>>({ end: Result.fail(error) })),
    Stream.mapAccumEffect(
      (): Generated => ({ text: "", emitted: 0 }),
      (state, part) => {
        const text = state.text + ("delta" in part ? part.delta : "")
        onText(text.length)
        const isComplete = "end" in part && Result.isSuccess(part.end)
        const failed: ReadonlyArray<Result.Result<AnswerUpdate, E>> =
          "end" in part && Result.isFailure(part.end) ? [Result.fail(part.end.failure)] : []
        const isSent = failed.length > 0 ? text.length > state.emitted : isDue(text.length, state.emitted)
        if (!isComplete && !isSent) return Effect.succeed([{ ...state, text }, failed] as const)
        // Other requests run between two updates: a model can send many in one message.
        return Effect.as(Effect.yieldNow, [
          { text, emitted: text.length },
          [Result.succeed(present(text, isComplete)), ...failed]
        ] as const)
      }
    ),
    Stream.mapEffect(Effect.fromResult)
  )

/** Creates the service over a language model. */
export const makeAnswersOver = (
  model: LanguageModel.LanguageModel,
  limits: AnswerLimits,
  read: ReadContext
): Answers => {
  const deltasOf = (prompt: Prompt.Prompt): Stream.Stream<string, UpstreamFailed | UpstreamTimeout> =>
    model.streamText({ prompt }).pipe(
      Stream.mapError(toUpstream),
      Stream.flatMap((part) => (part.type === "text-delta" ? Stream.succeed(part.delta) : Stream.empty))
    )

  return {
    ask: Effect.fnUntraced(function* ({ content, question, earlier = [], caller }) {
      const organization = yield* read.organizationOf(content)
      const sources = selectSources(question, yield* read.pages(content, question))
      if (sources.length === 0) {
        return Stream.succeed(unanswered())
      }
      const prompt = answerPrompt(question, sources, earlier)
      const origin = { caller, organization }
      let length = 0
      const updates = updatesOf(deltasOf(prompt), makePresent(sources), (current) => {
        length = current
      })
      const counted = Stream.ensuring(
        updates,
        Effect.suspend(() => limits.countAnswer(origin, Math.ceil(length / 4)))
      )
      return Stream.unwrap(Effect.as(limits.admit(origin, estimateTokens(prompt)), counted))
    }),

    recommend: (content, spaces, caller) =>
      Effect.scoped(
        Effect.gen(function* () {
          const organization = yield* read.organizationOf(content)
          const titles = yield* read.titles(spaces)
          if (titles.length === 0) return []
          const prompt = questionsPrompt(titles)
          const origin = { caller, organization }
          yield* limits.admit(origin, estimateTokens(prompt))
          const text = yield* Stream.runFold(
            deltasOf(prompt),
            () => "",
            (all, delta) => all + delta
          )
          yield* limits.countAnswer(origin, Math.ceil(text.length / 4))
          return questionsOf(text, requestedQuestions.recommended)
        })
      )
  }
}
