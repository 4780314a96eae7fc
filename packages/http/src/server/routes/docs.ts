/** The OpenAPI document, and the API reference that is rendered from it. */
import type { Api } from "@lectern/client"
import { PublicUrl } from "@lectern/core"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { etagOf, matchesEtag } from "../messages/etag.ts"
import { type ApiResponse, empty, json } from "../messages/Message.ts"
import type { Route } from "./Route.ts"

/** Renders the reference: one page that loads nothing from other servers. */
const renderReference = async (api: typeof Api): Promise<string> => {
  const { handler, dispose } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(api, { path: "/docs", scalar: { withDefaultFonts: false } }).pipe(
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true }
  )
  try {
    return await (await handler(new Request("http://localhost/docs"))).text()
  } finally {
    await dispose()
  }
}

/** What the reference may load: nothing but itself, and the API that it sends requests to. */
const contentSecurityPolicyOf = (publicUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    `connect-src 'self' ${URL.canParse(publicUrl) ? new URL(publicUrl).origin : ""}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'"
  ].join("; ")

/** A route whose response stays the same while the server runs: rendered on the first request, then cached. */
const cachedRoute = (render: () => Promise<ApiResponse & { readonly body: string }>): Route => {
  let cached: Promise<ApiResponse & { readonly etag: string }> | undefined
  return (request) =>
    Effect.promise(async () => {
      cached ??= render().then((page) => ({ ...page, etag: etagOf(page.body) }))
      const { status, headers, body, etag } = await cached
      const caching = { etag, "cache-control": "no-cache" }
      const expected = request.header("if-none-match")
      if (expected !== undefined && matchesEtag(expected, etag)) return empty(304, caching)
      return { status, headers: { ...headers, ...caching }, body }
    })
}

/** Creates the routes of the documentation of the API, by their paths. */
export const makeDocsRoutes = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const context = yield* Effect.context<never>()
  // Without a configured URL, the reference sends requests to the address that it was opened at.
  const isConfigured = Context.getOrUndefined(context, PublicUrl) !== undefined
  // Loaded on the first request: descriptions and examples are most of the document.
  const loadApi = async () => (await import("@lectern/client/openapi")).documentedApi
  const loadServedApi = async () => (await loadApi()).annotate(OpenApi.Servers, [{ url: publicUrl }])
  const routes: Readonly<Record<string, Route>> = {
    "/openapi.json": cachedRoute(async () => {
      const body = JSON.stringify(OpenApi.fromApi(await loadServedApi()))
      return { ...json(200, body), body }
    }),
    "/docs": cachedRoute(async () => ({
      status: 200,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": contentSecurityPolicyOf(publicUrl)
      },
      body: await renderReference(await (isConfigured ? loadServedApi() : loadApi()))
    }))
  }
  return routes
})
