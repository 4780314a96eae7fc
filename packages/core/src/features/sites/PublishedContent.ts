/** Operations that find the content of published sites for visitors. */

import {
  type AdmittedVisitor,
  CurrentToken,
  CurrentUser,
  type Grant,
  type Identity,
  type LoadedSite,
  type Operation,
  Operations,
  type Query,
  SystemGrant,
  type VisitedSite,
  VisitorAccess
} from "@lectern/access"
import { dependOnScopes, makeLinkBase, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  basePathOf,
  CacheScope,
  locateSiteSpace,
  type NamedSite,
  pathOfSegments,
  previewedSiteOfUrl,
  previewRootOf,
  rootOf,
  type SiteRow,
  siteOfUrl,
  siteSpaceUrl,
  sites,
  spaces
} from "@lectern/kernel/tables"
import { ContentOf } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import {
  type PublishedLookup,
  type PublishedRedirect,
  type PublishedSiteContent,
  previewToken,
  ResolvePublishedUrl,
  type SiteVisitor,
  type SiteVisitorPayload,
  visitorToken
} from "@lectern/model/sites"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { ComputedPages } from "../content/ComputedPages.ts"
import { ContentAccess, type ContentError } from "../content/ContentAccess.ts"
import { fallbackRedirect } from "./fallbackRedirect.ts"
import { findSite } from "./findSite.ts"
import { loadOverrides } from "./siteSpaceOverrides.ts"

/** The ids of a published site, and whether it is public. */
export interface LocatedSite extends Pick<SiteRow, "organization"> {
  /** The id of the site. */
  readonly site: SiteRow["id"]
  /** Whether the site admits visitors without credentials. */
  readonly isPublic: boolean
}

/** Operations that find the content of published sites for visitors. */
export interface PublishedContentOperations {
  /**
   * Returns the content that a URL of a published site leads to, with the token that reads it on behalf of the visitor.
   * A site that requires a visitor token results in a redirect to its fallback URL if the token is missing, or if it is
   * invalid and `redirectOnError` is set. Fails with `NotFound` if no published site has the URL, or the site does not
   * admit the visitor. Runs without a user. It does not check whether the page exists.
   *
   * A URL of the host `preview` names a site by its id, published or not. For a user who can see the site and has sent an API token,
   * its token is returned with the mark of a preview; for a visitor of the site, their own. Fails with `NotFound` for everyone else.
   */
  readonly resolve: Operation<
    { input: ResolvePublishedUrl },
    PublishedLookup,
    NotFound | StorageUnavailable,
    never
  >
  /**
   * Returns the published site that a URL names, without admitting a visitor. Fails with `NotFound` for a site that is not published or
   * that is visited by share links. Runs without a user.
   */
  readonly locate: (url: string) => Effect.Effect<LocatedSite, NotFound | StorageUnavailable>
  /**
   * Returns a string that identifies the content of a space as the caller sees it: its revision, its computed pages, and,
   * for a visitor, the site with everything that the visitor sees of it. Equal versions render equally, for all callers,
   * so it is a cache key that never mixes visitors.
   */
  readonly getVersion: Query<{ content: ContentOf }, { readonly version: string }, ContentError>
}

/** The scope of the sites that a URL can name. */
const scopeOfUrl = (named: NamedSite): string =>
  named.kind === "workspace"
    ? CacheScope.organization(named.organization)
    : CacheScope.host(named.origins[0]!.split("/")[0]!)

const hashOfJson = (value: unknown): string => sha256Hex(JSON.stringify(value)).slice(0, 32)

/** A site with the token that reads it. */
interface ReadSite extends Pick<VisitedSite, "structure" | "shareKey"> {
  readonly apiToken: string
  /** Absent for a reader without claims. */
  readonly contextId?: string
}

/** Returns a site that a visitor was admitted to, with their token. */
const readBy = (
  { structure, shareKey, contextId, claims }: AdmittedVisitor,
  visitor: SiteVisitor
): ReadSite => ({
  structure,
  shareKey,
  apiToken: visitorToken(visitor),
  ...(Object.keys(claims).length === 0 ? {} : { contextId })
})

const presentContent = (
  root: string,
  { structure, shareKey, apiToken, contextId }: ReadSite,
  segments: ReadonlyArray<string>
): PublishedSiteContent | undefined => {
  const location = locateSiteSpace(structure, segments)
  if (location === undefined) return undefined
  const { section, siteSpace, consumed, isComplete } = location
  const { site } = structure
  const siteSpacePath = siteSpaceUrl(structure, root, siteSpace)
  const pathname = pathOfSegments(segments.slice(consumed)).slice(1)
  return {
    organization: site.organization,
    site: site.id,
    ...(section === undefined ? {} : { siteSection: section.id }),
    siteSpace: siteSpace.id,
    space: siteSpace.space,
    pathname,
    basePath: `${basePathOf(siteSpacePath)}/`,
    siteBasePath: `${basePathOf(root)}/`,
    apiToken,
    ...(shareKey === undefined ? {} : { shareKey }),
    complete: isComplete,
    ...(contextId === undefined ? {} : { contextId }),
    canonicalUrl: `${siteSpacePath}${pathname}`
  }
}

/** The redirect of a visitor whom the site does not admit; undefined if they remain outside. */
const redirectOf = (
  { structure: { site }, settings }: LoadedSite,
  { redirectOnError = false, visitor }: ResolvePublishedUrl,
  segments: ReadonlyArray<string>
): PublishedRedirect | undefined => {
  if (!site.published || site.visibility !== "visitor-auth" || settings.fallbackURL === null) return undefined
  // Without this, a backend that signs invalid tokens would receive the visitor in a loop.
  if (visitor?.jwtToken !== undefined && !redirectOnError) return undefined
  return {
    target: "external",
    redirect: fallbackRedirect(settings.fallbackURL, pathOfSegments(segments))
  }
}

const visitorOf = (
  { id, organization }: SiteRow,
  { jwtToken, unsignedClaims }: SiteVisitorPayload,
  shareKey: string | undefined
): SiteVisitor => ({
  organization,
  site: id,
  ...(shareKey === undefined ? {} : { shareKey }),
  ...(jwtToken === undefined ? {} : { visitorAuthToken: jwtToken }),
  ...(unsignedClaims === undefined || Object.keys(unsignedClaims).length === 0 ? {} : { unsignedClaims })
})

/**
 * Creates the function that returns a site as the caller of a preview reads it: a visitor of the site, or a user with an API token who
 * can see it.
 */
const makePreviewOf = Effect.fnUntraced(function* ({ records }: Grant) {
  const { allow } = yield* Operations
  const viewSite = allow.site("view")
  const visitors = yield* VisitorAccess

  return Effect.fnUntraced(function* (
    id: SiteRow["id"]
  ): Effect.fn.Return<ReadSite, NotFound | StorageUnavailable> {
    const hidden = NotFound.of("site")
    const caller: Identity | undefined = Option.getOrUndefined(yield* Effect.serviceOption(CurrentUser))
    if (caller === undefined || caller.visitor === "anonymous") return yield* hidden
    if (caller.visitor !== undefined) {
      if (caller.visitor.site !== id) return yield* hidden
      return readBy(yield* visitors.admit(caller.visitor), caller.visitor)
    }
    const token = yield* CurrentToken
    const site = yield* records.get(sites, { id })
    if (token === undefined || site === undefined) return yield* hidden
    const viewable = yield* viewSite.check({ organization: site.organization, site: id }).pipe(
      Effect.provideService(CurrentUser, caller),
      Effect.catchTag(["NotFound", "Forbidden"], () => Effect.fail(hidden))
    )
    const { structure } = yield* visitors.resolvePreview(viewable, {})
    return { structure, shareKey: undefined, apiToken: previewToken(Redacted.value(token)) }
  })
})

const makePublishedContent = Effect.gen(function* () {
  const { query } = yield* Operations
  const { grant } = yield* SystemGrant.make("Finds the published sites that visitors name by their URLs.")
  const visitors = yield* VisitorAccess
  const content = yield* ContentAccess
  const computedPages = yield* ComputedPages
  const linkBase = yield* makeLinkBase
  const { records } = grant
  const previewOf = yield* makePreviewOf(grant)

  /** Everything about a site that its pages show to a visitor besides their content. */
  const visibleParts = Effect.fnUntraced(function* ({
    grant,
    structure: { site, sections, groups, siteSpaces, links },
    settings,
    contextId
  }: AdmittedVisitor) {
    const shown = yield* grant.records.find(spaces, {
      select: ["id", "title", "emoji", "icon"],
      where: Where.isIn(
        "id",
        siteSpaces.map(({ space }) => space)
      )
    })
    const inOrder = shown.toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const overrides = [...(yield* loadOverrides(grant.records, site))].sort(([one], [other]) =>
      one < other ? -1 : 1
    )
    return [contextId, site, sections, groups, siteSpaces, links, settings.customization, overrides, inOrder]
  })

  return {
    resolve: query(
      "PublishedContent.resolve",
      {
        parameters: { input: ResolvePublishedUrl },
        authorize: {
          rule: { kind: "visitor", why: "the visibility of the site and the visitor's credentials" },
          check: () => Effect.succeed({ grant })
        }
      },
      function* ({ input }) {
        const previewed = previewedSiteOfUrl(input.url)
        if (previewed !== undefined) {
          const read = yield* previewOf(previewed.site)
          const content = presentContent(previewRootOf(previewed.site), read, previewed.segments)
          return content ?? (yield* NotFound.of("site"))
        }
        const base = yield* linkBase
        const named = siteOfUrl(base, input.url)
        if (named !== undefined) yield* dependOnScopes([scopeOfUrl(named)])
        const found = named === undefined ? undefined : yield* findSite(records, named)
        if (found === undefined) return yield* NotFound.of("site")
        const { site, segments } = found
        yield* dependOnScopes([CacheScope.organization(site.organization)])
        const hasKey = site.visibility === "share-link"
        const visitor = visitorOf(site, input.visitor ?? {}, hasKey ? segments[0] : undefined)
        const loaded = yield* visitors.load(visitor)
        const inside = hasKey ? segments.slice(1) : segments
        const admitted = yield* visitors.admitTo(loaded, visitor)
        const lookup: PublishedLookup | undefined =
          admitted === undefined
            ? redirectOf(loaded, input, inside)
            : presentContent(rootOf(base, site, admitted.shareKey), readBy(admitted, visitor), inside)
        return lookup ?? (yield* NotFound.of("site"))
      }
    ),

    locate: Effect.fnUntraced(function* (url: string) {
      const named = siteOfUrl(yield* linkBase, url)
      const found = named === undefined ? undefined : yield* findSite(records, named)
      if (found === undefined || !found.site.published || found.site.visibility === "share-link") {
        return yield* NotFound.of("site")
      }
      const { id, organization, visibility } = found.site
      return { site: id, organization, isPublic: visibility !== "visitor-auth" }
    }),

    getVersion: query(
      "PublishedContent.getVersion",
      { parameters: { content: ContentOf }, authorize: content.allowPublished },
      function* (_, resolved) {
        const { revision, visitor } = resolved
        const { version } = yield* computedPages.in(resolved)
        const site = visitor === undefined ? null : yield* visibleParts(visitor)
        return { version: hashOfJson([revision.id, version, site]) }
      }
    )
  }
})

/** Operations that find the content of published sites: see {@link PublishedContentOperations}. */
export class PublishedContent extends Context.Service<PublishedContent, PublishedContentOperations>()(
  "@lectern/core/PublishedContent"
) {
  static readonly layer: Layer.Layer<
    PublishedContent,
    never,
    Records | Operations | VisitorAccess | ContentAccess | ComputedPages
  > = Layer.effect(PublishedContent, makePublishedContent)
}
