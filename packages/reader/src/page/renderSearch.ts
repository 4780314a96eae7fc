/** Renders the search page of a site, whose results the search dialog displays, too. */
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { type SafeUrl, withQuery } from "../html/urls.ts"
import { renderFramedPage } from "./layout.ts"
import type { SiteFrame } from "./PageModel.ts"

/** Text with the ranges that match a query, in order, in UTF-16 code units. */
export interface HighlightedText {
  readonly text: string
  readonly highlights: ReadonlyArray<{ readonly start: number; readonly end: number }>
}

/** A part of a page that matches a query. */
export interface SearchSection {
  readonly title: HighlightedText
  readonly href: SafeUrl
  readonly text: HighlightedText
}

/** A page that matches a query. */
export interface SearchHit {
  readonly title: HighlightedText
  readonly href: SafeUrl
  readonly icon: Html | undefined
  /** The titles of the pages above it. */
  readonly path: ReadonlyArray<string>
  /** An excerpt of the text before the first heading, or the description of the page. */
  readonly text: HighlightedText
  readonly sections: ReadonlyArray<SearchSection>
}

/** The pages of one space that match a query. */
export interface SearchGroup {
  readonly title: string
  readonly hits: ReadonlyArray<SearchHit>
}

/** The results of a search. */
export interface SearchModel {
  readonly query: string
  readonly groups: ReadonlyArray<SearchGroup>
  /** The query with its misspelled words corrected. */
  readonly didYouMean: string | undefined
}

/** Renders text with its matches emphasized. */
const renderHighlighted = ({ text, highlights }: HighlightedText): Content => {
  const parts: Array<Content> = []
  let at = 0
  for (const { start, end } of highlights) {
    parts.push(text.slice(at, start), element("mark", {}, text.slice(start, end)))
    at = end
  }
  parts.push(text.slice(at))
  return parts
}

const renderHit = (hit: SearchHit): Content => [
  element(
    "li",
    {},
    element(
      "a",
      { href: hit.href },
      hit.icon ?? icon("file-lines"),
      hit.path.length > 0 && element("span", { class: "result-path" }, hit.path.join(" › ")),
      element("span", { class: "result-title" }, renderHighlighted(hit.title)),
      hit.text.text !== "" && element("span", { class: "result-text" }, renderHighlighted(hit.text))
    )
  ),
  hit.sections.map((section) =>
    element(
      "li",
      { class: "section" },
      element(
        "a",
        { href: section.href },
        icon("hashtag"),
        element("span", { class: "result-title" }, renderHighlighted(section.title)),
        section.text.text !== "" && element("span", { class: "result-text" }, renderHighlighted(section.text))
      )
    )
  )
]

/** Renders the results of a search by space. */
export const renderResults = (frame: SiteFrame, { query, groups, didYouMean }: SearchModel): Html => {
  const { messages, searchUrl = frame.home } = frame
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0)
  const status =
    query === "" ? messages.searchHint : count === 0 ? messages.noResults(query) : messages.results(count)
  return fragment(
    element("p", { class: "search-status", role: "status" }, status),
    element(
      "div",
      { class: "search-results" },
      didYouMean !== undefined &&
        element(
          "p",
          { class: "search-correction" },
          `${messages.didYouMean} `,
          element("a", { href: withQuery(searchUrl, didYouMean) }, didYouMean)
        ),
      groups.map(({ title, hits }) =>
        hits.length === 0
          ? nothing
          : element(
              "div",
              {},
              groups.length > 1 && element("h2", {}, title),
              element("ul", {}, hits.map(renderHit))
            )
      )
    )
  )
}

/** Renders the search page. */
export const renderSearchPage = (frame: SiteFrame, model: SearchModel): string => {
  const { messages, searchUrl = frame.home } = frame
  return renderFramedPage(frame, {
    title: messages.search,
    metadata: { isIndexed: false },
    hasSidebar: true,
    outline: undefined,
    main: element(
      "div",
      { class: "page search-page" },
      element("div", { class: "page-head" }, element("h1", {}, element("span", {}, messages.search))),
      element(
        "form",
        { role: "search", action: searchUrl, method: "get" },
        element(
          "div",
          { class: "search-field" },
          icon("magnifying-glass"),
          element("input", {
            type: "search",
            name: "q",
            value: model.query,
            maxlength: 512,
            placeholder: messages.searchPlaceholder,
            "aria-label": messages.search,
            autofocus: true
          }),
          element("button", { class: "button primary" }, messages.search),
          frame.askUrl !== undefined &&
            element("button", { class: "button", formaction: frame.askUrl }, messages.ask.ask)
        )
      ),
      renderResults(frame, model)
    )
  })
}
