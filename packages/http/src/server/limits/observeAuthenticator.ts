/** Observes which tokens the authenticator of a workspace accepts. */
import { Authenticator, type Identity } from "@lectern/core"
import { Context, Effect, Redacted } from "effect"

/** Receives each token that the authenticator accepts, with the user whom it authenticates. By default, it is undefined. */
export const OnAuthenticated = Context.Reference<((token: string, identity: Identity) => void) | undefined>(
  "@lectern/http/OnAuthenticated",
  { defaultValue: () => undefined }
)

/** Returns an authenticator that reports accepted tokens to {@link OnAuthenticated} of the request. */
export const observeAuthenticator = (authenticator: Authenticator["Service"]): Authenticator["Service"] =>
  Authenticator.of({
    authenticate: (credentials) =>
      Effect.withFiber((fiber) => {
        const onAuthenticated = fiber.getRef(OnAuthenticated)
        const { token } = credentials
        const identified = authenticator.authenticate(credentials)
        return onAuthenticated === undefined || token === undefined
          ? identified
          : Effect.tap(identified, (identity) =>
              Effect.sync(() => onAuthenticated(Redacted.value(token), identity))
            )
      })
  })
