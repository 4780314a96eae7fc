/** Authenticates readers by their sessions. The server has the pages on which they sign in. */
import {
  Authenticator,
  type Identity,
  OidcLogins,
  oidcPath,
  type StorageUnavailable,
  ssoPath
} from "@lectern/core"
import { Effect } from "effect"
import { relativeUrl } from "../html/urls.ts"
import { type ReaderRequest, type ReaderResponse, redirect } from "../http/messages.ts"

/** The path on which users sign in, below the URL of the workspace and without its leading slash. */
const loginPath = "~/login"

/** The path that ends the session. */
export const logoutPath = "~/logout"

/** Returns the path of a workspace without a leading slash: that of the request, below which relative URLs lead. */
export const pathOf = (request: Pick<ReaderRequest, "url">): string => request.url.split("?", 1)[0]!.slice(1)

/** Creates the functions that authenticate readers. */
export const makeSessions = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const oidcLogins = yield* OidcLogins

  const returnQuery = (request: ReaderRequest) => new URLSearchParams({ return: request.url.slice(1) })

  return {
    /** Returns the reader of a request; `undefined` without a valid session. */
    reader: (request: ReaderRequest): Effect.Effect<Identity | undefined, StorageUnavailable> =>
      Effect.catchTag(
        authenticator.authenticate({
          token: undefined,
          header: (name) => request.header(name.toLowerCase()),
          method: request.method,
          url: request.url
        }),
        "Unauthenticated",
        () => Effect.succeed(undefined)
      ),

    /** Redirects to the page on which users sign in, which returns to the requested page. */
    requireLogin: (request: ReaderRequest): ReaderResponse =>
      redirect(relativeUrl(pathOf(request), `${loginPath}?${returnQuery(request)}`), 302),

    /**
     * Redirects to the login of an identity provider of an organization, after which the reader returns to the requested page.
     * `organization` is the one of the requested page, also if no organization has this id.
     */
    requireSingleSignOn: Effect.fnUntraced(function* (
      request: ReaderRequest,
      organization: string,
      provider: string
    ): Effect.fn.Return<ReaderResponse, StorageUnavailable> {
      const isOidc = yield* Effect.catchTag(
        oidcLogins.admits({ provider, input: { organization } }),
        "InvalidInput",
        () => Effect.succeed(false)
      )
      const path = `${(isOidc ? oidcPath : ssoPath).slice(1)}${encodeURIComponent(provider)}/start`
      return redirect(relativeUrl(pathOf(request), `${path}?${returnQuery(request)}`), 302)
    })
  }
})

/** The functions that authenticate readers. */
export interface Sessions extends Effect.Success<typeof makeSessions> {}
