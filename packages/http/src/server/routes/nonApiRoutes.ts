/** What is served beside the operations: files, images of integrations, documents of specs, PDFs, single sign-on, the OpenAPI document, the API reference, whether the server is well. */

import { Api } from "@lectern/client"
import {
  assetsPath,
  downloadsPath,
  PublicUrl,
  pdfsPath,
  Records,
  specsPath,
  ssoPath,
  users
} from "@lectern/core"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import * as SingleSignOn from "../../saml/loginRoutes.ts"
import * as ETag from "../etag.ts"
import { unknownMethod } from "../failures.ts"
import { type ApiRequest, type ApiResponse, empty, json } from "../Message.ts"
import * as Downloads from "./fileDownloads.ts"
import * as IntegrationImages from "./integrationImages.ts"
import * as PdfDownloads from "./pdfDownloads.ts"
import * as SpecDocuments from "./specDocuments.ts"

/** Answers a request for a page; `undefined` where there is no such page. */
export type Pages = (request: ApiRequest) => Effect.Effect<ApiResponse | undefined>

/** How long the store has to answer before the server says that it is not ready. */
const patience = "2 seconds"

/** The reference is one page that loads nothing from elsewhere; it is made when it is first asked for. */
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

/** What the reference may load: nothing but itself, and the API that it tries operations on. */
const policyOf = (publicUrl: string): string =>
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

type Page = (request: ApiRequest) => Effect.Effect<ApiResponse>

/** A page that stays as it is while the server runs: made when it is first asked for, and sent once to each client. */
const once = (make: () => Promise<ApiResponse & { readonly body: string }>): Page => {
  let made: Promise<ApiResponse & { readonly etag: string }> | undefined
  return (request) =>
    Effect.promise(async () => {
      made ??= make().then((page) => ({ ...page, etag: ETag.tagOf(page.body) }))
      const { status, headers, body, etag } = await made
      const cached = { etag, "cache-control": "no-cache" }
      const known = request.header("if-none-match")
      if (known !== undefined && ETag.names(known, etag)) return empty(304, cached)
      return { status, headers: { ...headers, ...cached }, body }
    })
}

/** The pages of a workspace. */
export const make = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const records = yield* Records
  const context = yield* Effect.context<never>()
  // Where nobody says by which address it is reached, the reference takes the one that it was opened by.
  const isGiven = Context.getOrUndefined(context, PublicUrl) !== undefined
  const served = Api.annotate(OpenApi.Servers, [{ url: publicUrl }])
  const document = once(async () => {
    const body = JSON.stringify(OpenApi.fromApi(served))
    return { ...json(200, body), body }
  })
  const reference = once(async () => ({
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policyOf(publicUrl) },
    body: await renderReference(isGiven ? served : Api)
  }))

  const downloads = yield* Downloads.make
  const integrationImages = yield* IntegrationImages.make
  const specDocuments = yield* SpecDocuments.make
  const pdfDownloads = yield* PdfDownloads.make
  const singleSignOn = yield* SingleSignOn.make

  const isReady = Effect.suspend(() => records.first(users, {})).pipe(
    Effect.timeout(patience),
    Effect.match({ onSuccess: () => true, onFailure: () => false }),
    Effect.catchDefect(() => Effect.succeed(false))
  )

  const pages: Record<string, Page> = {
    "/openapi.json": document,
    "/docs": reference,
    "/healthz": () => Effect.sync(() => json(200, `{"status":"ok"}`)),
    "/readyz": () =>
      Effect.map(isReady, (ready) =>
        ready ? json(200, `{"status":"ok"}`) : json(503, `{"status":"the database cannot be reached"}`)
      )
  }

  /** Whatever is below these paths. */
  const below: ReadonlyArray<readonly [prefix: string, page: Page]> = [
    [downloadsPath, downloads],
    [assetsPath, integrationImages],
    [specsPath, specDocuments],
    [pdfsPath, pdfDownloads]
  ]

  return (request: ApiRequest): Effect.Effect<ApiResponse | undefined> => {
    const [path] = request.url.split("?", 1)
    if (path!.startsWith(ssoPath)) return singleSignOn(request)
    const page = Object.hasOwn(pages, path!)
      ? pages[path!]
      : below.find(([prefix]) => path!.startsWith(prefix))?.[1]
    if (page === undefined) return Effect.succeed(undefined)
    return request.method === "GET" || request.method === "HEAD"
      ? page(request)
      : Effect.succeed(unknownMethod(request.method, ["GET", "HEAD"]))
  }
})
