/** Renders the blocks of OpenAPI: operations, webhooks and schemas; and pages that are computed from a spec. */
import type { ComputedSource, DocumentBlock } from "@lectern/core"
import { boundedFromMarkdown } from "@lectern/formats/threads"
import {
  type ApiBuilder,
  type OpenApiDocument,
  type Operation,
  renderOperation,
  renderSchemas
} from "@lectern/markdown/openapi"
import { element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { externalUrl } from "../html/urls.ts"
import { renderBlocks } from "./blocks.ts"
import { renderCode } from "./code.ts"
import { codeSamplesOf } from "./openApiCodeSamples.ts"
import { renderTest } from "./openApiTests.ts"
import type { Renderer } from "./Renderer.ts"

/** A block that displays a part of an OpenAPI document. */
export type OpenApiBlock =
  | DocumentBlock.Swagger
  | DocumentBlock.OpenApiOperation
  | DocumentBlock.OpenApiWebhook
  | DocumentBlock.OpenApiSchemas

/** The maximum length of a description, in characters. */
const maximumDescriptionLength = 20_000

/** Matches text without any markup, which needs no parser. */
const plainText = /^[\p{L}\p{N} ,.;'"()/?\u2013\u2014-]*$/u

/**
 * Renders the Markdown of descriptions. Their headings would not fit the outline of the page, so that they are paragraphs,
 * and their blocks of OpenAPI are omitted, because these could contain themselves.
 */
const markdownRenderer =
  (renderer: Renderer) =>
  (markdown: string): Html => {
    const text = markdown.slice(0, maximumDescriptionLength)
    if (plainText.test(text) || !renderer.takeMarkdown(text.length)) return element("p", {}, text)
    return renderer.withoutOpenApi(() =>
      renderBlocks(
        renderer,
        boundedFromMarkdown(text).nodes.map((block) =>
          block.type === "heading-1" || block.type === "heading-2" || block.type === "heading-3"
            ? { object: "block", type: "paragraph", nodes: block.nodes }
            : block
        )
      )
    )
  }

/** The maximum number of operations and schemas on one page. */
const maximumOperations = 200

/** Creates the HTML of displays of APIs. */
const builderOf = (renderer: Renderer): ApiBuilder<Html> => {
  const renderMarkdown = markdownRenderer(renderer)
  return {
    messages: renderer.context.messages.openApi,
    element,
    chevron: () => icon("chevron-right"),
    heading: (id, title) => renderer.heading(2, id, title, title),
    markdown: (text) => {
      const html = renderMarkdown(text)
      return html.text !== "" && html
    },
    code: (text, syntax) => renderCode(renderer, { text, syntax }),
    componentId: (kind) => renderer.componentId(kind)
  }
}

const operationHtml = (renderer: Renderer, document: OpenApiDocument, operation: Operation): Html => {
  const { hasAllLanguages, isColored } = renderer.takeOperation()
  return renderOperation(builderOf(renderer), document, operation, {
    samples: codeSamplesOf(document, operation, hasAllLanguages),
    isColored,
    button: () => renderTest(renderer, document, operation)
  })
}

const schemasHtml = (
  renderer: Renderer,
  document: OpenApiDocument,
  schemas: ReadonlyArray<readonly [name: string, schema: unknown]>
): Html => fragment(renderSchemas(builderOf(renderer), document, schemas.slice(0, maximumOperations)))

const renderMissing = (url: string | undefined, label: string): Html => {
  const href = url === undefined ? undefined : externalUrl(url)
  return href === undefined
    ? element("p", { class: "api-missing" }, element("code", {}, label))
    : element(
        "a",
        { class: "link-card", href, rel: "noopener noreferrer" },
        element("span", { class: "link-card-icon" }, icon("code")),
        element("span", { class: "link-card-text" }, element("span", { class: "link-card-title" }, label))
      )
}

/** Returns the source of the document of a block, which names it in the context: the slug of a spec or a URL. */
const sourceOf = (block: OpenApiBlock): string => {
  if (block.type !== "swagger") return block.data.ref.spec
  const { ref } = block.data
  return ref.kind === "file" ? `/files/${ref.file}` : ref.url
}

/** Renders a block of OpenAPI. Without its document, it is a link or the name of the operation. */
export const renderOpenApiBlock = (renderer: Renderer, block: OpenApiBlock): Html => {
  if (!renderer.allowsOpenApi) return nothing
  const source = sourceOf(block)
  const document = renderer.context.openApi(source)
  const url = block.type === "swagger" ? source : block.data.url
  const operationOrMissing = (operation: Operation | undefined, label: string): Html =>
    document === undefined || operation === undefined
      ? renderMissing(url, label)
      : operationHtml(renderer, document, operation)
  switch (block.type) {
    case "swagger":
    case "openapi-operation": {
      const { method, path } = block.data
      return operationOrMissing(document?.operation(method, path), `${method.toUpperCase()} ${path}`)
    }
    case "openapi-webhook": {
      const { method, name } = block.data
      return operationOrMissing(document?.webhook(name, method), `${method.toUpperCase()} ${name}`)
    }
    case "openapi-schemas": {
      const requested = new Set(block.data.schemas)
      if (document === undefined) return renderMissing(url, [...requested].join(", "))
      return schemasHtml(
        renderer,
        document,
        document.schemas.filter(([name]) => requested.has(name))
      )
    }
  }
}

/**
 * Renders a page that is computed from a spec: the operations of a tag, or all schemas. Returns `undefined` if the document is
 * not available; the page then has its generated Markdown.
 */
export const renderComputedPage = (
  renderer: Renderer,
  { dependencies, props }: ComputedSource
): Html | undefined => {
  const document = renderer.context.openApi(dependencies.spec.ref.spec)
  if (document === undefined || props.doc === undefined) return undefined
  if (props.doc === "models") return schemasHtml(renderer, document, document.schemas)
  if (props.doc === "info" || props.page === undefined) return undefined
  const tagged = document.operationsWithTag(props.page)
  // Operations without a tag are on a page of their own, whose name is not a tag.
  const operations = tagged.length > 0 ? tagged : document.operationsWithTag(undefined)
  if (operations.length === 0) return nothing
  return fragment(
    operations.slice(0, maximumOperations).map((operation) => operationHtml(renderer, document, operation))
  )
}
