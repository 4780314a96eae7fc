/** Renders code in tabs: examples of requests and responses. */
import type { ApiBuilder, ApiContent } from "./ApiBuilder.ts"
import { exampleOf, exampleText } from "./examples.ts"
import {
  entriesOf,
  isObject,
  listOf,
  type OpenApiDocument,
  type Operation,
  textOf
} from "./OpenApiDocument.ts"

/** A code sample with the name of its tab and its language. */
export interface CodeSample {
  /** The name of its tab. */
  readonly title: string
  /** The language, as in blocks of code; empty for none. */
  readonly syntax: string
  /** The code. */
  readonly text: string
}

/** The maximum number of samples that an operation declares. */
const maximumDeclared = 10

/** The maximum length of an example of a response, in characters. */
const maximumExampleLength = 20_000

/** Returns the code samples that an operation declares (`x-codeSamples`), at most 10. */
export const declaredSamplesOf = ({ operation }: Operation): ReadonlyArray<CodeSample> =>
  listOf(operation["x-codeSamples"] ?? operation["x-code-samples"])
    .filter(isObject)
    .map((sample) => ({
      title: textOf(sample.label) || textOf(sample.lang),
      syntax: textOf(sample.lang).toLowerCase(),
      text: typeof sample.source === "string" ? sample.source : ""
    }))
    .filter(({ title, text }) => title !== "" && text !== "")
    .slice(0, maximumDeclared)

/** Returns an example of each response of an operation, with its status as the name of its tab. */
export const responseExamples = (
  document: OpenApiDocument,
  { operation }: Operation
): ReadonlyArray<CodeSample> =>
  entriesOf(operation.responses).flatMap(([status, given]) => {
    const response = document.object(given)
    const [type, media] = response === undefined ? [] : (entriesOf(document.contentOf(response))[0] ?? [])
    if (type === undefined || !isObject(media)) return []
    const text = exampleText(exampleOf(document, media))
    if (text === "" || text.length > maximumExampleLength) return []
    return [{ title: status, syntax: /json/.test(type) ? "json" : /xml/.test(type) ? "xml" : "", text }]
  })

/** Renders code in tabs; without JavaScript, one below the other. */
export const renderSamples = <Node>(
  builder: ApiBuilder<Node>,
  title: string,
  samples: ReadonlyArray<CodeSample>,
  isColored: boolean
): ApiContent<Node> => {
  if (samples.length === 0) return undefined
  const { element } = builder
  const tabs = samples.map((sample) => ({
    sample,
    tab: builder.componentId("sample"),
    panel: builder.componentId("sample")
  }))
  return element(
    "div",
    { class: "tabs samples" },
    element(
      "div",
      { class: "sample-head" },
      element("span", { class: "api-label" }, title),
      element(
        "div",
        { class: "tab-list js-only", role: "tablist", "aria-label": title },
        tabs.map(({ sample, tab, panel }, index) =>
          element(
            "button",
            {
              type: "button",
              role: "tab",
              id: tab,
              "aria-controls": panel,
              "aria-selected": index === 0 ? "true" : "false",
              tabindex: index === 0 ? undefined : "-1"
            },
            sample.title
          )
        )
      )
    ),
    tabs.map(({ sample, tab, panel }, index) =>
      element(
        "div",
        {
          id: panel,
          class: index > 0 ? "tab-panel unselected" : "tab-panel",
          role: "tabpanel",
          "aria-labelledby": tab
        },
        element("p", { class: "tab-title", "aria-hidden": "true" }, sample.title),
        builder.code(sample.text, isColored ? sample.syntax : undefined)
      )
    )
  )
}
