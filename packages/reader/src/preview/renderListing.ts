/** Renders what listings consist of: lists of links, and facts. */
import type { Page } from "@lectern/core"
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { encodePath, externalUrl, relativeUrl, type SafeUrl } from "../html/urls.ts"
import type { ReaderRequest } from "../http/messages.ts"
import { pathOf } from "./session.ts"

/** An item of a list. */
export interface Item {
  readonly title: string
  /** The path of its page below the URL of the workspace. */
  readonly path: string
  readonly detail?: string | undefined
}

/** Renders a link to the page of an item. */
export const linkTo = (from: string, { title, path }: Item): Html =>
  element("a", { href: relativeUrl(from, encodePath(path)) }, title === "" ? "Untitled" : title)

const detailOf = ({ detail }: Item): Content =>
  detail !== undefined && detail !== "" && element("small", {}, ` ${detail}`)

/** Renders one page of a list with a link to its next page; nothing for an empty list. */
export const renderList = <A>(
  request: ReaderRequest,
  heading: string,
  parameter: string,
  page: Page<A>,
  itemOf: (item: A) => Item
): Html => {
  const from = pathOf(request)
  return page.items.length === 0
    ? nothing
    : fragment(
        element("h2", {}, `${heading} (${page.count})`),
        element(
          "ul",
          { class: "listing" },
          page.items.map(itemOf).map((item) => element("li", {}, linkTo(from, item), detailOf(item)))
        ),
        page.next !== undefined &&
          element(
            "p",
            {},
            element(
              "a",
              { href: `?${new URLSearchParams({ [parameter]: page.next.page })}` as SafeUrl },
              `More ${heading.toLowerCase()}`
            )
          )
      )
}

/** Renders facts about a resource: names and values. Omits those without a value. */
export const renderFacts = (facts: ReadonlyArray<readonly [name: string, value: Content]>): Html =>
  element(
    "dl",
    { class: "facts" },
    facts
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => fragment(element("dt", {}, name), element("dd", {}, value)))
  )

/** Renders a URL as a link, or as text if it cannot be one. */
export const externalLink = (url: string | undefined): Content => {
  const href = url === undefined ? undefined : externalUrl(url)
  return href === undefined ? url : element("a", { href, rel: "noopener" }, url)
}
