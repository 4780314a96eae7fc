/** The port that authenticates requests. A host with its own users replaces it. */

import type { StorageUnavailable } from "@lectern/kernel"
import type { Unauthenticated } from "@lectern/model/errors"
import { Context, type Effect, type Redacted } from "effect"
import type { Identity } from "./CurrentUser.ts"

/** The parts of a request that can authenticate its sender. */
export interface Credentials {
  /** The token of the header `Authorization: Bearer <token>`, if there is one. */
  readonly token: Redacted.Redacted<string> | undefined
  /** Returns a header of the request by its name, in any case: for cookies, or for headers that a proxy sets. */
  readonly header: (name: string) => string | undefined
  /** The method of the request, such as `GET`. */
  readonly method: string
  /** The path and the query of the URL, for signatures that cover them. */
  readonly url: string
}

/**
 * Authenticates requests. `ApiTokens.authenticator` accepts Lectern's own API tokens.
 *
 * @example
 * const sessions = Layer.succeed(Authenticator, {
 *   authenticate: ({ header }) => userOfSession(header("cookie"))
 * })
 */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Returns the user who sent the request. Fails with `Unauthenticated` if the credentials are missing or invalid.
     */
    authenticate(credentials: Credentials): Effect.Effect<Identity, Unauthenticated | StorageUnavailable>
  }
>()("@lectern/core/Authenticator") {}
