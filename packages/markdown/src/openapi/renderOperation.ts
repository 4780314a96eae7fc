/** Renders an operation of an API: its parameters, bodies and responses, with code samples and examples. */
import { type ApiBuilder, type ApiContent, isEmpty } from "./ApiBuilder.ts"
import {
  entriesOf,
  isObject,
  type Json,
  type OpenApiDocument,
  type Operation,
  textOf
} from "./OpenApiDocument.ts"
import { SchemaRenderer } from "./SchemaRenderer.ts"
import { type CodeSample, renderSamples, responseExamples } from "./samples.ts"

/** The parts of the display of an operation. */
interface Display<Node> {
  readonly builder: ApiBuilder<Node>
  readonly document: OpenApiDocument
  readonly schemas: SchemaRenderer<Node>
}

const section = <Node>(
  { element }: ApiBuilder<Node>,
  title: string,
  ...content: ReadonlyArray<ApiContent<Node>>
): ApiContent<Node> =>
  !isEmpty(content) &&
  element("div", { class: "api-section" }, element("p", { class: "api-label" }, title), content)

const renderSecurity = <Node>(
  { builder, document }: Display<Node>,
  { operation }: Operation
): ApiContent<Node> => {
  const { element, messages } = builder
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
      description !== "" && element("div", { class: "property-text" }, builder.markdown(description))
    )
  })
  return (
    items.length > 0 &&
    section(builder, messages.authorization, element("ul", { class: "properties" }, items))
  )
}

const renderParameters = <Node>(
  { builder, schemas }: Display<Node>,
  { parameters }: Operation
): ApiContent<Node> => {
  const { element, messages } = builder
  const titles = messages.parameters
  return (["path", "query", "header", "cookie", "formData"] as const).map((place) => {
    const some = parameters.filter((parameter) => parameter.in === place)
    if (some.length === 0) return undefined
    return section(
      builder,
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
}

const renderMedia = <Node>({ builder, schemas }: Display<Node>, content: Json): ApiContent<Node> => {
  const { element } = builder
  return entriesOf(content).map(
    ([type, media]) =>
      isObject(media) &&
      element(
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
  )
}

const renderResponses = <Node>(display: Display<Node>, { operation }: Operation): ApiContent<Node> => {
  const { builder, document } = display
  const { element, messages } = builder
  const responses = entriesOf(operation.responses).flatMap(([status, given]) => {
    const response = document.object(given)
    return response === undefined ? [] : [[status, response] as const]
  })
  return section(
    builder,
    messages.responses,
    responses.map(([status, response], index) => {
      const description = textOf(response.description)
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
          description.includes("\n") && builder.markdown(description),
          renderMedia(display, document.contentOf(response))
        )
      )
    })
  )
}

/** Renders the method and the path of an operation, whose parameters are emphasized. */
const renderAddress = <Node>(
  { element }: ApiBuilder<Node>,
  { method, path, isWebhook }: Operation,
  button: ApiContent<Node>
): ApiContent<Node> =>
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
const renderCallbacks = <Node>(display: Display<Node>, { operation }: Operation): ApiContent<Node> => {
  const { builder, document } = display
  const { element, messages } = builder
  return section(
    builder,
    messages.callbacks,
    document.callbacksOf(operation).map(([name, callback]) => {
      const description = textOf(callback.operation.description) || textOf(callback.operation.summary)
      const body = document.requestBodyOf(callback)
      return element(
        "details",
        { class: "response callback" },
        element(
          "summary",
          {},
          builder.chevron(),
          element("span", { class: `method method-${callback.method.toLowerCase()}` }, callback.method),
          element("code", {}, name)
        ),
        element(
          "div",
          { class: "response-body" },
          element("p", { class: "media-type" }, element("code", {}, callback.path)),
          description !== "" && builder.markdown(description),
          renderParameters(display, callback),
          body !== undefined &&
            section(builder, messages.parameters.body, renderMedia(display, body.content)),
          renderResponses(display, callback)
        )
      )
    })
  )
}

/** Returns the heading and the anchor of an operation. */
const namesOf = ({
  operation,
  method,
  path
}: Operation): { readonly title: string; readonly anchor: string } => {
  const id = textOf(operation.operationId)
  const address = `${method} ${path}`
  return {
    title: textOf(operation.summary) || id || address,
    anchor: (id || address)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-|-$/g, "")
  }
}

/** Options of {@link renderOperation}. */
export interface OperationOptions<Node> {
  /** The samples of the request. */
  readonly samples: ReadonlyArray<CodeSample>
  /** Whether the code has colors. */
  readonly isColored: boolean
  /** The button next to the path. */
  readonly button?: () => ApiContent<Node>
}

/** Renders an operation. */
export const renderOperation = <Node>(
  builder: ApiBuilder<Node>,
  document: OpenApiDocument,
  operation: Operation,
  { samples, isColored, button }: OperationOptions<Node>
): Node => {
  const { element, messages } = builder
  const display: Display<Node> = { builder, document, schemas: new SchemaRenderer(builder, document) }
  const { operation: json } = operation
  const { title, anchor } = namesOf(operation)
  const description = textOf(json.description)
  const body = document.requestBodyOf(operation)
  const about = textOf(body?.body.description)
  return element(
    "section",
    { class: "api-operation" },
    builder.heading(anchor, title),
    json.deprecated === true &&
      element("p", {}, element("span", { class: "badge deprecated" }, messages.deprecated)),
    description !== "" && element("div", { class: "api-description" }, builder.markdown(description)),
    element(
      "div",
      { class: "api-columns" },
      element(
        "div",
        { class: "api-main" },
        renderAddress(builder, operation, button?.()),
        renderSecurity(display, operation),
        renderParameters(display, operation),
        body !== undefined &&
          section(
            builder,
            messages.parameters.body,
            about !== "" && builder.markdown(about),
            renderMedia(display, body.content)
          ),
        renderResponses(display, operation),
        renderCallbacks(display, operation)
      ),
      element(
        "div",
        { class: "api-aside" },
        renderSamples(builder, messages.request, samples, isColored),
        renderSamples(builder, messages.response, responseExamples(document, operation), isColored)
      )
    )
  )
}
