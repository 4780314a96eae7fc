/** Resolves redirects of a site to URLs, for a caller who sees a part of the site. */

import type { CurrentUser, VisitedSite } from "@lectern/access"
import { makeLinkBase, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  formerLocations,
  leadsToItself,
  locateSiteSpace,
  type Placed,
  redirectFrom,
  type redirectOf,
  rootOf,
  type SiteRedirectRow,
  type SiteSpaceRow,
  sectionUrl,
  segmentsOf,
  siteRedirects,
  siteSpacesIn,
  siteSpaceUrl,
  sourcesFor,
  targetOf
} from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import type { SiteSpaceId } from "@lectern/model/sites"
import { type SiteRedirectDestination, SiteRedirectId, type SiteRedirectTarget } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { ComputedPages } from "../content/ComputedPages.ts"
import { ContentAccess, type ResolvedContent } from "../content/ContentAccess.ts"
import { PageMoves } from "../content/PageMoves.ts"

/** A redirect with the URL of its destination. */
export interface FoundRedirect {
  readonly redirect: Parameters<typeof redirectOf>[0]
  readonly target: string
}

const findSiteSpace = ({ structure }: VisitedSite, id: SiteSpaceId): SiteSpaceRow | undefined =>
  structure.siteSpaces.find((row) => row.id === id)

const makePageUrls = Effect.gen(function* () {
  const content = yield* ContentAccess
  const computedPages = yield* ComputedPages
  const linkBase = yield* makeLinkBase

  const rootOfSite = ({ structure, shareKey }: VisitedSite) =>
    Effect.map(linkBase, (base) => rootOf(base, structure.site, shareKey))

  /** Opens the content of a site-space; undefined if the caller cannot read it. */
  const openContent = ({ space }: SiteSpaceRow) =>
    Effect.catchTags(content.open({ space }, "read"), {
      NotFound: () => Effect.succeed(undefined),
      Forbidden: () => Effect.succeed(undefined),
      Conflict: () => Effect.succeed(undefined),
      Gone: () => Effect.succeed(undefined)
    })

  const urlOfPage = Effect.fnUntraced(function* (
    visited: VisitedSite,
    siteSpace: SiteSpaceRow,
    { tree }: ResolvedContent,
    { page }: Placed
  ): Effect.fn.Return<string, StorageUnavailable> {
    const above = (yield* tree.above(page)).toReversed()
    const slugs = [...above.map((ancestor) => ancestor.page.slug), page.slug]
    const url = siteSpaceUrl(visited.structure, yield* rootOfSite(visited), siteSpace)
    return url + slugs.map(encodeURIComponent).join("/")
  })

  /** Finds a page, stored or computed, by its id. */
  const findPage = Effect.fnUntraced(function* (
    resolved: ResolvedContent,
    id: PageId
  ): Effect.fn.Return<Placed | undefined, StorageUnavailable> {
    const page = yield* resolved.tree.page(id)
    if (page !== undefined) return page.slug === "" ? undefined : { id, page }
    return (yield* computedPages.in(resolved)).pages.find((placed) => placed.id === id)
  })

  return { rootOfSite, openContent, urlOfPage, findPage }
})

const makeDestinations = Effect.gen(function* () {
  const computedPages = yield* ComputedPages
  const moves = yield* PageMoves
  const urls = yield* makePageUrls
  const { rootOfSite, openContent, findPage, urlOfPage } = urls

  /**
   * Returns the URL of a destination. Returns undefined if it no longer exists, or if the caller cannot see it, also as a
   * part of the site that is filtered for them.
   */
  const urlOf = Effect.fnUntraced(function* (
    visited: VisitedSite,
    destination: SiteRedirectDestination
  ): Effect.fn.Return<string | undefined, StorageUnavailable, CurrentUser> {
    const { structure } = visited
    if (destination.kind === "external") return new URL(destination.url).href
    if (destination.kind === "site-section") {
      const section = structure.sectionById.get(destination.siteSectionId)
      const isEmpty = section === undefined || siteSpacesIn(structure, section.id).length === 0
      return isEmpty ? undefined : sectionUrl(structure, yield* rootOfSite(visited), section)
    }
    const siteSpace = findSiteSpace(visited, destination.siteSpaceId)
    if (siteSpace === undefined) return undefined
    if (destination.kind === "site-space")
      return siteSpaceUrl(structure, yield* rootOfSite(visited), siteSpace)
    const resolved = yield* openContent(siteSpace)
    if (resolved === undefined) return undefined
    const placed = yield* findPage(resolved, destination.pageId)
    return placed === undefined ? undefined : yield* urlOfPage(visited, siteSpace, resolved, placed)
  })

  /** Finds the page at a path of a space, also at a former one. */
  const findAt = Effect.fnUntraced(function* (siteSpace: SiteSpaceRow, slugs: ReadonlyArray<string>) {
    const resolved = yield* openContent(siteSpace)
    if (resolved === undefined) return undefined
    const computed = yield* computedPages.in(resolved)
    const placed = yield* moves.find(siteSpace.space, resolved.tree, computed, slugs)
    return placed === undefined || placed.page.slug === "" ? undefined : { resolved, placed }
  })

  return {
    ...urls,
    urlOf,
    findAt,

    /** Returns the destination that a request names; undefined if it does not exist, or the caller cannot see it. */
    resolve: Effect.fnUntraced(function* (
      visited: VisitedSite,
      given: SiteRedirectTarget
    ): Effect.fn.Return<SiteRedirectDestination | undefined, StorageUnavailable, CurrentUser> {
      if (given.kind !== "path") return (yield* urlOf(visited, given)) === undefined ? undefined : given
      const siteSpace = visited.structure.siteSpaces.find(({ space }) => space === given.spaceId)
      const slugs = segmentsOf(given.path)
      if (siteSpace === undefined || slugs === undefined) return undefined
      if (slugs.length === 0) return { kind: "site-space", siteSpaceId: siteSpace.id }
      const found = yield* findAt(siteSpace, slugs)
      return found && { kind: "site-page", siteSpaceId: siteSpace.id, pageId: found.placed.id }
    }),

    /** Whether a redirect leads to paths that it matches itself. */
    leadsToItself: Effect.fnUntraced(function* (
      visited: VisitedSite,
      redirect: Pick<SiteRedirectRow, "source" | "captureWildcard" | "destination">
    ): Effect.fn.Return<boolean, StorageUnavailable, CurrentUser> {
      if (!redirect.captureWildcard || !redirect.source.endsWith("*")) return false
      const url = yield* urlOf(visited, redirect.destination)
      return url !== undefined && leadsToItself(redirect, { url, root: yield* rootOfSite(visited) })
    })
  }
})

/** Returns a redirect that is not stored. It is not permanent if a later change of the site can return the path to its former page. */
const movedTo = (
  source: string,
  destination: Extract<SiteRedirectDestination, { readonly kind: "site-page" | "site-space" }>,
  target: string,
  permanent: boolean
): FoundRedirect => {
  const { siteSpaceId } = destination
  const moved = destination.kind === "site-page" ? destination.pageId : siteSpaceId
  return {
    redirect: {
      id: SiteRedirectId.make(`moved-${moved}`),
      source,
      destination,
      draft: false,
      captureWildcard: false,
      permanent,
      createdBy: siteSpaceId,
      changed: siteSpaceId
    },
    target
  }
}

const makeRedirectTargets = Effect.gen(function* () {
  const { rootOfSite, urlOf, findAt, urlOfPage, resolve, leadsToItself } = yield* makeDestinations

  /** Finds a redirect that was set for a path. */
  const findStored = Effect.fnUntraced(function* (
    visited: VisitedSite,
    source: string
  ): Effect.fn.Return<FoundRedirect | undefined, StorageUnavailable, CurrentUser> {
    const { site } = visited.structure
    const rows = yield* visited.grant.records.find(siteRedirects, {
      where: Where.and<SiteRedirectRow>(
        Where.eq("site", site.id),
        Where.isIn("source", sourcesFor(source)),
        Where.eq("draft", false)
      )
    })
    const row = redirectFrom(rows, source)
    const url = row === undefined ? undefined : yield* urlOf(visited, row.destination)
    if (row === undefined || url === undefined) return undefined
    const target = targetOf(row, { url, root: yield* rootOfSite(visited) }, source)
    return target === undefined ? undefined : { redirect: row, target }
  })

  /** Finds the page that had a path before it moved or was renamed. */
  const findMoved = Effect.fnUntraced(function* (
    visited: VisitedSite,
    source: string
  ): Effect.fn.Return<FoundRedirect | undefined, StorageUnavailable, CurrentUser> {
    const segments = segmentsOf(source) ?? []
    const location = locateSiteSpace(visited.structure, segments)
    if (location === undefined) return undefined
    const slugs = segments.slice(location.consumed)
    const found = yield* findAt(location.siteSpace, slugs)
    if (found === undefined) return undefined
    const { resolved, placed } = found
    const target = yield* urlOfPage(visited, location.siteSpace, resolved, placed)
    const own = siteSpaceUrl(visited.structure, yield* rootOfSite(visited), location.siteSpace)
    // A page that is at this path already needs no redirect, which would be a loop.
    if (target === own + slugs.map(encodeURIComponent).join("/")) return undefined
    const destination: SiteRedirectDestination = {
      kind: "site-page",
      siteSpaceId: location.siteSpace.id,
      pageId: placed.id
    }
    return movedTo(source, destination, target, true)
  })

  /** Finds the page or the space that had a path while another section or site-space was the default. */
  const findFormer = Effect.fnUntraced(function* (
    visited: VisitedSite,
    source: string
  ): Effect.fn.Return<FoundRedirect | undefined, StorageUnavailable, CurrentUser> {
    const { structure } = visited
    for (const { siteSpace, slugs } of formerLocations(structure, segmentsOf(source) ?? [])) {
      const siteSpaceId = siteSpace.id
      if (slugs.length === 0) {
        const target = siteSpaceUrl(structure, yield* rootOfSite(visited), siteSpace)
        return movedTo(source, { kind: "site-space", siteSpaceId }, target, false)
      }
      const found = yield* findAt(siteSpace, slugs)
      if (found === undefined) continue
      const target = yield* urlOfPage(visited, siteSpace, found.resolved, found.placed)
      return movedTo(source, { kind: "site-page", siteSpaceId, pageId: found.placed.id }, target, false)
    }
    return undefined
  })

  return {
    resolve,
    leadsToItself,

    /**
     * Finds the redirect for a path on the site: one that was set, or one to the page that had the path before, also while another
     * section or site-space was the default. Returns undefined for other paths, and if the caller cannot see the destination.
     */
    find: Effect.fnUntraced(function* (
      visited: VisitedSite,
      source: string
    ): Effect.fn.Return<FoundRedirect | undefined, StorageUnavailable, CurrentUser> {
      return (
        (yield* findStored(visited, source)) ??
        (yield* findMoved(visited, source)) ??
        (yield* findFormer(visited, source))
      )
    })
  }
})

/** The methods of {@link RedirectTargets}. */
export interface RedirectTargetsService extends Effect.Success<typeof makeRedirectTargets> {}

/** Resolves redirects of a site to URLs. */
export class RedirectTargets extends Context.Service<RedirectTargets, RedirectTargetsService>()(
  "@lectern/core/RedirectTargets"
) {
  static readonly layer: Layer.Layer<
    RedirectTargets,
    never,
    Records | ContentAccess | ComputedPages | PageMoves
  > = Layer.effect(RedirectTargets, makeRedirectTargets)
}
