/**
 * Admits signed-in members to sites that require a visitor token: the server itself is the backend of such a site if its
 * fallback URL is `<URL of the workspace>/~/visit/<organization>/<site>`, with `?sso=<SAML or OpenID Connect provider>` for
 * single sign-on.
 */
import { type Identity, MemberVisits, NotFound, type StorageUnavailable } from "@lectern/core"
import { OrganizationId, SiteId } from "@lectern/model"
import { Effect, Option, Schema } from "effect"
import { type ReaderRequest, type ReaderResponse, redirect } from "../http/messages.ts"
import { type ContentLoader, orNotFound } from "../source/ContentLoader.ts"
import type { Sessions } from "./session.ts"

/** The path of visits below the URL of the workspace, without its leading slash. */
export const visitsPath = "~/visit/"

const decodeIds = Schema.decodeUnknownOption(Schema.Struct({ organization: OrganizationId, site: SiteId }))

/** Creates the function that admits members to sites. */
export const makeVisits = Effect.fnUntraced(function* (loader: ContentLoader, sessions: Sessions) {
  const visits = yield* MemberVisits

  const start = Effect.fnUntraced(function* (
    identity: Identity,
    path: string,
    location: string | null
  ): Effect.fn.Return<ReaderResponse, NotFound | StorageUnavailable> {
    const [organization = "", site = ""] = path.slice(visitsPath.length).split("/")
    const ids = decodeIds({ organization, site })
    if (Option.isNone(ids)) return yield* NotFound.of("site")
    const { url } = yield* orNotFound(
      loader.as(identity)(
        visits.start({
          ...ids.value,
          ...(location === null ? {} : { input: { location } })
        })
      )
    )
    return redirect(url, 302)
  })

  return Effect.fnUntraced(function* (request: ReaderRequest) {
    const [path = "", search] = request.url.slice(1).split("?", 2)
    const query = new URLSearchParams(search)
    const provider = query.get("sso")
    const identity = yield* sessions.reader(request)
    if (identity !== undefined) return yield* start(identity, path, query.get("location"))
    if (provider === null) return sessions.requireLogin(request)
    const [organization = ""] = path.slice(visitsPath.length).split("/")
    return yield* sessions.requireSingleSignOn(request, organization, provider)
  })
})
