/**
 * Serves answers to the questions of visitors below the root of a site: as a page for browsers without scripts, and as a stream of rendered
 * updates for the search dialog. Answers are rendered like pages, from documents.
 */
import type { StorageUnavailable } from "@lectern/core"
import { Effect, Stream } from "effect"
import { iconOfPage } from "../html/icons.ts"
import { type ReaderResponse, redirect, renderedHtml, respond, type SiteAnswer } from "../http/messages.ts"
import type { LinkItem, SiteFrame } from "../page/PageModel.ts"
import { type AnswerModel, renderAnswer, renderAnswerPage } from "../page/renderAnswer.ts"
import { pageUrl } from "./ReadableSite.ts"
import type { SitePages } from "./SitePages.ts"
import type { SiteRequest } from "./serveSite.ts"
import { siteSpaceIdOf } from "./siteSpaceIdOf.ts"

/** The maximum length of a question, in characters. */
const maximumQuestionLength = 512

const encoder = new TextEncoder()

const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Proxies of the nginx family buffer responses otherwise.
  "x-accel-buffering": "no"
}

/** An update for the script: HTML that this package has rendered. */
const eventOf = (html: string, isComplete: boolean): Uint8Array =>
  encoder.encode(`data: ${JSON.stringify({ html, isComplete })}\n\n`)

const failedModel = (question: string): AnswerModel => ({
  question,
  content: undefined,
  sources: [],
  followUpQuestions: [],
  hasFailed: true
})

/** Creates the function that serves a question; it returns `undefined` for a site without answers. */
export const makeServeAnswer = (pages: SitePages) => {
  const linksOf = Effect.fnUntraced(function* (
    { site, path }: SiteRequest,
    sources: SiteAnswer["sources"]
  ): Effect.fn.Return<ReadonlyArray<LinkItem>, StorageUnavailable> {
    const links: Array<LinkItem> = []
    for (const { space: id, page: pageId } of sources) {
      const space = yield* pages.loadSpace(site, id)
      const page = space?.index.byId.get(pageId)?.page
      if (space === undefined || page?.type !== "document") continue
      links.push({ title: page.title, href: pageUrl(path, space, page), icon: iconOfPage(page) })
    }
    return links
  })

  const modelOf = Effect.fnUntraced(function* (given: SiteRequest, question: string, answer: SiteAnswer) {
    const { site, space, path } = given
    const model: AnswerModel = {
      question,
      content: answer.isUnanswered ? undefined : yield* pages.answer(site, space, path, answer),
      sources: yield* linksOf(given, answer.sources),
      followUpQuestions: answer.followUpQuestions,
      hasFailed: false
    }
    return model
  })

  /**
   * Streams the rendered models. The last one states an error without its cause, which is not for visitors, after the text so far.
   */
  const modelsOf = (
    given: SiteRequest,
    question: string,
    updates: Effect.Effect<Stream.Stream<SiteAnswer, unknown>, unknown>
  ): Stream.Stream<{ readonly model: AnswerModel; readonly isComplete: boolean }> => {
    let soFar = failedModel(question)
    return Stream.unwrap(updates).pipe(
      Stream.mapEffect((answer) =>
        Effect.map(modelOf(given, question, answer), (model) => {
          soFar = { ...model, hasFailed: true }
          return { model, isComplete: answer.isComplete }
        })
      ),
      Stream.catch(() => Stream.sync(() => ({ model: soFar, isComplete: true })))
    )
  }

  /** Returns the model of the last update, which has the text so far if the model failed. */
  const lastModelOf = Effect.fnUntraced(function* (
    given: SiteRequest,
    question: string,
    updates: Effect.Effect<Stream.Stream<SiteAnswer, unknown>, unknown>
  ) {
    let last: SiteAnswer | undefined
    const read = Stream.runForEach(Stream.unwrap(updates), (update) =>
      Effect.sync(() => {
        last = update
      })
    )
    const hasFailed = yield* Effect.match(read, { onFailure: () => true, onSuccess: () => false })
    if (last === undefined) return failedModel(question)
    return { ...(yield* modelOf(given, question, last)), hasFailed }
  })

  const streamed = (frame: SiteFrame, models: ReturnType<typeof modelsOf>): ReaderResponse => ({
    status: 200,
    headers: { ...streamHeaders },
    body: undefined,
    stream: Stream.map(models, ({ model, isComplete }) =>
      eventOf(renderAnswer(frame, model).text, isComplete)
    )
  })

  return Effect.fnUntraced(function* (given: SiteRequest) {
    const { request, site, space, path, query } = given
    const { visitor } = site.identity
    if (site.ask === undefined || visitor === undefined || visitor === "anonymous") return undefined
    const question = (query.get("q") ?? "").trim().slice(0, maximumQuestionLength)
    // A page of another website must not use the model by a link or an image.
    const isOfSite = [undefined, "same-origin", "none"].includes(request.header("sec-fetch-site"))
    if (!isOfSite) return redirect(`search?${new URLSearchParams({ q: question })}`, 303)
    const { frame } = yield* pages.frameAt(site, space, path, undefined)
    const { organization, identity, ask } = site
    const siteSpace = siteSpaceIdOf(site, space.id)
    const updates = ask({ identity, organization, site: visitor.site, siteSpace, question })
    if (query.get("part") === "stream" && question !== "") {
      return streamed(frame, modelsOf(given, question, updates))
    }
    const model = question === "" ? failedModel(question) : yield* lastModelOf(given, question, updates)
    const response = respond(request, renderedHtml(renderAnswerPage(frame, model)), "private")
    return { ...response, headers: { ...response.headers, "cache-control": "no-store" } }
  })
}
