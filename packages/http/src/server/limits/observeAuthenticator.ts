/** Observes which requests the authenticator of a workspace accepts. */
import { Authenticator, type Identity } from "@lectern/core"
import { Context, Effect } from "effect"

/** Receives the user of each request that the authenticator accepts. By default, it is undefined. */
export const OnAuthenticated = Context.Reference<((identity: Identity) => Effect.Effect<void>) | undefined>(
  "@lectern/http/OnAuthenticated",
  { defaultValue: () => undefined }
)

/** Returns an authenticator that reports accepted users to {@link OnAuthenticated} of the request. */
export const observeAuthenticator = (authenticator: Authenticator["Service"]): Authenticator["Service"] =>
  Authenticator.of({
    authenticate: (credentials) =>
      Effect.withFiber((fiber) => {
        const onAuthenticated = fiber.getRef(OnAuthenticated)
        const identified = authenticator.authenticate(credentials)
        return onAuthenticated === undefined ? identified : Effect.tap(identified, onAuthenticated)
      })
  })
