/** Signs people in by passkeys: `~/passkey-sign-in/options` starts a sign-in, and `~/passkey-sign-in` finishes it. */
import { PasskeySignIns, PublicUrl, type StartedSession } from "@lectern/core"
import { Effect } from "effect"
import { crossOriginRequest, isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import type { SessionCookies } from "../server/authentication/sessionCookies.ts"
import { type ApiRequest, jsonResponse } from "../server/messages/Message.ts"
import { clientOf } from "../signIn/clientOf.ts"
import { readJson, signInJson } from "../signIn/json.ts"
import { signInHeaders } from "../signIn/page.ts"
import { relativeTo, returnPath } from "../signIn/returnPath.ts"
import { assertionOptions, challengeOf, SignedChallenge, userHandleOf, verifyAssertion } from "./webAuthn.ts"

/** The path that finishes a sign-in by a passkey. */
export const passkeySignInPath = "/~/passkey-sign-in"

const optionsPath = `${passkeySignInPath}/options`

/** Whether a path is one of a sign-in by a passkey. */
export const isPasskeySignInPath = (path: string): boolean =>
  path === passkeySignInPath || path === optionsPath

/** Creates the function that serves the paths. `homeOf` returns the path after a sign-in. */
export const makePasskeySignIn = Effect.fnUntraced(function* <E>(
  cookies: SessionCookies,
  homeOf: (user: StartedSession["user"], returnTo: string) => Effect.Effect<string, E>
) {
  const signIns = yield* PasskeySignIns
  const publicUrl = yield* PublicUrl

  const begin = Effect.gen(function* () {
    const { party, challenge } = yield* signIns.begin({})
    return signInJson(200, yield* assertionOptions(party, challenge))
  })

  const finish = Effect.fnUntraced(function* (request: ApiRequest) {
    const { returnTo, response } = yield* readJson(request, SignedChallenge)
    const challenge = yield* challengeOf(response.response.clientDataJSON)
    const userHandle = userHandleOf(response)
    const { party, passkey } = yield* signIns.resume({
      input: { challenge, credential: response.id, ...(userHandle === undefined ? {} : { userHandle }) }
    })
    const used = yield* verifyAssertion(party, response, passkey, challenge)
    const session = yield* signIns.finish({
      input: {
        ...used,
        challenge,
        passkey: passkey.id,
        formerCounter: passkey.counter,
        user: passkey.user,
        client: clientOf(request, cookies.read(request))
      }
    })
    const location = relativeTo(1, yield* homeOf(session.user, returnPath(returnTo)))
    return jsonResponse(200, JSON.stringify({ location }), {
      ...signInHeaders(),
      "set-cookie": yield* cookies.started(request, session)
    })
  })

  return Effect.fnUntraced(function* (request: ApiRequest, path: string) {
    // A page of another origin could otherwise sign a visitor in to an account of its own.
    if (!isOwnOrigin(request, publicUrl)) return yield* crossOriginRequest
    return path === optionsPath ? yield* begin : yield* finish(request)
  })
})
