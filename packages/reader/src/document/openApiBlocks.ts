/** Renders the blocks of OpenAPI: operations, webhooks and schemas; and pages that are computed from a spec. */
import type { ComputedSource, DocumentBlock } from "@lectern/core"
import {
  OpenApiDocument,
  type Operation,
  operationPageOf,
  renderOperation,
  renderSchema
} from "@lectern/markdown/openapi"
import { element, fragment, type Html, nothing } from "../html/Html.ts"
import { icon } from "../html/icons.ts"
import { externalUrl } from "../html/urls.ts"
import type { InlineMethod } from "./inlineMethods.ts"
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

/** Renders a schema; nothing if the page has as many operations and schemas as it may have. */
const renderOne = (
  renderer: Renderer,
  document: OpenApiDocument,
  schema: readonly [name: string, schema: unknown],
  url: string | undefined
): Html =>
  renderer.takeOperation() === undefined
    ? nothing
    : renderSchema(makeHtmlBuilder(renderer, url), document, schema, renderer.pageDetail)

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

/** Renders an operation; `undefined` if the page has as many as it may have. */
const renderAny = (
  renderer: Renderer,
  document: OpenApiDocument,
  operation: Operation,
  url?: string
): Html | undefined => {
  const taken = renderer.takeOperation()
  if (taken === undefined) return undefined
  const page = operationPageOf(document, operation, renderer.pageDetail)
  return renderOperation(makeHtmlBuilder(renderer, url), document, page, {
    generate: (request) => codeInLanguages(request, taken.hasAllLanguages),
    button: () => renderTest(renderer, document, page)
  })
}

/** Renders a method that the page describes by tags of its own. */
export const renderInlineMethod = (renderer: Renderer, { document, method, path }: InlineMethod): Html => {
  if (!renderer.allowsOpenApi) return nothing
  const parsed = new OpenApiDocument(document)
  const operation = parsed.operation(method, path)
  const rendered = operation === undefined ? undefined : renderAny(renderer, parsed, operation)
  return rendered ?? renderMissing(undefined, `${method.toUpperCase()} ${path}`)
}

/** Renders a block of OpenAPI. Without its document, it is a link or the name of the operation. */
export const renderOpenApiBlock = (renderer: Renderer, block: OpenApiBlock): Html => {
  if (!renderer.allowsOpenApi) return nothing
  const source = sourceOf(block)
  const document = renderer.context.openApi(source)
  const url = block.type === "swagger" ? source : block.data.url
  const operationOrMissing = (operation: Operation | undefined, label: string): Html => {
    const rendered =
      document === undefined || operation === undefined
        ? undefined
        : renderAny(renderer, document, operation, url)
    return rendered ?? renderMissing(url, label)
  }
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
      return fragment(
        document.schemas
          .filter(([name]) => requested.has(name))
          .map((schema) => renderOne(renderer, document, schema, url))
      )
    }
  }
}

/** Whether a computed page is rendered from its spec, if the document is available. */
export const isRenderedFromSpec = ({ props }: Pick<ComputedSource, "props">): boolean =>
  props.doc === "models" || (props.doc !== undefined && props.doc !== "info" && props.page !== undefined)

/**
 * The parts of a page that is computed from a spec: the operations of a tag, or all schemas. They are rendered in this order.
 * Returns `undefined` if the document is not available; the page then has its generated Markdown.
 */
export const computedPageParts = (
  renderer: Renderer,
  { dependencies, props }: ComputedSource
): ReadonlyArray<() => Html> | undefined => {
  const document = renderer.context.openApi(dependencies.spec.ref.spec)
  if (document === undefined || !isRenderedFromSpec({ props })) return undefined
  if (props.doc === "models") {
    return document.schemas.map((schema) => () => renderOne(renderer, document, schema, document.url))
  }
  return (document.operationsByTag.get(props.page ?? "") ?? []).map(
    (operation) => () => renderAny(renderer, document, operation, document.url) ?? nothing
  )
}
