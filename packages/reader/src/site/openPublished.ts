/** Opens published sites for visitors: resolves the URL, authenticates the visitor, and loads the visible part of the site. */
import {
  NotFound,
  PublicUrl,
  PublishedContent,
  type PublishedSite,
  PublishedSites,
  RequestBaseUrl,
  type SpaceId,
  type StorageUnavailable,
  visitorIdentity
} from "@lectern/core"
import { Effect } from "effect"
import { decodePart } from "../html/urls.ts"
import {
  cookieOf,
  formatCookie,
  type ReaderRequest,
  type ReaderResponse,
  redirect
} from "../http/messages.ts"
import { messagesOf } from "../page/messages.ts"
import { type ContentLoader, orNotFound } from "../source/ContentLoader.ts"
import { sectionsOf } from "./navigation.ts"
import { pageScriptsOf } from "./pageScripts.ts"
import type { ReadableSite, SpaceOnSite } from "./ReadableSite.ts"
import type { SiteRequest } from "./serveSite.ts"

/** The cookie with the token of a visitor. Its path is the root of the site. */
const visitorCookie = "lectern-visitor"

/** The query parameter with the token of a visitor, by which a backend admits them. */
const tokenParameter = "jwt_token"

/** The lifetime of the cookie, in seconds: 30 days. The token expires on its own. */
const cookieLifetime = 30 * 24 * 60 * 60

/** Whether a request has the token of a visitor. */
export const hasCredentials = (request: Pick<ReaderRequest, "header" | "url">): boolean =>
  request.url.includes(tokenParameter) || cookieOf(request, visitorCookie) !== undefined

/** The result of opening a URL: a request within a site, or a response. */
export type OpenedSite = { readonly siteRequest: SiteRequest } | { readonly response: ReaderResponse }

const spacesOf = (
  { structure, customizations }: Pick<PublishedSite, "structure" | "customizations">,
  root: string
): ReadonlyMap<SpaceId, SpaceOnSite> => {
  const siteSpaces =
    structure.type === "siteSpaces"
      ? structure.structure
      : sectionsOf(structure).flatMap((section) => section.siteSpaces)
  return new Map(
    siteSpaces.map(({ id, space, title, urls }) => [
      space.id,
      {
        id: space.id,
        title,
        language: messagesOf(
          (customizations.siteSpaces[id] ?? customizations.site).internationalization.locale
        ).locale,
        root: urls.published?.startsWith(root) === true ? urls.published.slice(root.length) : "",
        content: { space: space.id }
      }
    ])
  )
}

/** The number of segments of "/sites/<organization>/<name>/", and of the same path with a share key. */
const leadingSegments = (shareKey: string | undefined): number => (shareKey === undefined ? 4 : 5)

/** Returns the path below the root of the site, for a URL below the workspace or at the address of a proxy. */
const pathInSite = (
  path: string,
  isBelowWorkspace: boolean,
  siteBasePath: string,
  shareKey: string | undefined
): string =>
  isBelowWorkspace
    ? path.split("/").slice(leadingSegments(shareKey)).join("/")
    : path.slice(siteBasePath.length)

/** Whether a path is that of the site without its final slash, which relative URLs depend on. */
const isRootWithoutSlash = (
  path: string,
  isBelowWorkspace: boolean,
  siteBasePath: string,
  shareKey: string | undefined
): boolean =>
  isBelowWorkspace
    ? path.split("/").length < leadingSegments(shareKey) + 1
    : path.length < siteBasePath.length

/** Creates the function that opens published sites. */
export const makeOpenPublished = Effect.fnUntraced(function* (loader: ContentLoader) {
  const published = yield* PublishedContent
  const publishedSites = yield* PublishedSites
  const publicUrl = yield* PublicUrl

  /** Whether a URL has been resolved by a site at the root of its host. The site of a redirect is not named: then the root has a site. */
  const isAtRoot = (
    base: string,
    lookup: Effect.Success<ReturnType<typeof published.resolve>>
  ): Effect.Effect<boolean, StorageUnavailable> =>
    "redirect" in lookup
      ? orNotFound(published.resolve({ input: { url: `${base}/` } })).pipe(
          Effect.as(true),
          Effect.catchTag("NotFound", () => Effect.succeed(false))
        )
      : Effect.succeed(lookup.siteBasePath === "/")

  return Effect.fnUntraced(function* (
    request: ReaderRequest,
    /** The address of the request, if it is not below the workspace: a host name that serves a site. */
    host: string | undefined
  ): Effect.fn.Return<OpenedSite, NotFound | StorageUnavailable> {
    const [path = "/", search = ""] = request.url.split("?", 2)
    const query = new URLSearchParams(search)
    const given = query.get(tokenParameter) ?? undefined
    const token = given ?? cookieOf(request, visitorCookie)
    const base = host === undefined ? ((yield* RequestBaseUrl) ?? publicUrl) : `https://${host}`
    const resolve = (jwtToken: string | undefined) =>
      published.resolve({
        input: { url: `${base}${path}`, ...(jwtToken === undefined ? {} : { visitor: { jwtToken } }) }
      })
    const lookup = yield* orNotFound(
      // An expired cookie is like none: the visitor authenticates again.
      token === undefined || given !== undefined
        ? resolve(token)
        : Effect.catchTag(resolve(token), "NotFound", () => resolve(undefined))
    )
    if (request.isServerPath === true && !(yield* isAtRoot(base, lookup))) return yield* NotFound.of("site")
    if ("redirect" in lookup) return { response: redirect(lookup.redirect, 302) }

    const { organization, site: id, shareKey, siteBasePath, siteSpace, space: spaceId } = lookup
    if (isRootWithoutSlash(path, host === undefined, siteBasePath, shareKey)) {
      return { response: redirect(`./${path.split("/").at(-1)}/${search === "" ? "" : `?${search}`}`) }
    }
    const isSecure = base.startsWith("https:")
    if (given !== undefined) {
      query.delete(tokenParameter)
      const cookie = formatCookie(visitorCookie, given, {
        path: siteBasePath,
        isSecure,
        maxAge: cookieLifetime
      })
      const location = `${path.split("/").at(-1) || "./"}${query.size === 0 ? "" : `?${query}`}`
      return {
        response: redirect(location.includes(":") ? `./${location}` : location, 302, { "set-cookie": cookie })
      }
    }
    const sitePath = pathInSite(path, host === undefined, siteBasePath, shareKey)
    const identity = visitorIdentity({
      organization,
      site: id,
      ...(shareKey === undefined ? {} : { shareKey }),
      ...(token === undefined ? {} : { visitorAuthToken: token })
    })
    const found = yield* orNotFound(loader.as(identity)(publishedSites.get({ organization, site: id })))
    const { site, structure, customizations } = found
    const root = site.urls.published ?? ""
    const readable: ReadableSite = {
      kind: "published",
      identity,
      organization,
      title: site.title,
      customization: customizations.siteSpaces[siteSpace] ?? customizations.site,
      structure,
      spaces: spacesOf(found, root),
      publicUrl: root,
      // The workspace is another origin, which scripts must not have.
      scripts:
        host === undefined || request.isApplicationHost === true ? undefined : pageScriptsOf(found, root),
      isIndexed: site.visibility === "public",
      ask:
        (customizations.siteSpaces[siteSpace] ?? customizations.site).ai.mode === "none"
          ? undefined
          : request.ask,
      isPublic: (site.visibility === "public" || site.visibility === "unlisted") && token === undefined,
      isAdaptive: site.adaptiveContent.enabled
    }
    const onSite = readable.spaces.get(spaceId)
    if (onSite === undefined) return yield* NotFound.of("site")
    const space = yield* loader.space(identity, onSite)
    const pagePath = lookup.pathname.split("/").map(decodePart).join("/")
    return { siteRequest: { request, site: readable, space, path: sitePath, pagePath, query } }
  })
})
