/** Renders the API reference as one page that loads nothing from other servers. */
import type { Api } from "@lectern/client"
import { Context, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"

/** An example that the renderer omits from requests until it is enabled, and from code, which has one parameter per element. */
const disabledExample = { value: [], "x-disabled": true }

/** Hides the disabled examples in the description of the parameters. */
const hideDisabledExamples = `
    .property-heading:has([id*=".query."], [id*=".header."]) .property-example { display: none; }`

/**
 * The options of the renderer, Scalar. It offers only what belongs to the API: no developer tools, no link to an API
 * client of its vendor, no telemetry. An entered token is not stored, because published sites can have the same origin.
 */
const rendererOptions = {
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false,
  persistAuth: false,
  hideModels: true,
  authentication: { preferredSecurityScheme: "token" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "Lectern API reference" },
  customCss: `
    :root { --scalar-font: ui-sans-serif, system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
    a[href^="https://www.scalar.com"] { display: none !important; }
    /* Long examples scroll within their boxes. Without it, narrow screens scroll the whole page sideways. */
    html, body { overflow-x: clip; }${hideDisabledExamples}
  `
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Omits an optional parameter without a default from requests. The renderer would send it with an empty value. */
const omitOptional = (parameter: unknown): unknown =>
  isObject(parameter) &&
  parameter.required !== true &&
  parameter.example === undefined &&
  isObject(parameter.schema) &&
  !("default" in parameter.schema)
    ? { ...parameter, examples: { default: disabledExample, example: disabledExample } }
    : parameter

/**
 * Renames `example` of media types to `examples`. Both are valid, and the renderer displays only the latter in responses.
 */
const nameExamples = (document: Record<string, unknown>): Record<string, unknown> => {
  const visit = (value: unknown, isContent: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, false))
    if (!isObject(value)) return value
    if (isContent) {
      return Object.fromEntries(
        Object.entries(value).map(([mediaType, media]) => {
          if (!isObject(media) || !("example" in media)) return [mediaType, media]
          const { example, ...rest } = media
          return [mediaType, { ...rest, examples: { example: { value: example } } }]
        })
      )
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        key === "parameters" && Array.isArray(item) ? item.map(omitOptional) : visit(item, key === "content")
      ])
    )
  }
  return { ...document, paths: visit(document.paths, false) }
}

const withNamedExamples = (api: typeof Api): typeof Api => {
  const transform = Context.getOrUndefined(api.annotations, OpenApi.Transform)
  return api.annotate(OpenApi.Transform, (document) => nameExamples(transform?.(document) ?? document))
}

/** Renders the page. Colors follow the theme of the browser, and a button of the page changes them. */
export const renderReferencePage = async (api: typeof Api): Promise<string> => {
  const { handler, dispose } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(withNamedExamples(api), { path: "/docs", scalar: rendererOptions }).pipe(
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true }
  )
  try {
    const page = await (await handler(new Request("http://localhost/docs"))).text()
    return page.replace("<html>", '<html lang="en">')
  } finally {
    await dispose()
  }
}
