/** Renders an operation of an API: its parameters, bodies and responses, with code samples and examples. */
import { type ApiBuilder, type ApiContent, isEmpty } from "./ApiBuilder.ts"
import type { CodeSample } from "./codeSamples.ts"
import type { Body, OpenApiDocument } from "./OpenApiDocument.ts"
import { bodyExample, type GenerateSamples, type OperationPage } from "./OperationPage.ts"
import { textOf } from "./openApiReferences.ts"
import type { OperationDetail } from "./PageDetail.ts"
import { renderDescription, renderIncomplete } from "./renderDescription.ts"
import { renderSamples } from "./renderSamples.ts"
import { SchemaRenderer } from "./SchemaRenderer.ts"
import { typeOf } from "./schemas.ts"

/** The builder and the state of the parts of an operation. */
interface Display<Node> {
  readonly builder: ApiBuilder<Node>
  readonly document: OpenApiDocument
  readonly schemas: SchemaRenderer<Node>
  readonly detail: OperationDetail
}

const section = <Node>(
  { element }: ApiBuilder<Node>,
  title: string,
  ...content: ReadonlyArray<ApiContent<Node>>
): ApiContent<Node> =>
  !isEmpty(content) &&
  element("div", { class: "api-section" }, element("p", { class: "api-label" }, title), content)

const renderSecurity = <Node>(
  builder: ApiBuilder<Node>,
  { schemes, detail }: OperationPage
): ApiContent<Node> => {
  const { element, messages } = builder
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
      description !== "" &&
        element("div", { class: "property-text" }, renderDescription(builder, detail, description))
    )
  })
  return (
    items.length > 0 &&
    section(builder, messages.authorization, element("ul", { class: "properties" }, items))
  )
}

const renderParameters = <Node>(
  { builder, schemas }: Display<Node>,
  { parameters }: OperationPage
): ApiContent<Node> => {
  const { element, messages } = builder
  return (["path", "query", "header", "cookie"] as const).map((place) => {
    const items = parameters
      .filter((parameter) => parameter.place === place)
      .map(({ name, schema, isRequired, description }) =>
        schemas.renderProperty(name, schema, isRequired, description, 0, [])
      )
    return (
      items.length > 0 &&
      section(builder, messages.parameters[place], element("ul", { class: "properties" }, items))
    )
  })
}

const renderMedia = <Node>(
  { builder: { element }, document, schemas, detail }: Display<Node>,
  { media }: Body
): ApiContent<Node> =>
  media.map(({ type, definition }) => {
    // Many responses can have the same list of media types.
    if (!detail.takeProperty(0, type.length)) return undefined
    return element(
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
  })

const renderRequestBody = <Node>(
  display: Display<Node>,
  { body, detail }: OperationPage
): ApiContent<Node> => {
  const { builder } = display
  return (
    body !== undefined &&
    section(
      builder,
      builder.messages.parameters.body,
      body.description !== "" && renderDescription(builder, detail, body.description),
      renderMedia(display, body)
    )
  )
}

const renderResponses = <Node>(
  display: Display<Node>,
  { responses, detail }: OperationPage
): ApiContent<Node> => {
  const { builder } = display
  const { element, messages } = builder
  return section(
    builder,
    messages.responses,
    responses.map((response, index) => {
      const { status, description } = response
      const kind = /^[1-5]/.exec(status)?.[0] ?? "0"
      return element(
        "details",
        { class: "response", open: index === 0 },
        element(
          "summary",
          {},
          builder.chevron(),
          element("span", { class: `status status-${kind}` }, status),
          element("span", { class: "response-text" }, description.split("\n", 1)[0]!.slice(0, 200))
        ),
        element(
          "div",
          { class: "response-body" },
          description.includes("\n") && renderDescription(builder, detail, description),
          renderMedia(display, response)
        )
      )
    })
  )
}

const responseExamples = <Node>(
  { document }: Display<Node>,
  { responses, detail }: OperationPage
): ReadonlyArray<CodeSample> =>
  responses.flatMap(({ status, media: [first] }) => {
    const example = first === undefined ? undefined : bodyExample(document, first, detail)
    return example === undefined ? [] : [{ title: status, ...example }]
  })

/** Renders the method and the path of an operation, whose parameters are emphasized. */
const renderAddress = <Node>(
  { element }: ApiBuilder<Node>,
  { method, path, isWebhook }: OperationPage,
  button: ApiContent<Node>
): Node =>
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
const renderCallbacks = <Node>(display: Display<Node>, { callbacks }: OperationPage): ApiContent<Node> => {
  const { builder } = display
  const { element, messages } = builder
  return section(
    builder,
    messages.callbacks,
    callbacks.map(({ name, page }) =>
      element(
        "details",
        { class: "response callback" },
        element(
          "summary",
          {},
          builder.chevron(),
          element("span", { class: `method method-${page.method.toLowerCase()}` }, page.method),
          element("code", {}, name)
        ),
        element(
          "div",
          { class: "response-body" },
          element("p", { class: "media-type" }, element("code", {}, page.path)),
          page.description !== "" && renderDescription(builder, page.detail, page.description),
          renderParameters(display, page),
          renderRequestBody(display, page),
          renderResponses(display, page)
        )
      )
    )
  )
}

/** Options of {@link renderOperation}. */
export interface OperationOptions<Node> {
  /** Generates the samples of its request. */
  readonly generate?: GenerateSamples
  /** Creates the button next to the path. */
  readonly button?: () => ApiContent<Node>
}

/** Renders an operation. */
export const renderOperation = <Node>(
  builder: ApiBuilder<Node>,
  document: OpenApiDocument,
  page: OperationPage,
  { generate, button }: OperationOptions<Node> = {}
): Node => {
  const { element, messages } = builder
  const samples = page.samples(generate)
  const display: Display<Node> = {
    builder,
    document,
    schemas: new SchemaRenderer(builder, document, page.detail),
    detail: page.detail
  }
  const { id, title, description, detail } = page
  const anchor = id
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
  return element(
    "section",
    { class: "api-operation" },
    builder.heading(anchor, title),
    page.isDeprecated &&
      element("p", {}, element("span", { class: "badge deprecated" }, messages.deprecated)),
    description !== "" &&
      element("div", { class: "api-description" }, renderDescription(builder, detail, description)),
    element(
      "div",
      { class: "api-columns" },
      element(
        "div",
        { class: "api-main" },
        renderAddress(builder, page, button?.()),
        renderSecurity(builder, page),
        renderParameters(display, page),
        renderRequestBody(display, page),
        renderResponses(display, page),
        renderCallbacks(display, page)
      ),
      element(
        "div",
        { class: "api-aside" },
        renderSamples(builder, messages.request, samples),
        renderSamples(builder, messages.response, responseExamples(display, page))
      )
    ),
    renderIncomplete(builder, detail)
  )
}
