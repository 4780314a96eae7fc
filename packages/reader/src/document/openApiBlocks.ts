/** Renders the blocks of OpenAPI: operations, webhooks and schemas; and pages that are computed from a spec. */
import type { ComputedSource, DocumentBlock } from "@lectern/core"
import {
  type OpenApiDocument,
  type Operation,
  operationPageOf,
  renderOperation,
  renderSchemas
} from "@lectern/markdown/openapi"
import { element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { externalUrl } from "../html/urls.ts"
import { makeHtmlBuilder } from "./openApiBuilder.ts"
import { codeInLanguages } from "./openApiCodeSamples.ts"
import { renderTest } from "./openApiTests.ts"
import type { Renderer } from "./Renderer.ts"

/** A block that displays a part of an OpenAPI document. */
export type OpenApiBlock =
  | DocumentBlock.Swagger
  | DocumentBlock.OpenApiOperation
  | DocumentBlock.OpenApiWebhook
  | DocumentBlock.OpenApiSchemas

/** The maximum number of operations and schemas on one page. */
const maximumOperations = 200

const renderSomeSchemas = (
  renderer: Renderer,
  document: OpenApiDocument,
  schemas: ReadonlyArray<readonly [name: string, schema: unknown]>
): Html => fragment(renderSchemas(makeHtmlBuilder(renderer), document, schemas.slice(0, maximumOperations)))

const renderOne = (renderer: Renderer, document: OpenApiDocument, operation: Operation): Html => {
  const { hasAllLanguages, isColored } = renderer.takeOperation()
  const page = operationPageOf(document, operation)
  return renderOperation(makeHtmlBuilder(renderer), document, page, {
    generate: (request) => codeInLanguages(request, hasAllLanguages),
    isColored,
    button: () => renderTest(renderer, document, page)
  })
}

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
      : renderOne(renderer, document, operation)
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
      return renderSomeSchemas(
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
  if (props.doc === "models") return renderSomeSchemas(renderer, document, document.schemas)
  if (props.doc === "info" || props.page === undefined) return undefined
  const operations = document.operationsByTag.get(props.page) ?? []
  if (operations.length === 0) return nothing
  return fragment(
    operations.slice(0, maximumOperations).map((operation) => renderOne(renderer, document, operation))
  )
}
