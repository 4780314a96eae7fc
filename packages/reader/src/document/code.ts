/** Renders code: colored lines with their title, numbers and a button to copy them. */
import { classes, element, type Html } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
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
}

const plainLines = (text: string): ReadonlyArray<ReadonlyArray<CodeToken>> =>
  text.split("\n").map((line) => [[line, ""]])

/** The number of lines above which code that can be expanded is collapsed. */
const collapsedLines = 10

/** Renders code. */
export const renderCode = (renderer: Renderer, options: CodeOptions): Html => {
  const { text, syntax, title, hasLineNumbers, wraps, isExpandable, fullWidth, highlighted } = options
  const { messages } = renderer.context
  const lines = renderer.context.code(syntax, text) ?? plainLines(text)
  const isCollapsed = isExpandable === true && lines.length > collapsedLines
  const rendered = lines.map((tokens, index) =>
    element(
      "span",
      { class: classes("line", highlighted?.has(index) === true && "highlighted") },
      tokens.map(([part, className]) =>
        className === "" ? part : element("span", { class: className }, part)
      ),
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
