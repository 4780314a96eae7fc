/**
 * Serves the operations of the API with `HttpApiBuilder` and Effect's Node server, for the comparison with Lectern's
 * dispatcher. Handlers return their results as encoded JSON, with the same headers and tags, so that the two servers do the
 * same work. Run with `node builder.ts sqlite|postgres <database> <port>`.
 */
import "effect/schema/SchemaJITCompiler/enable"
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Api } from "@lectern/client"
import { Authenticator, CurrentUser, Workspace } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { operations } from "../packages/http/src/handlers/operations.ts"
import type { DecodedRequest, ServedOperation } from "../packages/http/src/handlers/shared/Handlers.ts"
import { encode } from "../packages/http/src/server/encode.ts"
import { requestIdOf } from "../packages/http/src/server/messages/requestId.ts"

const [dialect, database = "", port] = process.argv.slice(2)

type Handler = (
  request: DecodedRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, unknown, HttpServerRequest.HttpServerRequest>

/** The handlers of any group. The builder's own type has the endpoints of one group, and this server iterates over all. */
interface Handlers {
  readonly handle: (endpoint: string, handler: Handler) => Handlers
}
const implementGroup = HttpApiBuilder.group as unknown as (
  api: typeof Api,
  group: string,
  build: (handlers: Handlers) => Handlers
) => Layer.Layer<HttpApiGroup.ToService<"lectern", (typeof Api.groups)[keyof typeof Api.groups]>>

const serveOperation = (authenticator: Authenticator["Service"], operation: ServedOperation): Handler =>
  Effect.fnUntraced(function* (decoded) {
    const { headers, method, url } = yield* HttpServerRequest.HttpServerRequest
    const token = /^bearer +([\x21-\x7e]{1,4096})$/i.exec(headers.authorization ?? "")?.[1]
    const user = yield* authenticator.authenticate({
      token: token === undefined ? undefined : Redacted.make(token),
      header: (name) => headers[name.toLowerCase()],
      method,
      url
    })
    const value = yield* Effect.provideService(operation.handle(decoded), CurrentUser, user)
    const encoded = encode(value)
    const responseHeaders: Record<string, string> = {
      "cache-control": "private, no-cache",
      "content-type": "application/json",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-request-id": requestIdOf(headers["x-request-id"])
    }
    // Only single resources have a tag.
    if (typeof value === "object" && value !== null && !("items" in value))
      responseHeaders.etag = encoded.etag()
    return typeof encoded.body === "string"
      ? HttpServerResponse.text(encoded.body, { headers: responseHeaders })
      : HttpServerResponse.uint8Array(encoded.body, { headers: responseHeaders })
  })

const groups = Layer.unwrap(
  Effect.gen(function* () {
    const authenticator = yield* Authenticator
    const served = yield* operations
    const byEndpoint = new Map(served.map((operation) => [operation.endpoint.identifier, operation]))
    const layers = Object.values(Api.groups).map(({ identifier, endpoints }) =>
      implementGroup(Api, identifier, (handlers) =>
        Object.keys(endpoints).reduce(
          (all, endpoint) => all.handle(endpoint, serveOperation(authenticator, byEndpoint.get(endpoint)!)),
          handlers
        )
      )
    )
    return layers.reduce((all, layer) => Layer.merge(all, layer))
  })
)

const storage =
  dialect === "sqlite"
    ? SqliteStorage.layer({ filename: database })
    : PgStorage.layer({ url: Redacted.make(database) })

HttpRouter.serve(HttpApiBuilder.layer(Api).pipe(Layer.provide(groups)), {
  disableLogger: true,
  disableListenLog: true
}).pipe(
  Layer.provide(NodeHttpServer.layer(createServer, { port: Number(port), host: "127.0.0.1" })),
  Layer.provide(Workspace.layer.pipe(Layer.provide(storage))),
  // Like `lectern serve`, which exports no spans.
  Layer.provide(Layer.succeed(References.TracerEnabled, false)),
  Layer.launch,
  NodeRuntime.runMain
)
