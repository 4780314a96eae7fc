/** The identity providers at which the user of a session signs in again. */
import { CurrentUser, PublicUrl, SamlProviders, type SsoLogin } from "@lectern/core"
import { Effect } from "effect"
import { makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import type { ApiRequest } from "../server/messages/Message.ts"

/** A login at a provider, with its path below the URL of the workspace. */
export interface OwnLogin {
  readonly label: string
  readonly path: string
}

/**
 * Creates the function that returns the logins of the organization that the session of a request is limited to: only its
 * identity providers can authenticate the user again. Returns none for other sessions, and without a session.
 */
export const makeOwnLogins = Effect.gen(function* () {
  const authenticate = yield* makeAuthenticateRequest
  const providers = yield* SamlProviders
  const publicUrl = yield* PublicUrl
  return Effect.fnUntraced(function* (request: ApiRequest) {
    const user = yield* Effect.catchTag(authenticate(request), ["Unauthenticated", "Forbidden"], () =>
      Effect.succeed(undefined)
    )
    const organization = user?.organization
    if (user?.signIn?.provider === undefined || organization === undefined) return []
    const logins: ReadonlyArray<SsoLogin> = yield* providers.listLogins({ organization }).pipe(
      Effect.map(({ items }) => items),
      Effect.provideService(CurrentUser, user),
      // The organization or the membership was removed.
      Effect.catchTag(["NotFound", "Forbidden"], () => Effect.succeed([]))
    )
    return logins.map(({ label, startURL }): OwnLogin => ({ label, path: startURL.slice(publicUrl.length) }))
  })
})
