/** Renders code: colored lines with their title, numbers and a button to copy them. */
import { type Content, classes, element, type Html } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { type CodeMark, renderMarked } from "./codeMarks.ts"
import type { CodeToken } from "./DocumentContext.ts"
import type { Renderer } from "./Renderer.ts"

/** Code with its options. */
export interface CodeOptions {
  readonly text: string
  readonly syntax?: string | undefined
  readonly title?: string | undefined
  readonly hasLineNumbers?: boolean
  readonly wraps?: boolean
  readonly isExpandable?: boolean
  readonly fullWidth?: boolean
  /** The indexes of the lines that are emphasized. */
  readonly highlighted?: ReadonlySet<number>
  /** The ranges that are marked. */
  readonly marks?: ReadonlyArray<CodeMark>
}

const plainLines = (text: string): ReadonlyArray<ReadonlyArray<CodeToken>> =>
  text.split("\n").map((line) => [[line, ""]])

/** The number of lines above which code that can be expanded is collapsed. */
const collapsedLines = 10

/** Renders code. */
export const renderCode = (renderer: Renderer, options: CodeOptions): Html => {
  const { syntax, title, hasLineNumbers, wraps, isExpandable, fullWidth, highlighted, marks = [] } = options
  const { messages } = renderer.context
  // The line feed at the end of preformatted text is not a line of its own.
  const text = options.text.replace(/\n$/, "")
  const lines = renderer.context.code(syntax, text) ?? plainLines(text)
  const isCollapsed = isExpandable === true && lines.length > collapsedLines
  let place = 0
  const renderToken = ([part, className]: CodeToken): Content => {
    const from = place
    place += part.length
    const render = (piece: string): Content =>
      className === "" ? piece : element("span", { class: className }, piece)
    return marks.length === 0 ? render(part) : renderMarked(part, from, marks, render)
  }
  const renderLine = (tokens: ReadonlyArray<CodeToken>): Content => {
    const content = tokens.map(renderToken)
    // The line feed.
    place++
    return content
  }
  const rendered = lines.map((tokens, index) =>
    element(
      "span",
      { class: classes("line", highlighted?.has(index) === true && "highlighted") },
      renderLine(tokens),
      index < lines.length - 1 ? "\n" : ""
    )
  )
  const label = title === undefined || title === "" ? messages.code : title
  return element(
    "figure",
    {
      class: classes(
        "code",
        hasLineNumbers === true && "numbered",
        wraps === true && "wraps",
        isCollapsed && "collapsible",
        fullWidth === true && "full-width"
      )
    },
    title !== undefined && title !== "" && element("figcaption", {}, title),
    element(
      "pre",
      { tabindex: "0", role: "group", "aria-label": label },
      element("code", { "data-language": syntax }, rendered)
    ),
    element(
      "button",
      { type: "button", class: "copy js-only", "data-copy": "code", "aria-label": messages.copy },
      icon("copy")
    )
  )
}
