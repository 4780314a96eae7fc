/** What every client is configured with. */

import { InvalidInput } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

/** The server that a client calls, and the user that it calls it for. */
export interface ClientOptions {
  /** The absolute http or https URL that the API is served under, without `/v1`, as in `https://docs.example.com`. */
  readonly baseUrl: string
  /** The API token of the user: 1 to 4,096 visible ASCII characters. */
  readonly token: string | Redacted.Redacted<string>
}

const tokenPattern = /^[\x21-\x7e]{1,4096}$/

const isHttpUrl = (url: string): boolean =>
  URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol)

/** Validates the options of a client. Returns what `HttpApiClient` is built with, or `InvalidInput`. */
export const httpOptionsOf = ({
  baseUrl,
  token
}: ClientOptions): Effect.Effect<
  {
    readonly baseUrl: string
    readonly transformClient: (client: HttpClient.HttpClient) => HttpClient.HttpClient
  },
  InvalidInput
> => {
  if (!isHttpUrl(baseUrl)) {
    return Effect.fail(InvalidInput.at("baseUrl", "must be an absolute http or https URL"))
  }
  const secret = Redacted.isRedacted(token) ? token : Redacted.make(token)
  if (!tokenPattern.test(Redacted.value(secret))) {
    return Effect.fail(InvalidInput.at("token", "must be 1 to 4096 visible ASCII characters"))
  }
  return Effect.succeed({
    baseUrl,
    transformClient: HttpClient.mapRequest((request) =>
      request.pipe(HttpClientRequest.bearerToken(secret), HttpClientRequest.acceptJson)
    )
  })
}
