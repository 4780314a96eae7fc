/** Renders a change request: its semantic changes, the differences of a page, and its conflicts. */
import type { MergeConflict, SemanticChange } from "@lectern/core"
import { element, fragment, type Html } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { relativeUrl } from "../html/urls.ts"

/** The icons and verbs of changes, by the end of their type. */
const kinds: Readonly<Record<string, readonly [icon: string, verb: string]>> = {
  created: ["circle-plus", "Added"],
  edited: ["pen-to-square", "Edited"],
  deleted: ["trash-can", "Deleted"],
  moved: ["right-left", "Moved"]
}

const nounOf = (change: SemanticChange): string => change.type.replace(/_[a-z]+$/, "").replaceAll("_", " ")

const nameOf = (change: SemanticChange): string =>
  "page" in change ? change.page.title : "file" in change ? change.file.name : change.reusableContent.title

const attributesOf = (change: SemanticChange): ReadonlyArray<string> =>
  "attributes" in change
    ? Object.keys(change.attributes).map((name) => (name === "document" ? "content" : name))
    : change.type === "page_moved"
      ? [`${change.parent.before?.title ?? "root"} → ${change.parent.after?.title ?? "root"}`]
      : []

/** The path of the differences of a page, below the root of the change request. */
export const diffPath = (page: string): string => `~/diff/${encodeURIComponent(page)}`

/** Renders the semantic changes. Pages with changed content link to their differences. */
export const renderChanges = (from: string, changes: ReadonlyArray<SemanticChange>, more: number): Html =>
  changes.length === 0
    ? element("p", {}, "The change request has no changes.")
    : fragment(
        element(
          "ul",
          { class: "changes" },
          changes.map((change) => {
            const [iconName, verb] = kinds[change.type.split("_").at(-1) ?? ""] ?? ["circle", "Changed"]
            const attributes = attributesOf(change)
            const label = [
              icon(iconName),
              " ",
              verb,
              " ",
              nounOf(change),
              " ",
              element("strong", {}, nameOf(change))
            ]
            return element(
              "li",
              {},
              "page" in change && change.page.type === "document"
                ? element("a", { href: relativeUrl(from, diffPath(change.page.id)) }, label)
                : element("span", {}, label),
              attributes.length > 0 && element("small", {}, ` ${attributes.join(", ")}`)
            )
          })
        ),
        more > 0 && element("p", {}, `And ${more} more changes.`)
      )

const renderSide = (title: string, lines: ReadonlyArray<string>): Html =>
  element(
    "div",
    { class: "column" },
    element("p", { class: "api-label" }, title),
    element(
      "div",
      { class: "diff" },
      lines.map((line) => element("span", {}, line))
    )
  )

const valueText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "—")

/** Renders the conflicts of a change request with the content of its space. */
export const renderConflicts = (conflicts: ReadonlyArray<MergeConflict>): Html =>
  conflicts.length === 0
    ? element("p", {}, "The change request has no conflicts.")
    : fragment(
        conflicts.map((conflict) => {
          const subject = conflict.page ?? conflict.file ?? conflict.reusableContent
          const title = [subject?.title, conflict.field ?? conflict.kind]
            .filter((part) => part !== undefined)
            .join(": ")
          const sides: ReadonlyArray<readonly [string, unknown]> = [
            ["Space", conflict.primary],
            ["Change request", conflict.change]
          ]
          return element(
            "section",
            {},
            element("h2", { class: "heading h-3" }, icon("triangle-exclamation"), " ", title),
            conflict.regions === undefined
              ? element(
                  "div",
                  { class: "columns" },
                  sides.map(([name, value]) => renderSide(name, [valueText(value)]))
                )
              : conflict.regions.map(({ primary, change }) =>
                  element(
                    "div",
                    { class: "columns" },
                    renderSide("Space", primary),
                    renderSide("Change request", change)
                  )
                )
          )
        })
      )
