/** What is served beside the operations: the OpenAPI document, the API reference, and whether the server is well. */
import { Records, users } from "@lectern/core"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { unknownMethod } from "./failures.ts"
import { type ApiRequest, type ApiResponse, json } from "./Message.ts"

/** Answers a request for a page; `undefined` where there is no such page. */
export type Pages = (request: ApiRequest) => Effect.Effect<ApiResponse | undefined>

/** How long the store has to answer before the server says that it is not ready. */
const patience = "2 seconds"

/** The reference is one page that loads nothing from elsewhere; it is made when it is first asked for. */
const renderReference = async (): Promise<string> => {
  const { handler, dispose } = HttpRouter.toWebHandler(
    HttpApiScalar.layer(Api, { path: "/docs", scalar: { withDefaultFonts: false } }).pipe(
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

/** The pages of a workspace whose addresses begin with `publicUrl`. */
export const make = Effect.fnUntraced(function* (publicUrl: string) {
  const records = yield* Records
  let document: string | undefined
  let reference: Promise<string> | undefined

  const isReady = Effect.suspend(() => records.first(users, {})).pipe(
    Effect.timeout(patience),
    Effect.match({ onSuccess: () => true, onFailure: () => false }),
    Effect.catchDefect(() => Effect.succeed(false))
  )

  const pages: Record<string, Effect.Effect<ApiResponse>> = {
    "/openapi.json": Effect.sync(() => {
      document ??= JSON.stringify({ ...OpenApi.fromApi(Api), servers: [{ url: publicUrl }] })
      return json(200, document)
    }),
    "/docs": Effect.promise(async () => {
      reference ??= renderReference()
      return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: await reference }
    }),
    "/healthz": Effect.sync(() => json(200, `{"status":"ok"}`)),
    "/readyz": Effect.map(isReady, (ready) =>
      ready ? json(200, `{"status":"ok"}`) : json(503, `{"status":"the database cannot be reached"}`)
    )
  }

  return (request: ApiRequest): Effect.Effect<ApiResponse | undefined> => {
    const [path] = request.url.split("?", 1)
    const page = Object.hasOwn(pages, path!) ? pages[path!] : undefined
    if (page === undefined) return Effect.succeed(undefined)
    return request.method === "GET" || request.method === "HEAD"
      ? page
      : Effect.succeed(unknownMethod(request.method, ["GET", "HEAD"]))
  }
})
