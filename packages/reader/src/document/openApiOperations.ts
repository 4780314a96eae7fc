/** Renders an operation of an API: its parameters, bodies and responses, with code samples and examples. */

import {
  type Body,
  bodyExample,
  type CodeSample,
  type OpenApiDocument,
  type OperationPage,
  textOf,
  typeOf
} from "@lectern/formats/openapi"
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { renderCode } from "./code.ts"
import { type RenderMarkdown, SchemaRenderer } from "./openApiSchemas.ts"
import type { Renderer } from "./Renderer.ts"

const section = (title: string, ...content: ReadonlyArray<Content>): Html => {
  const inside = fragment(content)
  return inside.text === ""
    ? nothing
    : element("div", { class: "api-section" }, element("p", { class: "api-label" }, title), inside)
}

const renderSecurity = (
  renderer: Renderer,
  { requirements }: OperationPage,
  markdown: RenderMarkdown
): Html => {
  const { messages } = renderer.context
  const schemes = new Map(
    requirements.flat().flatMap(({ name, scheme }) => (scheme === undefined ? [] : [[name, scheme] as const]))
  )
  const items = [...schemes].map(([name, scheme]) => {
    const place =
      scheme.type === "apiKey" ? `${textOf(scheme.in)}: ${textOf(scheme.name)}` : textOf(scheme.scheme)
    const type = [textOf(scheme.type), place].filter((part) => part !== "").join(", ")
    const description = textOf(scheme.description)
    return element(
      "li",
      { class: "property" },
      element(
        "div",
        { class: "property-head" },
        element("code", { class: "property-name" }, name),
        element("span", { class: "property-type" }, type)
      ),
      description !== "" && element("div", { class: "property-text" }, markdown(description))
    )
  })
  return items.length === 0
    ? nothing
    : section(messages.openApi.authorization, element("ul", { class: "properties" }, items))
}

const renderParameters = (
  renderer: Renderer,
  schemas: SchemaRenderer,
  { parameters }: OperationPage
): Html => {
  const titles = renderer.context.messages.openApi.parameters
  return fragment(
    (["path", "query", "header", "cookie", "formData"] as const).map((place) => {
      const some = parameters.filter((parameter) => parameter.place === place)
      if (some.length === 0) return nothing
      return section(
        titles[place === "formData" ? "body" : place],
        element(
          "ul",
          { class: "properties" },
          some.map(({ name, schema, isRequired, description }) =>
            schemas.renderProperty(name, schema, isRequired, description, 0, [])
          )
        )
      )
    })
  )
}

const renderMedia = (document: OpenApiDocument, schemas: SchemaRenderer, { media }: Body): Html =>
  fragment(
    media.map(({ type, definition }) =>
      element(
        "div",
        { class: "media" },
        element(
          "p",
          { class: "media-type" },
          element("code", {}, type),
          " ",
          element("span", { class: "property-type" }, typeOf(document, definition.schema))
        ),
        schemas.renderContent(definition.schema)
      )
    )
  )

const renderResponses = (
  renderer: Renderer,
  document: OpenApiDocument,
  schemas: SchemaRenderer,
  { responses }: OperationPage,
  markdown: RenderMarkdown
): Html => {
  if (responses.length === 0) return nothing
  return section(
    renderer.context.messages.openApi.responses,
    responses.map((response, index) => {
      const { status, description } = response
      const kind = /^[1-5]/.exec(status)?.[0] ?? "0"
      return element(
        "details",
        { class: "response", open: index === 0 },
        element(
          "summary",
          {},
          icon("chevron-right"),
          element("span", { class: `status status-${kind}` }, status),
          element("span", { class: "response-text" }, description.split("\n", 1)[0]!.slice(0, 200))
        ),
        element(
          "div",
          { class: "response-body" },
          description.includes("\n") && markdown(description),
          renderMedia(document, schemas, response)
        )
      )
    })
  )
}

/** Renders code in tabs; without JavaScript, one below the other. */
const renderSamples = (renderer: Renderer, title: string, samples: ReadonlyArray<CodeSample>): Html => {
  if (samples.length === 0) return nothing
  const tabs = samples.map((sample) => ({
    sample,
    tab: renderer.componentId("sample"),
    panel: renderer.componentId("sample")
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
        renderCode(renderer, { text: sample.text, syntax: sample.syntax })
      )
    )
  )
}

const responseExamples = (
  document: OpenApiDocument,
  { responses }: OperationPage
): ReadonlyArray<CodeSample> =>
  responses.flatMap(({ status, media: [first] }) => {
    const example = first === undefined ? undefined : bodyExample(document, first)
    return example === undefined ? [] : [{ title: status, ...example }]
  })

/** Renders the method and the path of an operation, whose parameters are emphasized. */
const renderAddress = ({ method, path, isWebhook }: OperationPage): Html =>
  element(
    "div",
    { class: "api-address" },
    element("span", { class: `method method-${method.toLowerCase()}` }, method),
    element(
      "code",
      {},
      isWebhook
        ? path
        : path
            .split(/(\{[^{}]*\})/)
            .map((part) => (part.startsWith("{") ? element("span", { class: "path-parameter" }, part) : part))
    )
  )

/** Renders an operation. */
export const renderOperation = (
  renderer: Renderer,
  document: OpenApiDocument,
  page: OperationPage,
  markdown: RenderMarkdown
): Html => {
  const { messages } = renderer.context
  const schemas = new SchemaRenderer(renderer, document, markdown)
  const { id, title, description, body } = page
  return element(
    "section",
    { class: "api-operation" },
    renderer.heading(
      2,
      id
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, ""),
      title,
      title
    ),
    page.isDeprecated &&
      element("p", {}, element("span", { class: "badge deprecated" }, messages.openApi.deprecated)),
    description !== "" && element("div", { class: "api-description" }, markdown(description)),
    element(
      "div",
      { class: "api-columns" },
      element(
        "div",
        { class: "api-main" },
        renderAddress(page),
        renderSecurity(renderer, page, markdown),
        renderParameters(renderer, schemas, page),
        body !== undefined &&
          section(
            messages.openApi.parameters.body,
            body.description !== "" && markdown(body.description),
            renderMedia(document, schemas, body)
          ),
        renderResponses(renderer, document, schemas, page, markdown)
      ),
      element(
        "div",
        { class: "api-aside" },
        renderSamples(renderer, messages.openApi.request, page.samples()),
        renderSamples(renderer, messages.openApi.response, responseExamples(document, page))
      )
    )
  )
}
