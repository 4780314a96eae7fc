/** Renders answers to questions. */
import { element, fragment, type Html, nothing } from "../html/Html.ts"
import { type SafeUrl, withQuery } from "../html/urls.ts"
import { renderFramedPage } from "./layout.ts"
import type { LinkItem, SiteFrame } from "./PageModel.ts"

/** An answer with its rendered text. */
export interface AnswerModel {
  readonly question: string
  /** The text; undefined if no page answers the question. */
  readonly content: Html | undefined
  /** The cited pages. */
  readonly sources: ReadonlyArray<LinkItem>
  readonly followUpQuestions: ReadonlyArray<string>
  /** Whether the answer could not be generated, or only the text in `content`. */
  readonly hasFailed: boolean
}

const renderSources = ({ messages }: SiteFrame, sources: ReadonlyArray<LinkItem>): Html =>
  sources.length === 0
    ? nothing
    : fragment(
        element("h2", {}, messages.ask.sources),
        element(
          "ul",
          { class: "ask-sources" },
          sources.map(({ href, title, icon }) => element("li", {}, element("a", { href }, icon, title)))
        )
      )

const renderQuestions = ({ messages }: SiteFrame, askUrl: SafeUrl, questions: ReadonlyArray<string>): Html =>
  questions.length === 0
    ? nothing
    : fragment(
        element("h2", {}, messages.ask.further),
        element(
          "ul",
          { class: "ask-questions" },
          questions.map((question) =>
            element(
              "li",
              {},
              element("a", { href: withQuery(askUrl, question), "data-ask": question }, question)
            )
          )
        )
      )

/** Renders an answer, for the page and for the panel of the search dialog. */
export const renderAnswer = (frame: SiteFrame, model: AnswerModel): Html => {
  const { messages, askUrl = frame.home } = frame
  if (model.content === undefined) {
    const { failed, unanswered } = messages.ask
    return element("p", { class: "ask-notice" }, model.hasFailed ? failed : unanswered)
  }
  return fragment(
    element("div", { class: "content" }, model.content),
    renderSources(frame, model.sources),
    renderQuestions(frame, askUrl, model.followUpQuestions),
    model.hasFailed && element("p", { class: "ask-notice" }, messages.ask.failed),
    element("p", { class: "ask-notice" }, messages.ask.notice)
  )
}

/** Renders the page of an answer, for browsers without scripts. */
export const renderAnswerPage = (frame: SiteFrame, model: AnswerModel): string => {
  const { messages, askUrl = frame.home } = frame
  return renderFramedPage(frame, {
    title: messages.ask.ask,
    metadata: { isIndexed: false },
    hasSidebar: true,
    outline: undefined,
    main: element(
      "div",
      { class: "page search-page" },
      element("div", { class: "page-head" }, element("h1", {}, element("span", {}, messages.ask.ask))),
      element(
        "form",
        { action: askUrl, method: "get" },
        element(
          "div",
          { class: "search-field" },
          element("input", {
            type: "search",
            name: "q",
            value: model.question,
            maxlength: 512,
            "aria-label": messages.ask.ask
          }),
          element("button", { class: "button primary" }, messages.ask.ask)
        )
      ),
      model.question !== "" &&
        element(
          "section",
          { class: "ask-answer", "aria-label": messages.ask.answer },
          renderAnswer(frame, model)
        )
    )
  })
}
