/** Who a bearer token stands for: a port, which a host with its own log-in replaces. */
import { Context, type Effect, type Redacted } from "effect"
import type { Unauthenticated } from "../kernel/errors.ts"
import type { StorageUnavailable } from "../kernel/storage/index.ts"
import type { Identity } from "./CurrentUser.ts"

/** Tells the user of a token. `ApiTokens.authenticator` is the one over Lectern's own tokens. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /** The user that the token stands for; `Unauthenticated` for a token that is unknown, expired or revoked. */
    authenticate(
      token: Redacted.Redacted<string>
    ): Effect.Effect<Identity, Unauthenticated | StorageUnavailable>
  }
>()("@lectern/core/Authenticator") {}
