/** Renders an operation of an API: its parameters, bodies and responses, with code samples and examples. */

import {
  type Body,
  bodyExample,
  type CodeSample,
  type OpenApiDocument,
  type OperationDetail,
  type OperationPage,
  textOf,
  typeOf
} from "@lectern/formats/openapi"
import { type Content, element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { externalUrl } from "../html/urls.ts"
import { renderCode } from "./code.ts"
import { codeInLanguages } from "./openApiCodeSamples.ts"
import { type RenderMarkdown, SchemaRenderer } from "./openApiSchemas.ts"
import { renderTest } from "./openApiTests.ts"
import type { Renderer } from "./Renderer.ts"

/** The place of an operation. */
export interface OperationPlace {
  readonly renderer: Renderer
  readonly document: OpenApiDocument
  /** The URL of the document, if it is known. */
  readonly url: string | undefined
  readonly hasAllLanguages: boolean
}

/** What the parts of an operation are rendered with. */
interface Rendering extends OperationPlace {
  readonly schemas: SchemaRenderer
  readonly markdown: RenderMarkdown
}

const section = (title: string, ...content: ReadonlyArray<Content>): Html => {
  const inside = fragment(content)
  return inside.text === ""
    ? nothing
    : element("div", { class: "api-section" }, element("p", { class: "api-label" }, title), inside)
}

const renderSecurity = ({ renderer, markdown }: Rendering, { schemes }: OperationPage): Html => {
  const items = schemes.map(([name, scheme]) => {
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
    : section(renderer.context.messages.openApi.authorization, element("ul", { class: "properties" }, items))
}

const renderParameters = ({ renderer, schemas }: Rendering, { parameters }: OperationPage): Html => {
  const titles = renderer.context.messages.openApi.parameters
  return fragment(
    (["path", "query", "header", "cookie"] as const).map((place) => {
      const items = parameters
        .filter((parameter) => parameter.place === place)
        .map(({ name, schema, isRequired, description }) =>
          schemas.renderProperty(name, schema, isRequired, description, 0, [])
        )
      return items.length === 0
        ? nothing
        : section(titles[place], element("ul", { class: "properties" }, items))
    })
  )
}

const renderMedia = ({ document, schemas }: Rendering, { media }: Body): Html =>
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

const renderRequestBody = (rendering: Rendering, { body }: OperationPage): Html =>
  body === undefined
    ? nothing
    : section(
        rendering.renderer.context.messages.openApi.parameters.body,
        body.description !== "" && rendering.markdown(body.description),
        renderMedia(rendering, body)
      )

const renderResponses = (rendering: Rendering, { responses }: OperationPage): Html => {
  if (responses.length === 0) return nothing
  return section(
    rendering.renderer.context.messages.openApi.responses,
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
          description.includes("\n") && rendering.markdown(description),
          renderMedia(rendering, response)
        )
      )
    })
  )
}

/** Renders code in tabs; without JavaScript, one below the other. */
const renderSamples = (renderer: Renderer, title: string, samples: ReadonlyArray<CodeSample>): Html => {
  if (samples.length === 0) return nothing
  const isColored = renderer.takeColors(samples.reduce((sum, { text }) => sum + text.length, 0))
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

const responseExamples = (
  document: OpenApiDocument,
  { responses, detail }: OperationPage
): ReadonlyArray<CodeSample> =>
  responses.flatMap(({ status, media: [first] }) => {
    const example = first === undefined ? undefined : bodyExample(document, first, detail)
    return example === undefined ? [] : [{ title: status, ...example }]
  })

/** Renders the method and the path of an operation, whose parameters are emphasized. */
const renderAddress = ({ method, path, isWebhook }: OperationPage, button: Html): Html =>
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
const renderCallbacks = (rendering: Rendering, { callbacks }: OperationPage): Html =>
  section(
    rendering.renderer.context.messages.openApi.callbacks,
    callbacks.map(({ name, page }) =>
      element(
        "details",
        { class: "response callback" },
        element(
          "summary",
          {},
          icon("chevron-right"),
          element("span", { class: `method method-${page.method.toLowerCase()}` }, page.method),
          element("code", {}, name)
        ),
        element(
          "div",
          { class: "response-body" },
          element("p", { class: "media-type" }, element("code", {}, page.path)),
          page.description !== "" && rendering.markdown(page.description),
          renderParameters(rendering, page),
          renderRequestBody(rendering, page),
          renderResponses(rendering, page)
        )
      )
    )
  )

/** States that the page does not have every detail, with a link to the document; nothing if it has. */
export const renderIncomplete = (
  renderer: Renderer,
  { isIncomplete }: OperationDetail,
  url: string | undefined
): Html => {
  if (!isIncomplete) return nothing
  const { openApi } = renderer.context.messages
  const href = url === undefined ? undefined : externalUrl(url)
  return element(
    "p",
    { class: "api-incomplete" },
    openApi.incomplete,
    href !== undefined && [" ", element("a", { href, rel: "noopener noreferrer" }, openApi.document)]
  )
}

/** Renders an operation. */
export const renderOperation = (
  place: OperationPlace,
  page: OperationPage,
  markdown: RenderMarkdown
): Html => {
  const { renderer, document, url, hasAllLanguages } = place
  const { openApi } = renderer.context.messages
  const samples = page.samples((request) => codeInLanguages(request, hasAllLanguages))
  const schemas = new SchemaRenderer(renderer, document, markdown, page.detail)
  const rendering: Rendering = { ...place, schemas, markdown }
  const { id, title, description } = page
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
    page.isDeprecated && element("p", {}, element("span", { class: "badge deprecated" }, openApi.deprecated)),
    description !== "" && element("div", { class: "api-description" }, markdown(description)),
    element(
      "div",
      { class: "api-columns" },
      element(
        "div",
        { class: "api-main" },
        renderAddress(page, renderTest(renderer, document, page)),
        renderSecurity(rendering, page),
        renderParameters(rendering, page),
        renderRequestBody(rendering, page),
        renderResponses(rendering, page),
        renderCallbacks(rendering, page)
      ),
      element(
        "div",
        { class: "api-aside" },
        renderSamples(renderer, openApi.request, samples),
        renderSamples(renderer, openApi.response, responseExamples(document, page))
      )
    ),
    renderIncomplete(renderer, page.detail, url)
  )
}
