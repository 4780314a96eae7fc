/**
 * Sessions of signed-in readers. A cookie has the API token, which is authenticated on every request: a revoked token ends
 * the session immediately. Only pages accept the cookie, and no page changes anything, so that a request of another website
 * has no effect.
 */
import { Authenticator, type Identity, type StorageUnavailable, ssoPath } from "@lectern/core"
import { Effect, Redacted } from "effect"
import type { Assets } from "../assets/files.ts"
import { element } from "../html/Html.ts"
import { relativeUrl } from "../html/urls.ts"
import {
  cookieOf,
  formatCookie,
  type ReaderRequest,
  type ReaderResponse,
  redirect,
  renderedHtml,
  respond
} from "../http/messages.ts"
import { renderPlainPage } from "../page/renderPlain.ts"

/** The cookie with the API token of a signed-in reader. */
const sessionCookie = "lectern-session"

/** The path of the login form below the URL of the workspace, without its leading slash. */
export const loginPath = "~/login"

/** The path that ends the session. */
export const logoutPath = "~/logout"

/** The cookie with the path to return to after a login at an identity provider, which forgets it. */
const returnCookie = "lectern-return"

/** The lifetime of that cookie, in seconds: a login by SAML expires after 10 minutes. */
const returnLifetime = 10 * 60

/** The lifetime of the session cookie, in seconds: 30 days. */
const sessionLifetime = 30 * 24 * 60 * 60

/** Returns the path of a workspace without a leading slash: that of the request, below which relative URLs lead. */
export const pathOf = (request: Pick<ReaderRequest, "url">): string => request.url.split("?", 1)[0]!.slice(1)

/** Returns a path to return to after the login, below the workspace: never the URL of another website. */
const returnPath = (given: string | null | undefined): string =>
  given !== null &&
  given !== undefined &&
  given.length <= 2000 &&
  /^[\w.~%-][\w.~%/-]*(?:\?[\w.~%/=&+-]*)?$/.test(given) &&
  !given.includes("//")
    ? given
    : ""

/** Whether a form was sent by a page of this server. Browsers send one of the headers with every POST request. */
const isSameOrigin = ({ header }: ReaderRequest): boolean => {
  const site = header("sec-fetch-site")
  if (site !== undefined) return site === "same-origin"
  const origin = header("origin")
  return origin !== undefined && URL.parse(origin)?.host === header("host")
}

/** Creates the functions that authenticate readers and serve the login form. */
export const makeSessions = Effect.fnUntraced(function* (assets: Assets, publicUrl: string) {
  const authenticator = yield* Authenticator
  const cookieOptions = {
    path: `${URL.parse(publicUrl)?.pathname.replace(/\/$/, "") ?? ""}/`,
    isSecure: publicUrl.startsWith("https:")
  }

  const authenticate = (
    request: ReaderRequest,
    token: string | undefined
  ): Effect.Effect<Identity | undefined, StorageUnavailable> =>
    Effect.catchTag(
      authenticator.authenticate({
        token: token === undefined ? undefined : Redacted.make(token),
        header: (name) => request.header(name.toLowerCase()),
        method: request.method,
        url: request.url
      }),
      "Unauthenticated",
      () => Effect.succeed(undefined)
    )

  const form = (request: ReaderRequest, target: string, message: string | undefined): ReaderResponse => {
    const from = pathOf(request)
    const body = renderPlainPage(
      assets,
      relativeUrl(from, "s/~/assets/"),
      "Log in",
      element("p", {}, "Enter an API token to preview content that is not published."),
      message !== undefined && element("p", { role: "alert" }, message),
      element(
        "form",
        { method: "post", action: relativeUrl(from, loginPath) },
        element("input", { type: "hidden", name: "return", value: target }),
        element("label", { for: "token" }, "API token"),
        element("input", {
          id: "token",
          name: "token",
          type: "password",
          required: true,
          autocomplete: "current-password"
        }),
        element("button", { class: "button primary" }, "Log in")
      )
    )
    return respond(request, renderedHtml(body, message === undefined ? 200 : 401), "none")
  }

  return {
    /** Returns the reader of a request; `undefined` without a valid session. */
    reader: (request: ReaderRequest) => authenticate(request, cookieOf(request, sessionCookie)),

    /** Redirects to the login form, which returns to the requested page. */
    requireLogin: (request: ReaderRequest): ReaderResponse => {
      const target = request.url.slice(1)
      return redirect(
        relativeUrl(pathOf(request), `${loginPath}?${new URLSearchParams({ return: target })}`),
        302
      )
    },

    /** Redirects to the login of a SAML provider, after which the reader returns to the requested page. */
    requireSingleSignOn: (request: ReaderRequest, provider: string): ReaderResponse =>
      redirect(
        relativeUrl(pathOf(request), `${ssoPath.slice(1)}${encodeURIComponent(provider)}/start`),
        302,
        {
          "set-cookie": formatCookie(returnCookie, returnPath(request.url.slice(1)), {
            ...cookieOptions,
            maxAge: returnLifetime
          })
        }
      ),

    /** Serves the login form, and creates the session. */
    login: Effect.fnUntraced(function* (request: ReaderRequest) {
      if (request.method !== "POST") {
        const query = new URLSearchParams(request.url.split("?")[1] ?? "")
        return form(request, returnPath(query.get("return")), undefined)
      }
      const fields = yield* request.form
      const target =
        returnPath(fields.get("return")) ||
        returnPath(cookieOf(request, returnCookie)) ||
        returnPath(fields.get("default"))
      if (!isSameOrigin(request))
        return form(request, target, "The form was sent by another website. Log in again.")
      const token = fields.get("token")?.trim() ?? ""
      const identity = token === "" ? undefined : yield* authenticate(request, token)
      if (identity === undefined)
        return form(request, target, "The API token is unknown, expired or revoked.")
      const cookie = formatCookie(sessionCookie, token, { ...cookieOptions, maxAge: sessionLifetime })
      return redirect(relativeUrl(pathOf(request), target), 303, { "set-cookie": cookie })
    }),

    /** Ends the session. */
    logout: (request: ReaderRequest): ReaderResponse =>
      request.method === "POST" && isSameOrigin(request)
        ? redirect(relativeUrl(pathOf(request), loginPath), 303, {
            "set-cookie": formatCookie(sessionCookie, "", { ...cookieOptions, maxAge: 0 })
          })
        : redirect(relativeUrl(pathOf(request), loginPath), 303)
  }
})

/** The sessions of signed-in readers. */
export interface Sessions extends Effect.Success<ReturnType<typeof makeSessions>> {}
