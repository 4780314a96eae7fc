/** The options of both clients, and their validation. */

import { InvalidInput } from "@lectern/model/errors"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import { sendConditions } from "./requestConditions.ts"

/** The server that a client calls, and the credentials of its user. */
export interface ClientOptions {
  /** The absolute http or https URL of the server, without `/v1`, such as `https://docs.example.com/docs-api`. */
  readonly baseUrl: string
  /** The API token of the user: 1 to 4,096 visible ASCII characters. */
  readonly token: string | Redacted.Redacted<string>
}

const tokenPattern = /^[\x21-\x7e]{1,4096}$/

const isHttpUrl = (url: string): boolean =>
  URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol)

/** Validates the options of a client and converts them to the options of `HttpApiClient`. Fails with `InvalidInput`. */
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
    transformClient: (client) =>
      sendConditions(
        HttpClient.mapRequest(client, (request) =>
          request.pipe(HttpClientRequest.bearerToken(secret), HttpClientRequest.acceptJson)
        )
      )
  })
}
