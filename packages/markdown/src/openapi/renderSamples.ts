/** Renders code in tabs: examples of requests and responses. */
import type { ApiBuilder, ApiContent } from "./ApiBuilder.ts"
import type { CodeSample } from "./codeSamples.ts"

/** Renders code in tabs; without JavaScript, one below the other. */
export const renderSamples = <Node>(
  builder: ApiBuilder<Node>,
  title: string,
  samples: ReadonlyArray<CodeSample>
): ApiContent<Node> => {
  if (samples.length === 0) return undefined
  const { element } = builder
  const isColored = builder.takeColors(samples.reduce((sum, { text }) => sum + text.length, 0))
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
