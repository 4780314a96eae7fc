/** Serves the API in the `HttpRouter` of an Effect application. */
import type { InvalidInput } from "@lectern/core"
import { Effect, Option, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { limitBytes, requireLength } from "./messages/byteStreams.ts"
import { BodyTooLarge, incompleteBody } from "./messages/failures.ts"
import { type ApiRequest, type ApiResponse, isStreamedBody } from "./messages/Message.ts"
import { requestIdOf } from "./messages/requestId.ts"
import { defaultBodyLimit, type HttpOptions, makeDispatcher, normalizePrefix } from "./Options.ts"
import { type ClientResolver, makeClientResolver } from "./proxies.ts"
import { type BaseUrlResolver, makeBaseUrlResolver } from "./requestBaseUrl.ts"

/** Streams a body of at most `limit` bytes. The bound of the host's server does not apply to it. */
const streamBody = (
  { headers, stream }: HttpServerRequest.HttpServerRequest,
  limit: number
): Stream.Stream<Uint8Array, BodyTooLarge | InvalidInput> => {
  const tooLarge = () => new BodyTooLarge({ limit })
  if (Number(headers["content-length"]) > limit) return Stream.fail(tooLarge())
  const unlimited = Stream.provideService(stream, HttpIncomingMessage.MaxBodySize, undefined)
  return limitBytes(
    Stream.mapError(unlimited, () => incompleteBody),
    limit,
    tooLarge
  )
}

/** The functions that complete requests of the router. */
interface Resolvers {
  readonly bodyLimit: number
  readonly client: ClientResolver
  readonly baseUrl: BaseUrlResolver
  readonly prefix: string
}

const toApiRequest = (
  request: HttpServerRequest.HttpServerRequest,
  { bodyLimit, client, baseUrl, prefix }: Resolvers
): ApiRequest => {
  const { headers, method, url } = request
  const header = (name: string) => headers[name]
  const peer = Option.getOrUndefined(request.remoteAddress)
  return {
    id: requestIdOf(headers["x-request-id"]),
    method,
    url,
    header,
    body: Effect.map(Stream.runCollect(streamBody(request, bodyLimit)), (chunks) => Buffer.concat(chunks)),
    streamBody: (limit) => streamBody(request, limit),
    remoteAddress: client(peer, header),
    baseUrl: baseUrl(peer, header, prefix)
  }
}

const toServerResponse = ({ status, headers, body }: ApiResponse): HttpServerResponse.HttpServerResponse => {
  if (body === undefined) return HttpServerResponse.empty({ status, headers })
  if (typeof body === "string") return HttpServerResponse.text(body, { status, headers })
  if (!isStreamedBody(body)) return HttpServerResponse.uint8Array(body, { status, headers })
  const { stream, length } = body
  return HttpServerResponse.stream(length === undefined ? stream : requireLength(stream, length), {
    status,
    headers,
    contentLength: length
  })
}

/**
 * Adds all routes of a workspace to the `HttpRouter` of an Effect application, under `prefix`. Requires the services of
 * `Workspace.layer`, with an `Authenticator`.
 *
 * The host's own middleware applies. Spans of requests are children of the host's; with `HttpMiddleware.xForwardedHeaders`,
 * the host determines the address of the client.
 *
 * @example
 * HttpRouter.serve(Layer.mergeAll(hostRoutes, layerHttpRouter({ prefix: "/docs-api" })))
 */
export const layerHttpRouter = <Services = never>(options: HttpOptions<Services> = {}) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const dispatch = yield* makeDispatcher(options)
      const { bodyLimit = defaultBodyLimit } = options
      const prefix = normalizePrefix(options)
      const resolvers: Resolvers = {
        bodyLimit,
        prefix,
        client: makeClientResolver(options.trustedProxies),
        baseUrl: makeBaseUrlResolver(options.trustedProxies, options.publicHosts)
      }
      const routes = prefix === "" ? router : router.prefixed(prefix)
      yield* routes.add("*", "/*", (request) =>
        Effect.map(dispatch(toApiRequest(request, resolvers)), toServerResponse)
      )
    })
  )
