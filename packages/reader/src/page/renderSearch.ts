/** Renders the search page of a site, whose results the search dialog displays, too. */
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import type { SafeUrl } from "../html/urls.ts"
import { renderFramedPage } from "./layout.ts"
import type { SiteFrame } from "./PageModel.ts"

/** A part of a page that matches a query. */
export interface SearchSection {
  readonly title: string
  readonly href: SafeUrl
  readonly text: string
}

/** A page that matches a query. */
export interface SearchHit {
  readonly title: string
  readonly href: SafeUrl
  readonly icon: Html | undefined
  /** The titles of the pages above it. */
  readonly path: ReadonlyArray<string>
  /** An excerpt of the text before the first heading. */
  readonly text: string | undefined
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
}

/** Emphasizes the words of a query in text. */
const highlightWords = (text: string, query: string): Content => {
  const words = (query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 1)
    .slice(0, 20)
  if (words.length === 0) return text
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})[\\p{L}\\p{N}]*`, "giu")
  const parts: Array<Content> = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(at, match.index), element("mark", {}, match[0]))
    at = match.index + match[0].length
  }
  parts.push(text.slice(at))
  return parts
}

const renderHit = (hit: SearchHit, query: string): Content => [
  element(
    "li",
    {},
    element(
      "a",
      { href: hit.href },
      hit.icon ?? icon("file-lines"),
      hit.path.length > 0 && element("span", { class: "result-path" }, hit.path.join(" › ")),
      element("span", { class: "result-title" }, highlightWords(hit.title, query)),
      hit.text !== undefined &&
        hit.text !== "" &&
        element("span", { class: "result-text" }, highlightWords(hit.text, query))
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
        element("span", { class: "result-title" }, highlightWords(section.title, query)),
        section.text !== "" && element("span", { class: "result-text" }, highlightWords(section.text, query))
      )
    )
  )
]

/** Renders the results of a search by space. */
export const renderResults = (frame: SiteFrame, { query, groups }: SearchModel): Html => {
  const { messages } = frame
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0)
  const status =
    query === "" ? messages.searchHint : count === 0 ? messages.noResults(query) : messages.results(count)
  return fragment(
    element("p", { class: "search-status", role: "status" }, status),
    element(
      "div",
      { class: "search-results" },
      groups.map(({ title, hits }) =>
        hits.length === 0
          ? nothing
          : element(
              "div",
              {},
              groups.length > 1 && element("h2", {}, title),
              element(
                "ul",
                {},
                hits.map((hit) => renderHit(hit, query))
              )
            )
      )
    )
  )
}

/** Renders the search page. */
export const renderSearchPage = (frame: SiteFrame, model: SearchModel): string => {
  const { messages, searchUrl } = frame
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
          element("button", { class: "button primary" }, messages.search)
        )
      ),
      renderResults(frame, model)
    )
  })
}
