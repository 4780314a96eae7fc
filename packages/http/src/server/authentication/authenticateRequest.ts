/** Authenticates the caller of a request: by an API token, or by a session of a page of this server. */
import {
  Authenticator,
  type Forbidden,
  type Identity,
  type StorageUnavailable,
  tokenOfPreview,
  type Unauthenticated
} from "@lectern/core"
import { Effect, Redacted } from "effect"
import type { ApiRequest } from "../messages/Message.ts"
import { makeRequireOwnOrigin } from "./ownOrigin.ts"

/** The tokens of visitors contain a JWT of at most 8,192 characters. */
const bearerPattern = /^bearer +([\x21-\x7e]{1,16384})$/i

/** Returns the token of the header `Authorization`; undefined without one. */
export const bearerTokenOf = ({ header }: Pick<ApiRequest, "header">): string | undefined =>
  bearerPattern.exec(header("authorization") ?? "")?.[1]

/** Returns the API token of a request without the mark of a preview; undefined without one. */
export const apiTokenOf = (request: Pick<ApiRequest, "header">): Redacted.Redacted<string> | undefined => {
  const token = bearerTokenOf(request)
  return token === undefined ? undefined : Redacted.make(tokenOfPreview(token) ?? token)
}

/**
 * Creates the function that returns the caller of a request. It fails with `Unauthenticated` without valid credentials, and with
 * `Forbidden` if a browser has added them to a request of another website.
 */
export const makeAuthenticateRequest = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const requireOwnOrigin = yield* makeRequireOwnOrigin
  return (request: ApiRequest): Effect.Effect<Identity, Unauthenticated | Forbidden | StorageUnavailable> => {
    const { header, method, url } = request
    const given = bearerTokenOf(request)
    const previewed = given === undefined ? undefined : tokenOfPreview(given)
    const token = previewed ?? given
    const user = authenticator.authenticate({
      token: token === undefined ? undefined : Redacted.make(token),
      header: (name) => header(name.toLowerCase()),
      method,
      url
    })
    return Effect.map(
      Effect.tap(user, () => requireOwnOrigin(request)),
      (identity) => (previewed === undefined ? identity : { ...identity, isPreview: true })
    )
  }
})
