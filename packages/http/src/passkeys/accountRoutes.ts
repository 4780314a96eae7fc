/**
 * The passkeys and the recovery codes of the user of a session, for pages of this server. They are not operations of the API: a program
 * with a token must not obtain a way to sign in.
 *
 * | method and path | effect |
 * | --- | --- |
 * | `GET ~/passkeys` | returns the passkeys, and whether they are available |
 * | `POST ~/passkeys/options` | starts to add a passkey |
 * | `POST ~/passkeys` | adds it |
 * | `PATCH ~/passkeys/<id>` | renames it |
 * | `DELETE ~/passkeys/<id>` | removes it |
 * | `POST ~/recovery-codes` | replaces the recovery codes |
 */
import { CurrentUser, type Identity, type LecternError, PasskeyId, Passkeys } from "@lectern/core"
import { RegistrationResponse, UpdatePasskey } from "@lectern/model/passkeys"
import { Effect, Schema } from "effect"
import { makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import type { SessionCookies } from "../server/authentication/sessionCookies.ts"
import { type Failure, unknownMethod, unknownPath } from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../server/messages/Message.ts"
import { readJson, signInJson } from "../signIn/json.ts"
import { signInHeaders } from "../signIn/page.ts"
import { challengeOf, registrationOptions, verifyRegistration } from "./webAuthn.ts"

const passkeysPath = "/~/passkeys"
const optionsPath = `${passkeysPath}/options`
const codesPath = "/~/recovery-codes"

/** Whether a path is one of these. */
export const isPasskeysPath = (path: string): boolean =>
  path === passkeysPath || path === codesPath || path.startsWith(`${passkeysPath}/`)

const Register = Schema.Struct({
  name: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100))),
  response: RegistrationResponse
})

/** Creates the function that serves the paths. */
export const makePasskeyAccount = Effect.fnUntraced(function* (cookies: SessionCookies) {
  const authenticate = yield* makeAuthenticateRequest
  const passkeys = yield* Passkeys

  const begin = Effect.gen(function* () {
    const { party, challenge, user, credentials } = yield* passkeys.beginRegistration({})
    return signInJson(200, yield* registrationOptions(party, challenge, user, credentials))
  })

  const register = Effect.fnUntraced(function* (request: ApiRequest) {
    const { name = "", response } = yield* readJson(request, Register)
    const challenge = yield* challengeOf(response.response.clientDataJSON)
    const party = yield* passkeys.resumeRegistration({ input: { challenge } })
    const credential = yield* verifyRegistration(party, response, challenge)
    const userAgent = request.header("user-agent")?.slice(0, 500)
    const created = yield* passkeys.register({
      input: {
        ...credential,
        challenge,
        host: party.id,
        ...(name.trim() === "" ? {} : { name: name.trim() }),
        ...(userAgent === undefined ? {} : { userAgent })
      }
    })
    return signInJson(201, created)
  })

  const change = Effect.fnUntraced(function* (request: ApiRequest, id: string) {
    const passkey = PasskeyId.make(id)
    if (request.method === "DELETE") {
      yield* passkeys.remove({ passkey })
      return emptyResponse(204, signInHeaders())
    }
    return signInJson(
      200,
      yield* passkeys.rename({ passkey, input: yield* readJson(request, UpdatePasskey) })
    )
  })

  const methodsOf = (path: string): ReadonlyArray<string> =>
    path === passkeysPath
      ? ["GET", "POST"]
      : path === optionsPath || path === codesPath
        ? ["POST"]
        : ["PATCH", "DELETE"]

  const serve = (request: ApiRequest, path: string): Effect.Effect<ApiResponse, Failure, CurrentUser> => {
    if (path === optionsPath) return begin
    if (path === codesPath)
      return Effect.map(passkeys.createRecoveryCodes({}), (codes) => signInJson(201, { codes }))
    if (path === passkeysPath) {
      return request.method === "GET"
        ? Effect.map(passkeys.get({}), (factor) => signInJson(200, factor))
        : register(request)
    }
    return change(request, path.slice(passkeysPath.length + 1))
  }

  const respond = Effect.fnUntraced(function* (
    request: ApiRequest,
    path: string,
    user: Identity
  ): Effect.fn.Return<ApiResponse, Failure> {
    const response = yield* Effect.provideService(serve(request, path), CurrentUser, user)
    yield* cookies.update(request, "Passkeys", user, response)
    return response
  })

  return Effect.fnUntraced(function* (
    request: ApiRequest,
    path: string
  ): Effect.fn.Return<ApiResponse, Failure | LecternError> {
    if (path.startsWith(`${passkeysPath}/`) && !/^\/~\/passkeys\/[\w-]{1,100}$/.test(path))
      return unknownPath()
    const methods = methodsOf(path)
    if (!methods.includes(request.method)) return unknownMethod(request.method, [...methods])
    return yield* respond(request, path, yield* authenticate(request))
  })
})
