/** How requests are authenticated: a port, which a host with its own users replaces. */
import { Context, type Effect, type Redacted } from "effect"
import type { Unauthenticated } from "../kernel/errors.ts"
import type { StorageUnavailable } from "../kernel/storage/index.ts"
import type { Identity } from "./CurrentUser.ts"

/** What a request shows of its sender. */
export interface Credentials {
  /** The token of the header `Authorization: Bearer <token>`, if there is one. */
  readonly token: Redacted.Redacted<string> | undefined
  /** Returns a header of the request by its name, in any case: for cookies, or for headers that a proxy sets. */
  readonly header: (name: string) => string | undefined
  readonly method: string
  /** The path and the query. */
  readonly url: string
}

/** Authenticates requests. `ApiTokens.authenticator` accepts Lectern's own API tokens. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /** Returns the user who sent the request. Fails with `Unauthenticated` when that is not known. */
    authenticate(credentials: Credentials): Effect.Effect<Identity, Unauthenticated | StorageUnavailable>
  }
>()("@lectern/core/Authenticator") {}
