/** Preconditions and idempotency keys of requests, for both clients. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import type { RequestConditions, ResponseDetails } from "./CallOptions.ts"

const CurrentConditions = Context.Reference<RequestConditions>("@lectern/client/RequestConditions", {
  defaultValue: () => ({})
})

const ResponseListener = Context.Reference<((details: ResponseDetails) => void) | undefined>(
  "@lectern/client/ResponseListener",
  { defaultValue: () => undefined }
)

/**
 * Sends the requests of an effect with conditions.
 *
 * @example
 * client.spaces.createSpace({ params, payload }).pipe(withConditions({ idempotencyKey: crypto.randomUUID() }))
 */
export const withConditions =
  (conditions: RequestConditions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, CurrentConditions, conditions)

/** Calls a function with the details of each response to a request of an effect. */
export const withResponseListener =
  (listener: (details: ResponseDetails) => void) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, ResponseListener, listener)

const headersOf = ({ idempotencyKey, ifMatch, ifNoneMatch }: RequestConditions): Record<string, string> => ({
  ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
  ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch })
})

const detailsOf = ({ status, headers }: HttpClientResponse.HttpClientResponse): ResponseDetails => ({
  status,
  etag: headers.etag,
  isReplayed: headers["idempotent-replayed"] === "true"
})

/** Sends the conditions of the calling fiber with each request, and reports each response to its listener. */
export const sendConditions = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  client.pipe(
    HttpClient.mapRequestEffect((request) =>
      Effect.withFiber((fiber) =>
        Effect.succeed(HttpClientRequest.setHeaders(request, headersOf(fiber.getRef(CurrentConditions))))
      )
    ),
    HttpClient.tap((response) =>
      Effect.withFiber((fiber) => Effect.sync(() => fiber.getRef(ResponseListener)?.(detailsOf(response))))
    )
  )
