/** The client whose operations are Effects. */

import { type Api, apiWithFeatures, type FeatureApi } from "@lectern/model/api"
import type { InvalidInput } from "@lectern/model/errors"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { type ClientOptions, httpOptionsOf } from "./clientOptions.ts"

/** The operations of the API by group and id, as Effects. */
export interface EffectClient extends HttpApiClient.ForApi<typeof Api> {}

/** The operations of the API and of a host's features by group and id, as Effects. */
export type EffectClientWith<Features extends ReadonlyArray<FeatureApi>> = EffectClient &
  HttpApiClient.ForApi<HttpApi.HttpApi<"lectern", Features[number]>>

/** Options of {@link makeClient}. */
export interface EffectClientOptions<Features extends ReadonlyArray<FeatureApi> = readonly []>
  extends ClientOptions {
  /** The groups of operations of the features of the server: see `CreateClientOptions.features`. */
  readonly features?: Features
}

/**
 * Creates a client whose operations are Effects. They fail with the errors that they declare, with `HttpClientError` if no
 * declared response arrives, and with `SchemaError` if a request or a response does not match its schema.
 *
 * The `HttpClient` of the context sends the requests: `FetchHttpClient.layer` runs in browsers and in Node. Fails with
 * `InvalidInput` if `baseUrl` or `token` is malformed.
 *
 * @example
 * const program = Effect.gen(function* () {
 *   const client = yield* makeClient({ baseUrl: "https://docs.example.com", token })
 *   return yield* client.users.getAuthenticatedUser()
 * }).pipe(Effect.provide(FetchHttpClient.layer))
 */
export const makeClient = <const Features extends ReadonlyArray<FeatureApi> = readonly []>({
  features,
  ...options
}: EffectClientOptions<Features>): Effect.Effect<
  EffectClientWith<Features>,
  InvalidInput,
  HttpClient.HttpClient
> =>
  Effect.flatMap(httpOptionsOf(options), (httpOptions) =>
    HttpApiClient.make(apiWithFeatures(features ?? []), httpOptions)
  ) as Effect.Effect<EffectClientWith<Features>, InvalidInput, HttpClient.HttpClient>
