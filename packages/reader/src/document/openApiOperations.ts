/** Renders an operation of an API: its parameters, bodies and responses, with code samples and examples. */

import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { renderCode } from "./code.ts"
import {
  entriesOf,
  isObject,
  type Json,
  type OpenApiDocument,
  type Operation,
  textOf
} from "./OpenApiDocument.ts"
import { type CodeSample, codeSamplesOf } from "./openApiCodeSamples.ts"
import { exampleOf, exampleText } from "./openApiExamples.ts"
import { type RenderMarkdown, SchemaRenderer } from "./openApiSchemas.ts"
import { renderTest } from "./openApiTests.ts"
import type { Renderer } from "./Renderer.ts"

const section = (title: string, ...content: ReadonlyArray<Content>): Html => {
  const inside = fragment(content)
  return inside.text === ""
    ? nothing
    : element("div", { class: "api-section" }, element("p", { class: "api-label" }, title), inside)
}

const renderSecurity = (
  renderer: Renderer,
  document: OpenApiDocument,
  { operation }: Operation,
  markdown: RenderMarkdown
): Html => {
  const { messages } = renderer.context
  const items = document.securityOf(operation).map(([name, scheme]) => {
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

const renderParameters = (renderer: Renderer, schemas: SchemaRenderer, { parameters }: Operation): Html => {
  const titles = renderer.context.messages.openApi.parameters
  return fragment(
    (["path", "query", "header", "cookie", "formData"] as const).map((place) => {
      const some = parameters.filter((parameter) => parameter.in === place)
      if (some.length === 0) return nothing
      return section(
        titles[place === "formData" ? "body" : place],
        element(
          "ul",
          { class: "properties" },
          some.map((parameter) =>
            schemas.renderProperty(
              textOf(parameter.name),
              parameter.schema ?? parameter,
              parameter.required === true,
              textOf(parameter.description),
              0,
              []
            )
          )
        )
      )
    })
  )
}

const renderMedia = (schemas: SchemaRenderer, content: Json): Html =>
  fragment(
    entriesOf(content).map(([type, media]) => {
      if (!isObject(media)) return nothing
      return element(
        "div",
        { class: "media" },
        element(
          "p",
          { class: "media-type" },
          element("code", {}, type),
          " ",
          element("span", { class: "property-type" }, schemas.typeOf(media.schema))
        ),
        schemas.renderContent(media.schema)
      )
    })
  )

const renderResponses = (
  renderer: Renderer,
  document: OpenApiDocument,
  schemas: SchemaRenderer,
  { operation }: Operation,
  markdown: RenderMarkdown
): Html => {
  const responses = entriesOf(operation.responses).flatMap(([status, given]) => {
    const response = document.object(given)
    return response === undefined ? [] : [[status, response] as const]
  })
  if (responses.length === 0) return nothing
  return section(
    renderer.context.messages.openApi.responses,
    responses.map(([status, response], index) => {
      const description = textOf(response.description)
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
          renderMedia(schemas, document.contentOf(response))
        )
      )
    })
  )
}

/** Renders code in tabs; without JavaScript, one below the other. */
const renderSamples = (
  renderer: Renderer,
  title: string,
  samples: ReadonlyArray<CodeSample>,
  isColored: boolean
): Html => {
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
        renderCode(renderer, { text: sample.text, syntax: isColored ? sample.syntax : undefined })
      )
    )
  )
}

/** The maximum length of an example of a response, in characters. */
const maximumExampleLength = 20_000

const responseExamples = (document: OpenApiDocument, { operation }: Operation): ReadonlyArray<CodeSample> =>
  entriesOf(operation.responses).flatMap(([status, given]) => {
    const response = document.object(given)
    const [type, media] = response === undefined ? [] : (entriesOf(document.contentOf(response))[0] ?? [])
    if (type === undefined || !isObject(media)) return []
    const text = exampleText(exampleOf(document, media))
    if (text === "" || text.length > maximumExampleLength) return []
    return [{ title: status, syntax: /json/.test(type) ? "json" : /xml/.test(type) ? "xml" : "", text }]
  })

/** Renders the method and the path of an operation, whose parameters are emphasized. */
const renderAddress = ({ method, path, isWebhook }: Operation, button: Html): Html =>
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
    ),
    button
  )

/** Renders the requests that the server sends during an operation. */
const renderCallbacks = (
  renderer: Renderer,
  document: OpenApiDocument,
  schemas: SchemaRenderer,
  { operation }: Operation,
  markdown: RenderMarkdown
): Html =>
  section(
    renderer.context.messages.openApi.callbacks,
    document.callbacksOf(operation).map(([name, callback]) => {
      const description = textOf(callback.operation.description) || textOf(callback.operation.summary)
      const body = document.requestBodyOf(callback)
      return element(
        "details",
        { class: "response callback" },
        element(
          "summary",
          {},
          icon("chevron-right"),
          element("span", { class: `method method-${callback.method.toLowerCase()}` }, callback.method),
          element("code", {}, name)
        ),
        element(
          "div",
          { class: "response-body" },
          element("p", { class: "media-type" }, element("code", {}, callback.path)),
          description !== "" && markdown(description),
          renderParameters(renderer, schemas, callback),
          body !== undefined &&
            section(renderer.context.messages.openApi.parameters.body, renderMedia(schemas, body.content)),
          renderResponses(renderer, document, schemas, callback, markdown)
        )
      )
    })
  )

/** Renders an operation. */
export const renderOperation = (
  renderer: Renderer,
  document: OpenApiDocument,
  operation: Operation,
  markdown: RenderMarkdown
): Html => {
  const { messages } = renderer.context
  const { hasAllLanguages, isColored } = renderer.takeOperation()
  const samples = codeSamplesOf(document, operation, hasAllLanguages)
  const schemas = new SchemaRenderer(renderer, document, markdown)
  const { operation: json, method, path } = operation
  const title = textOf(json.summary) || textOf(json.operationId) || `${method} ${path}`
  const description = textOf(json.description)
  const body = document.requestBodyOf(operation)
  const id = textOf(json.operationId) || `${method} ${path}`
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
    json.deprecated === true &&
      element("p", {}, element("span", { class: "badge deprecated" }, messages.openApi.deprecated)),
    description !== "" && element("div", { class: "api-description" }, markdown(description)),
    element(
      "div",
      { class: "api-columns" },
      element(
        "div",
        { class: "api-main" },
        renderAddress(operation, renderTest(renderer, document, operation)),
        renderSecurity(renderer, document, operation, markdown),
        renderParameters(renderer, schemas, operation),
        body !== undefined &&
          section(
            messages.openApi.parameters.body,
            textOf(body.body.description) !== "" && markdown(textOf(body.body.description)),
            renderMedia(schemas, body.content)
          ),
        renderResponses(renderer, document, schemas, operation, markdown),
        renderCallbacks(renderer, document, schemas, operation, markdown)
      ),
      element(
        "div",
        { class: "api-aside" },
        renderSamples(renderer, messages.openApi.request, samples, isColored),
        renderSamples(renderer, messages.openApi.response, responseExamples(document, operation), isColored)
      )
    )
  )
}
