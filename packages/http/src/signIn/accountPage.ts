/** The page on which a person exports or erases their own data: `~/account`, and the export at `~/account/data`. */
import { CurrentUser, type LecternError, languageOf, OwnAccount, PublicUrl, Users } from "@lectern/core"
import { Effect } from "effect"
import { secondFactorPath } from "../passkeys/secondFactorPage.ts"
import { makeAuthenticateRequest } from "../server/authentication/authenticateRequest.ts"
import { isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import { makeSessionCookies } from "../server/authentication/sessionCookies.ts"
import { toResponse, unknownPath } from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse, jsonResponse } from "../server/messages/Message.ts"
import { readForm } from "./form.ts"
import { alert, escapeHtml, linkButton, paragraph, renderSignInPage, signInHeaders } from "./page.ts"
import { relativeTo } from "./returnPath.ts"
import { signInTexts } from "./texts.ts"

/** The path of the page. */
export const accountPath = "/~/account"

const dataPath = `${accountPath}/data`

const loginPath = "/~/login"

/** The pages on which a person fulfills the requirement of an operation, by the reason of its error. */
const proofPaths: Readonly<Record<string, string>> = {
  FreshSignInRequired: loginPath,
  SecondFactorRequired: secondFactorPath
}

/** Whether a path is one of the page or its export. */
export const isAccountPath = (path: string): boolean => path === accountPath || path === dataPath

/** Creates the function that serves the page, which links the application if the server has one. */
export const makeAccountPage = Effect.fnUntraced(function* (hasApplication: boolean) {
  const authenticate = yield* makeAuthenticateRequest
  const account = yield* OwnAccount
  const users = yield* Users
  const cookies = yield* makeSessionCookies
  const publicUrl = yield* PublicUrl

  const textsOf = (request: ApiRequest) => signInTexts[languageOf(request.header("accept-language"))]

  /** Returns the relative URL of a page on which the person proves who they are, and which returns to this one. */
  const proofOf = (page: string, path: string): string =>
    `${relativeTo(path === accountPath ? 1 : 2, page.slice(1))}?return=${encodeURIComponent(accountPath.slice(1))}`

  const leaveFor = (page: string, path: string): ApiResponse =>
    emptyResponse(303, { ...signInHeaders(), location: proofOf(page, path) })

  const page = Effect.fnUntraced(function* (request: ApiRequest, problem?: string) {
    const texts = textsOf(request)
    const { displayName, email = "" } = yield* users.getCurrent({})
    return renderSignInPage({
      language: languageOf(request.header("accept-language")),
      title: texts.ownAccount,
      body: `${problem === undefined ? "" : alert(problem)}${paragraph(`${displayName} · ${email}`)}
${linkButton("account/data", texts.exportData)}
<hr>
${paragraph(texts.eraseHint)}
<form method="post">
<label for="email">${escapeHtml(texts.eraseConfirmation)}</label>
<input id="email" name="email" type="email" autocomplete="off" required maxlength="254">
<button class="danger">${escapeHtml(texts.erase)}</button>
</form>${hasApplication ? `<hr>${linkButton("../app/me", texts.backToLectern)}` : ""}`,
      status: problem === undefined ? 200 : 400
    })
  })

  /** Explains that a session which an administrator or a provider of an organization has authenticated has no authority over the account. */
  const limitedPage = (request: ApiRequest, path: string): ApiResponse => {
    const texts = textsOf(request)
    return renderSignInPage({
      language: languageOf(request.header("accept-language")),
      title: texts.ownAccount,
      body: paragraph(texts.limitedAccount) + linkButton(proofOf(loginPath, path), texts.signIn),
      status: 403
    })
  }

  const exportData = Effect.map(account.exportData({}), (data) =>
    jsonResponse(200, JSON.stringify(data, null, 2), {
      ...signInHeaders(),
      "content-disposition": 'attachment; filename="account.json"',
      "x-content-type-options": "nosniff"
    })
  )

  const erase = Effect.fnUntraced(function* (request: ApiRequest) {
    const texts = textsOf(request)
    if (!isOwnOrigin(request, publicUrl)) return yield* page(request, texts.otherWebsite)
    const form = yield* readForm(request)
    const problem = yield* Effect.as(
      account.erase({ input: { email: form.get("email") ?? "" } }),
      undefined
    ).pipe(
      Effect.catchTag("InvalidInput", () => Effect.succeed(texts.eraseMismatch)),
      Effect.catchTag("Conflict", ({ message }) => Effect.succeed(message))
    )
    return problem === undefined
      ? emptyResponse(303, { ...signInHeaders(), location: "login", "set-cookie": cookies.removed(request) })
      : yield* page(request, problem)
  })

  const serve = Effect.fnUntraced(function* (
    request: ApiRequest,
    path: string
  ): Effect.fn.Return<ApiResponse, LecternError> {
    const found = yield* Effect.option(authenticate(request))
    if (found._tag === "None") return leaveFor(loginPath, path)
    const isPost = request.method === "POST"
    if (path === dataPath && isPost) return unknownPath()
    if (found.value.organization !== undefined) return limitedPage(request, path)
    const response: Effect.Effect<ApiResponse, LecternError, CurrentUser> =
      path === dataPath ? exportData : isPost ? erase(request) : page(request)
    return yield* Effect.provideService(response, CurrentUser, found.value)
  })

  return (request: ApiRequest, path: string): Effect.Effect<ApiResponse> =>
    Effect.catch(serve(request, path), (error) => {
      const proof = error._tag === "Forbidden" ? proofPaths[error.reason ?? ""] : undefined
      return Effect.succeed(proof === undefined ? toResponse(error) : leaveFor(proof, path))
    })
})
