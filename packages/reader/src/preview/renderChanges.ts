/** Renders a change request: its semantic changes, the differences of a page, and its conflicts. */
import type { MergeConflict, SemanticChange } from "@lectern/core"
import { diffLines } from "@lectern/core/content"
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
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

/** The number of unchanged lines around a difference. */
const contextLines = 3

/** The maximum number of lines of a page that is compared. */
const maximumLines = 5_000

interface DiffLine {
  readonly kind: "same" | "added" | "removed"
  readonly text: string
}

/** Runs a computation in steps to its end. */
const complete = <A>(steps: Generator<void, A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Returns the lines of two versions: common, added and removed ones. */
export const compareLines = (before: string, after: string): ReadonlyArray<DiffLine> => {
  const [old, current] = [before.split("\n").slice(0, maximumLines), after.split("\n").slice(0, maximumLines)]
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    return number
  }
  const [oldNumbers, currentNumbers] = [Int32Array.from(old, numberOf), Int32Array.from(current, numberOf)]
  const lines: Array<DiffLine> = []
  let from = 0
  for (const { start, end, sideStart, sideEnd } of complete(
    diffLines(oldNumbers, currentNumbers, numbers.size)
  )) {
    for (; from < start; from++) lines.push({ kind: "same", text: old[from]! })
    for (; from < end; from++) lines.push({ kind: "removed", text: old[from]! })
    for (const line of current.slice(sideStart, sideEnd)) lines.push({ kind: "added", text: line })
  }
  for (; from < old.length; from++) lines.push({ kind: "same", text: old[from]! })
  return lines
}

/** Renders the differences of two versions, with the lines around them. */
export const renderDiff = (before: string, after: string): Html => {
  const lines = compareLines(before, after)
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ kind }) => kind !== "same")
  )
  if (!isNear.includes(true)) return element("p", {}, "The content is unchanged.")
  return element(
    "div",
    { class: "diff", tabindex: "0", role: "group", "aria-label": "Differences" },
    lines.map(({ kind, text }, index): Content => {
      if (isNear[index] !== true)
        return isNear[index - 1] === true ? element("span", { class: "hunk" }, "⋯") : nothing
      const line = element("span", {}, `${kind === "added" ? "+" : kind === "removed" ? "−" : " "} ${text}`)
      return kind === "added"
        ? element("ins", {}, line)
        : kind === "removed"
          ? element("del", {}, line)
          : line
    })
  )
}

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
