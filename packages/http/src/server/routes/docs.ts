/** Serves the OpenAPI document, and the API reference that is rendered from it. */
import type { FeatureApi } from "@lectern/client"
import { PublicUrl } from "@lectern/core"
import { Context, Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { etagOf, matchesEtag } from "../messages/etag.ts"
import { emptyResponse } from "../messages/Message.ts"
import type { Route } from "./Route.ts"
import { renderReferencePage } from "./referencePage.ts"

/** The path of the API reference. */
export const docsPath = "/docs"

/** Returns the policy of the reference: it loads no other resources, and sends requests only to the API. */
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

/** Returns the property of the OpenAPI document that names its server. */
const serversOf = (url: string): string => `"servers":[${JSON.stringify({ url })}]`

/** A rendered document. */
interface Rendered {
  readonly headers: Record<string, string>
  readonly body: string
}

/** Creates a route whose response is rendered on the first request, and then cached while the server runs. */
const cachedRoute = (
  render: () => Promise<Rendered>,
  adapt?: (body: string, base: string) => string
): Route => {
  let cached: Promise<Rendered & { readonly etag: string; readonly bytes: Uint8Array }> | undefined
  return (request) =>
    Effect.promise(async () => {
      const base = adapt === undefined ? undefined : request.baseUrl
      cached ??= render().then((page) => ({
        ...page,
        etag: etagOf(page.body),
        bytes: Buffer.from(page.body)
      }))
      const { headers, body, bytes, etag } = await cached
      if (base !== undefined) {
        // Every host has a document of its own, which shared caches could confuse.
        return {
          status: 200,
          headers: { ...headers, "cache-control": "private, no-cache" },
          body: adapt!(body, base)
        }
      }
      const caching = { etag, "cache-control": "no-cache" }
      const cachedTag = request.header("if-none-match")
      if (cachedTag !== undefined && matchesEtag(cachedTag, etag)) return emptyResponse(304, caching)
      return { status: 200, headers: { ...headers, ...caching }, body: bytes, isStatic: true }
    })
}

/**
 * Creates the routes `/openapi.json` and `/docs`, by their paths. `hasPublicHosts` is whether the base URL depends on the
 * request: the reference then sends requests to the origin that it was loaded from. The document has the operations of `features`.
 */
export const makeDocsRoutes = Effect.fnUntraced(function* (
  hasPublicHosts: boolean,
  features: ReadonlyArray<FeatureApi>
) {
  const publicUrl = yield* PublicUrl
  const context = yield* Effect.context<never>()
  // Without a configured URL, the reference sends requests to the origin that it was loaded from.
  const isConfigured = !hasPublicHosts && Context.getOrUndefined(context, PublicUrl) !== undefined
  // Loaded on the first request: descriptions and examples are most of the document.
  const loadApi = async () => (await import("@lectern/model/openapi")).documentedApiWith(features)
  const loadServedApi = async () => (await loadApi()).annotate(OpenApi.Servers, [{ url: publicUrl }])
  const routes: Readonly<Record<string, Route>> = {
    "/openapi.json": cachedRoute(
      async () => ({
        headers: { "content-type": "application/json" },
        body: JSON.stringify(OpenApi.fromApi(await loadServedApi()))
      }),
      (body, base) => body.replace(serversOf(publicUrl), () => serversOf(base))
    ),
    [docsPath]: cachedRoute(async () => ({
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": contentSecurityPolicyOf(publicUrl)
      },
      body: await renderReferencePage(await (isConfigured ? loadServedApi() : loadApi()))
    }))
  }
  return routes
})
