/**
 * The pages for signing in: `~/login` requests a link by e-mail, `~/sign-in/<secret>` uses a link, and `~/logout` ends the session.
 *
 * A GET request never uses a link, because mail programs and chat programs open links to preview them. The page of a link names
 * its account and has one button, so that no user is signed in to another account without noticing.
 */
import {
  CurrentUser,
  Email,
  HostSignIn,
  languageOf,
  OidcLogins,
  Organizations,
  oidcPath,
  PasskeySignIns,
  PublicUrl,
  SignIns,
  signInLinksPath
} from "@lectern/core"
import { Effect, Option, Schema } from "effect"
import type { makeLoadClient } from "../oidc/loadClient.ts"
import { isPasskeysPath, makePasskeyAccount } from "../passkeys/accountRoutes.ts"
import { passkeyButton } from "../passkeys/passkeyButton.ts"
import { passkeyScript } from "../passkeys/script.ts"
import { isSecondFactorPath, makeSecondFactorPage } from "../passkeys/secondFactorPage.ts"
import { isPasskeySignInPath, makePasskeySignIn } from "../passkeys/signInRoutes.ts"
import { isOwnOrigin } from "../server/authentication/ownOrigin.ts"
import { makeSessionCookies } from "../server/authentication/sessionCookies.ts"
import { type Failure, toResponse, unknownMethod, unknownPath } from "../server/messages/failures.ts"
import { type ApiRequest, type ApiResponse, emptyResponse } from "../server/messages/Message.ts"
import type { Route } from "../server/routes/Route.ts"
import { isAccountPath, makeAccountPage } from "./accountPage.ts"
import { readBrowserCookie } from "./browserCookie.ts"
import { clientOf } from "./clientOf.ts"
import { readForm } from "./form.ts"
import { joinsPath, makeJoinPage } from "./joinPage.ts"
import { makeOwnLogins } from "./ownLogins.ts"
import { alert, escapeHtml, linkButton, paragraph, renderSignInPage, signInHeaders } from "./page.ts"
import { relativeTo, returnPath } from "./returnPath.ts"
import { makeSignOut } from "./signOut.ts"
import { signInTexts } from "./texts.ts"

/** The path of the page that requests a sign-in link. */
export const signInPath = "/~/login"

/** The path that ends the session. */
export const signOutPath = "/~/logout"

const decodeEmail = Schema.decodeUnknownOption(Email)

const pageLanguage = (request: ApiRequest) => languageOf(request.header("accept-language"))

const redirectTo = (location: string, cookie?: string): ApiResponse =>
  emptyResponse(303, {
    ...signInHeaders(),
    location,
    ...(cookie === undefined ? {} : { "set-cookie": cookie })
  })

/** Creates the routes for signing in. `served` states which pages the server can display after a sign-in. */
export const makeSignInRoutes = Effect.fnUntraced(function* (
  served: { readonly application: boolean; readonly reader: boolean },
  loadOidcClient: Effect.Success<typeof makeLoadClient>
) {
  const signIns = yield* SignIns
  const { providers } = yield* OidcLogins
  const signOut = yield* makeSignOut(loadOidcClient)
  const ownLogins = yield* makeOwnLogins
  const join = yield* makeJoinPage(served.application ? "app" : "")
  const accountPage = yield* makeAccountPage(served.application)
  const passkeySignIns = yield* PasskeySignIns
  const organizations = yield* Organizations
  const cookies = yield* makeSessionCookies
  const passkeyAccount = yield* makePasskeyAccount(cookies)
  const secondFactorPage = yield* makeSecondFactorPage(served.application ? "app" : "")
  const publicUrl = yield* PublicUrl
  const hostSignIn = yield* HostSignIn

  /** Redirects to the page of the host on which users sign in, or responds with 404. */
  const leaveToHost = (request: ApiRequest, path: string, search: string): ApiResponse => {
    if (hostSignIn?.url === undefined || path !== signInPath) return unknownPath()
    const target = returnPath(new URLSearchParams(search).get("return"))
    const url = new URL(hostSignIn.url, `${request.baseUrl ?? publicUrl}/`)
    url.searchParams.set("return", `${request.baseUrl ?? publicUrl}/${target}`)
    return redirectTo(url.href)
  }

  const insecurePage = (request: ApiRequest): ApiResponse => {
    const language = pageLanguage(request)
    const texts = signInTexts[language]
    return renderSignInPage({ language, title: texts.signIn, body: alert(texts.insecure), status: 403 })
  }

  const formPage = Effect.fnUntraced(function* (request: ApiRequest, returnTo: string, problem?: string) {
    const language = pageLanguage(request)
    const texts = signInTexts[language]
    const form = signIns.hasMail
      ? `<form method="post" action="login">
<input type="hidden" name="return" value="${escapeHtml(returnTo)}">
<label for="email">${escapeHtml(texts.emailAddress)}</label>
<input id="email" name="email" type="email" autocomplete="email webauthn" required maxlength="254">
<button>${escapeHtml(texts.sendLink)}</button>
</form>`
      : providers.length > 0
        ? ""
        : paragraph(texts.mailIsOff) + paragraph(texts.linkOfAdministrator) + paragraph(texts.linkOfOperator)
    const query = returnTo === "" ? "" : `?${new URLSearchParams({ return: returnTo })}`
    const logins = [
      ...(yield* ownLogins(request)),
      ...providers.map(({ id, label }) => ({ label, path: `${oidcPath}${id}/start` }))
    ]
    const passkey = (yield* passkeySignIns.isAvailable)
      ? passkeyButton(texts, "secondary", {
          options: "passkey-sign-in/options",
          result: "passkey-sign-in",
          returnTo,
          isSuggested: signIns.hasMail
        })
      : ""
    const links = logins.map(({ label, path }) => linkButton(`..${path}${query}`, texts.continueWith(label)))
    return renderSignInPage({
      language,
      title: texts.signIn,
      body: `${problem === undefined ? "" : alert(problem)}${passkey}${links.join("\n")}${form}`,
      ...(passkey === "" ? {} : { script: passkeyScript }),
      status: problem === undefined ? 200 : 400
    })
  })

  const requestLink = Effect.fnUntraced(function* (request: ApiRequest) {
    const language = pageLanguage(request)
    const texts = signInTexts[language]
    const form = yield* readForm(request)
    const returnTo = returnPath(form.get("return"))
    if (!isOwnOrigin(request, publicUrl)) return yield* formPage(request, returnTo, texts.otherWebsite)
    const email = Option.getOrUndefined(decodeEmail(form.get("email") ?? ""))
    if (email === undefined) return yield* formPage(request, returnTo, texts.invalidAddress)
    const languages = request.header("accept-language")?.slice(0, 500)
    yield* signIns.requestLink({
      input: {
        email,
        returnTo,
        ...(languages === undefined ? {} : { languages }),
        ...(request.remoteAddress === undefined ? {} : { address: request.remoteAddress })
      }
    })
    const query = returnTo === "" ? "" : `?${new URLSearchParams({ return: returnTo })}`
    return renderSignInPage({
      language,
      title: texts.checkMail,
      body: paragraph(texts.linkSent(email)) + linkButton(`login${query}`, texts.anotherAddress)
    })
  })

  const invalidLinkPage = (request: ApiRequest): ApiResponse => {
    const language = pageLanguage(request)
    const texts = signInTexts[language]
    return renderSignInPage({
      language,
      title: texts.linkInvalid,
      body: paragraph(texts.linkInvalidHint) + linkButton("../login", texts.requestAnother),
      status: 410
    })
  }

  /** Returns the path after a sign-in: the requested one, the application, or else the listing of an organization of the user. */
  const homeOf = Effect.fnUntraced(function* (user: CurrentUser["Service"]["id"], returnTo: string) {
    if (returnTo !== "") return returnTo
    if (served.application) return "app"
    if (!served.reader) return ""
    const { items } = yield* Effect.provideService(organizations.list({ input: { limit: 1 } }), CurrentUser, {
      id: user
    })
    return items[0] === undefined ? "" : `o/${items[0].id}`
  })

  const passkeySignIn = yield* makePasskeySignIn(cookies, homeOf)

  const useLink = Effect.fnUntraced(function* (request: ApiRequest, secret: string, returnTo: string) {
    const session = yield* signIns.useLink({
      input: { secret, client: clientOf(request, cookies.read(request)) }
    })
    const target = yield* homeOf(session.user, returnTo)
    return redirectTo(relativeTo(2, target), yield* cookies.started(request, session))
  })

  const confirmPage = (request: ApiRequest, email: string, problem?: string): ApiResponse => {
    const language = pageLanguage(request)
    const texts = signInTexts[language]
    const isSignedIn = cookies.read(request) !== undefined
    return renderSignInPage({
      language,
      title: texts.signIn,
      body: `${problem === undefined ? "" : alert(problem)}${isSignedIn ? paragraph(texts.replaces) : ""}<form method="post">
<button>${escapeHtml(texts.signInAs(email))}</button>
</form>`,
      status: problem === undefined ? 200 : 403
    })
  }

  const openLink = Effect.fnUntraced(function* (request: ApiRequest, secret: string, search: string) {
    const browser = readBrowserCookie(request.header("cookie"), cookies.isSecure(request))
    const { email, isOfBrowser } = yield* signIns.readLink({
      input: { secret, ...(browser === undefined ? {} : { browser: browser.secret }) }
    })
    const returnTo = returnPath(new URLSearchParams(search).get("return"))
    if (isOfBrowser && request.method === "GET") {
      return yield* useLink(request, secret, returnTo || returnPath(browser?.returnTo))
    }
    if (request.method !== "POST") return confirmPage(request, email)
    if (!isOwnOrigin(request, publicUrl)) {
      return confirmPage(request, email, signInTexts[pageLanguage(request)].otherWebsite)
    }
    return yield* useLink(request, secret, returnTo)
  })

  const handle = (request: ApiRequest, path: string, search: string) => {
    const isLink = path.startsWith(signInLinksPath)
    const isJoin = path.startsWith(joinsPath)
    if (!isSignInPath(path)) return Effect.succeed(unknownPath())
    if (hostSignIn !== undefined) return Effect.succeed(leaveToHost(request, path, search))
    if (isPasskeysPath(path)) {
      return cookies.isAvailable(request)
        ? passkeyAccount(request, path)
        : Effect.succeed(insecurePage(request))
    }
    if (!["GET", "HEAD", "POST"].includes(request.method)) {
      return Effect.succeed(unknownMethod(request.method, ["GET", "HEAD", "POST"]))
    }
    if (path === signOutPath) return signOut(request)
    if (!cookies.isAvailable(request)) return Effect.succeed(insecurePage(request))
    if (isAccountPath(path)) return accountPage(request, path)
    if (isSecondFactorPath(path)) return secondFactorPage(request, path, search)
    if (isPasskeySignInPath(path)) {
      return request.method === "POST"
        ? passkeySignIn(request, path)
        : Effect.succeed(unknownMethod(request.method, ["POST"]))
    }
    if (isJoin) return join(request, path.slice(joinsPath.length))
    if (isLink) {
      return Effect.catchTag(
        openLink(request, path.slice(signInLinksPath.length), search),
        ["Unauthenticated", "InvalidInput"],
        () => Effect.succeed(invalidLinkPage(request))
      )
    }
    return request.method === "POST"
      ? requestLink(request)
      : formPage(request, returnPath(new URLSearchParams(search).get("return")))
  }

  const route: Route = (request) => {
    const [path = "", search = ""] = request.url.split("?", 2)
    return Effect.catch(handle(request, path, search), (error: Failure) => Effect.succeed(toResponse(error)))
  }
  return route
})

/** Whether a path is one of the pages for signing in. */
export const isSignInPath = (path: string): boolean =>
  path === signInPath ||
  path === signOutPath ||
  isAccountPath(path) ||
  isPasskeysPath(path) ||
  isPasskeySignInPath(path) ||
  isSecondFactorPath(path) ||
  path.startsWith(signInLinksPath) ||
  path.startsWith(joinsPath)
