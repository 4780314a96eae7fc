/** The client whose operations return promises. */

import { type Api, apiWithFeatures, type FeatureApi } from "@lectern/model/api"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type { CallOptions } from "./CallOptions.ts"
import { type ClientOptions, httpOptionsOf } from "./clientOptions.ts"
import { convertFailure, convertResponseFailure } from "./convertFailure.ts"
import type { PromiseClientWith } from "./PromiseClient.ts"
import { withConditions, withResponseListener } from "./requestConditions.ts"

/** Options of {@link createClient}. */
export interface CreateClientOptions<Features extends ReadonlyArray<FeatureApi> = readonly []>
  extends ClientOptions {
  /** The function that sends requests; `globalThis.fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
  /**
   * The groups of operations of the features of the server, whose methods the client has too. Throws a `TypeError` if one has the
   * name of another, or an operation of another.
   */
  readonly features?: Features
}

type Request = Readonly<Record<string, unknown>>
type EffectMethods = Readonly<Record<string, (request: Request) => Effect.Effect<unknown, unknown>>>
type PromiseMethod = (request?: Request, options?: CallOptions) => Promise<unknown>
type GroupId = keyof typeof Api.groups & string

/** The defaults of the parts of a request. Parts that an operation does not declare are ignored. */
const emptyRequest: Request = { params: {}, query: {}, payload: {} }

/** Runs an operation. Rejects with the error of the effect itself, without a wrapper. */
const runOperation = async (
  effect: Effect.Effect<unknown, unknown>,
  signal: AbortSignal | undefined
): Promise<unknown> => {
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (signal?.aborted === true && Cause.hasInterrupts(exit.cause)) throw signal.reason
  throw Cause.squash(exit.cause)
}

/**
 * Creates a client whose operations return promises, for browsers, Node, Bun, Deno and workers.
 *
 * An operation takes the parts of its request (`params`, `query`, `payload`) and {@link CallOptions}. It validates the request
 * before sending it, and rejects with a `ClientError`. Throws `InvalidInput` if `baseUrl` or `token` is malformed.
 *
 * @example
 * const client = createClient({ baseUrl: "https://docs.example.com", token })
 * const space = await client.spaces.getSpaceById({ params: { spaceId } })
 *
 * @example
 * const client = createClient({ baseUrl, token, features: [BookmarksApi] })
 * await client.bookmarks.addBookmark({ params: { spaceId }, payload: { title: "Handbook" } })
 */
export const createClient = <const Features extends ReadonlyArray<FeatureApi> = readonly []>({
  fetch,
  features,
  ...options
}: CreateClientOptions<Features>): PromiseClientWith<Features> => {
  const api = apiWithFeatures(features ?? [])
  const { baseUrl, transformClient } = Effect.runSync(httpOptionsOf(options))
  const httpClient = transformClient(
    Effect.runSync(Effect.provide(HttpClient.HttpClient, FetchHttpClient.layer))
  )

  // Spans would have no exporter here, and their headers cause CORS preflight requests.
  const withoutTracing = Context.make(HttpClient.TracerDisabledWhen, () => true)
  const context =
    fetch === undefined ? withoutTracing : Context.add(withoutTracing, FetchHttpClient.Fetch, fetch)

  const toPromise =
    (method: EffectMethods[string]): PromiseMethod =>
    (request, { signal, onResponse, ...conditions } = {}) =>
      runOperation(
        convertFailure(method({ ...emptyRequest, ...request })).pipe(
          withConditions(conditions),
          onResponse === undefined ? identity : withResponseListener(onResponse),
          Effect.provideContext(context)
        ),
        signal
      )

  const methodsOf = (group: GroupId): Readonly<Record<string, PromiseMethod>> => {
    const methods = Effect.runSync(
      HttpApiClient.group(api, {
        group,
        httpClient,
        baseUrl,
        transformResponse: convertResponseFailure
      })
    ) as unknown as EffectMethods
    return Object.fromEntries(Object.entries(methods).map(([id, method]) => [id, toPromise(method)]))
  }

  // Each group is compiled when it is first used: compiling all of them takes tens of milliseconds.
  const client = {}
  for (const group of Object.keys(api.groups) as ReadonlyArray<GroupId>) {
    Object.defineProperty(client, group, {
      configurable: true,
      enumerable: true,
      get: () => {
        const methods = methodsOf(group)
        Object.defineProperty(client, group, { enumerable: true, value: methods })
        return methods
      }
    })
  }
  return client as PromiseClientWith<Features>
}
