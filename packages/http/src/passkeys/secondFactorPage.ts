/** The page on which the user of a session proves a second factor: `~/second-factor`. */
import { CurrentUser, type LecternError, languageOf, PasskeySignIns, Passkeys } from "@lectern/core"
import { Effect } from "effect"
import { makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../server/messages/Message.ts"
import { readForm } from "../signIn/form.ts"
import { readJson, signInJson } from "../signIn/json.ts"
import { alert, escapeHtml, linkButton, paragraph, renderSignInPage, signInHeaders } from "../signIn/page.ts"
import { relativeTo, returnPath } from "../signIn/returnPath.ts"
import { signInTexts } from "../signIn/texts.ts"
import { passkeyButton } from "./passkeyButton.ts"
import { passkeyScript } from "./script.ts"
import { assertionOptions, challengeOf, SignedChallenge, verifyAssertion } from "./webAuthn.ts"

/** The path of the page. */
export const secondFactorPath = "/~/second-factor"

const optionsPath = `${secondFactorPath}/options`
const passkeyPath = `${secondFactorPath}/passkey`

/** Whether a path is one of the page. */
export const isSecondFactorPath = (path: string): boolean =>
  path === secondFactorPath || path === optionsPath || path === passkeyPath

/** Creates the function that serves the page. `home` is the path after it, if the person has requested none. */
export const makeSecondFactorPage = Effect.fnUntraced(function* (home: string) {
  const authenticate = yield* makeAuthenticateRequest
  const passkeys = yield* Passkeys
  const signIns = yield* PasskeySignIns

  const page = Effect.fnUntraced(function* (request: ApiRequest, returnTo: string, problem?: string) {
    const language = languageOf(request.header("accept-language"))
    const texts = signInTexts[language]
    const factor = yield* passkeys.get({})
    const isAvailable = factor.unavailable === undefined
    const hasPasskey = factor.passkeys.length > 0
    const parts = [
      problem === undefined ? "" : alert(problem),
      paragraph(hasPasskey ? texts.secondFactorHint : texts.addPasskeyHint),
      isAvailable ? "" : paragraph(texts.passkeysNeedHostName),
      hasPasskey && isAvailable
        ? passkeyButton(texts, "primary", {
            options: "second-factor/options",
            result: "second-factor/passkey",
            returnTo
          })
        : "",
      hasPasskey || home === "" || !isAvailable
        ? ""
        : linkButton(relativeTo(1, "app/me/passkeys"), texts.addPasskey),
      factor.recoveryCodes === 0
        ? ""
        : `<hr><form method="post">
<input type="hidden" name="return" value="${escapeHtml(returnTo)}">
<label for="code">${escapeHtml(texts.recoveryCode)}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="100">
<button class="secondary">${escapeHtml(texts.useRecoveryCode)}</button>
</form>`
    ]
    return renderSignInPage({
      language,
      title: texts.secondFactor,
      body: parts.filter((part) => part !== "").join("\n"),
      script: passkeyScript,
      status: problem === undefined ? 200 : 401
    })
  })

  const options = Effect.gen(function* () {
    const { party, challenge, credentials } = yield* passkeys.beginVerification({})
    return signInJson(200, yield* assertionOptions(party, challenge, credentials))
  })

  const verify = Effect.fnUntraced(function* (request: ApiRequest) {
    const { returnTo, response } = yield* readJson(request, SignedChallenge)
    const challenge = yield* challengeOf(response.response.clientDataJSON)
    const { party, passkey } = yield* signIns.find({ input: { challenge, credential: response.id } })
    const used = yield* verifyAssertion(party, response, passkey, challenge)
    yield* passkeys.verify({
      input: { ...used, challenge, passkey: passkey.id, formerCounter: passkey.counter }
    })
    const location = relativeTo(1, returnPath(returnTo) || home)
    return signInJson(200, { location })
  })

  const useCode = Effect.fnUntraced(function* (request: ApiRequest) {
    const texts = signInTexts[languageOf(request.header("accept-language"))]
    const form = yield* readForm(request)
    const returnTo = returnPath(form.get("return"))
    const used = yield* Effect.map(
      passkeys.useRecoveryCode({ input: { code: form.get("code") ?? "" } }),
      (left) => (left === undefined ? texts.wrongRecoveryCode : undefined)
    ).pipe(
      Effect.catchTag("InvalidInput", () => Effect.succeed(texts.wrongRecoveryCode)),
      Effect.catchTag("Unauthenticated", ({ message }) => Effect.succeed(message))
    )
    return used === undefined
      ? emptyResponse(303, { ...signInHeaders(), location: relativeTo(1, returnTo || home) })
      : yield* page(request, returnTo, used)
  })

  const serve = (
    request: ApiRequest,
    path: string,
    search: string
  ): Effect.Effect<ApiResponse, LecternError, CurrentUser> => {
    if (path === optionsPath) return options
    if (path === passkeyPath) return verify(request) as Effect.Effect<ApiResponse, LecternError, CurrentUser>
    return request.method === "POST"
      ? useCode(request)
      : page(request, returnPath(new URLSearchParams(search).get("return")))
  }

  return Effect.fnUntraced(function* (request: ApiRequest, path: string, search: string) {
    const found = yield* Effect.option(authenticate(request))
    if (found._tag === "None" || found.value.signIn === undefined) {
      const login = `login?${new URLSearchParams({ return: secondFactorPath.slice(1) })}`
      return emptyResponse(303, {
        ...signInHeaders(),
        location: relativeTo(path === secondFactorPath ? 0 : 1, login)
      })
    }
    return yield* Effect.provideService(serve(request, path, search), CurrentUser, found.value)
  })
})
