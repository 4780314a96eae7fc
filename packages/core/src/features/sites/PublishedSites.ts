/** Operations on sites as their visitors can see them. */

import {
  type AccessError,
  type AdmittedVisitor,
  type Authorization,
  alsoForVisitors,
  CurrentUser,
  Operations,
  type Query,
  type ViewableSite,
  type VisitedSite,
  VisitorAccess,
  visibleCustomization
} from "@lectern/access"
import {
  dependOnScopes,
  makeLinkBase,
  makeVersionedCache,
  Records,
  type StorageUnavailable
} from "@lectern/kernel"
import { CacheScope } from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import type { Customization, PublishedSite, SiteStructure } from "@lectern/model/sites"
import { completeCustomization, defaultCustomization, SiteId, VisitorQuery } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { makeActiveScripts } from "./activeScripts.ts"
import { resolveFonts } from "./customizationFonts.ts"
import { SiteEditing, type SiteTarget } from "./SiteEditing.ts"
import { presentSite } from "./SiteView.ts"
import { presentStructure } from "./StructureView.ts"
import { customizationsOf, loadOverrides } from "./siteSpaceOverrides.ts"

/**
 * Operations on sites as their visitors can see them, on behalf of the `CurrentUser`. They fail with `NotFound` for a
 * site that the caller cannot see.
 */
export interface PublishedSitesOperations {
  /**
   * Returns the published site with its structure and customization, filtered for a visitor. Fails with `NotFound` if
   * the site is not published, or if it requires a share key or a visitor token and the given one is missing or
   * invalid. In a preview of a user without these credentials, returns the whole site, published or not.
   */
  readonly get: Query<
    { organization: OrganizationId; site: SiteId; input?: VisitorQuery },
    PublishedSite,
    AccessError
  >
  /**
   * Returns the structure of the site, published or not. With a share key or a visitor token, returns the structure
   * that this visitor can see, and fails with `NotFound` if the site is not published or does not admit the visitor.
   */
  readonly getStructure: Query<
    { organization: OrganizationId; site: SiteId; input?: VisitorQuery },
    SiteStructure,
    AccessError
  >
}

/** The capacity of the cache of published sites, in site-spaces of about 2 kB each. */
const maximumCachedSpaces = 20_000

/** The number of a caller's grants that take as much memory in the cache as one site-space. */
const grantsPerSpace = 20

const makeSiteViews = Effect.gen(function* () {
  const store = yield* Records
  const { allow } = yield* Operations

  const cached = makeVersionedCache<ViewableSite | PublishedSite>(
    store,
    "published sites",
    maximumCachedSpaces,
    {
      sizeOf: (value) =>
        1 +
        ("caller" in value ? Math.ceil(value.caller.granted.size / grantsPerSpace) : value.site.siteSpaces),
      bySnapshot: true
    }
  )

  const visitors = yield* VisitorAccess

  const viewSite = allow.site("view")

  /** Authorizes like `allow.site("view")`, but from the cache. */
  const viewSiteCached: Authorization<SiteTarget, ViewableSite, AccessError> = {
    rule: viewSite.rule,
    check: Effect.fnUntraced(function* ({ organization, site }) {
      return yield* cached<ViewableSite, AccessError | StorageUnavailable, CurrentUser>(
        {
          key: JSON.stringify(["access", organization, site, yield* CurrentUser]),
          scopes: () => [CacheScope.organization(organization), CacheScope.site(site)]
        },
        () => viewSite.check({ organization, site })
      )
    })
  }

  /** Authorizes like `viewSiteCached`, and admits visitors and other users to the published site. */
  const viewPublished: Authorization<
    SiteTarget & { readonly input?: VisitorQuery },
    { readonly viewable: ViewableSite } | { readonly admitted: AdmittedVisitor },
    AccessError
  > = {
    rule: alsoForVisitors(viewSite.rule),
    check: Effect.fnUntraced(function* (target) {
      const admitted = yield* visitors.current(target, target.input)
      if (admitted !== undefined) return { grant: admitted.grant, admitted }
      const seen = yield* visitors.viewOrAdmit(viewSiteCached.check(target), target, target.input)
      return { grant: "viewable" in seen ? seen.viewable.grant : seen.admitted.grant, ...seen }
    })
  }

  return { cached, viewPublished }
})

const makePublishedSites = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const editing = yield* SiteEditing
  const visitors = yield* VisitorAccess
  const linkBase = yield* makeLinkBase
  const { viewPublished, cached } = yield* makeSiteViews
  const { activeScripts } = yield* makeActiveScripts

  /** Presents a site to a visitor, or to a member as a preview, which has no claims. */
  const presentPublished = Effect.fnUntraced(function* (
    visited: VisitedSite & Partial<Pick<AdmittedVisitor, "claims">>
  ) {
    const { structure, shareKey, settings, claims } = visited
    const { site, sections, siteSpaces } = structure
    const customization = yield* resolveFonts(
      visited.grant.records,
      yield* linkBase,
      site.organization,
      settings.customization ?? defaultCustomization
    )
    const overrides = yield* loadOverrides(visited.grant.records, site)
    const visible = (one: Customization) =>
      completeCustomization(claims === undefined ? one : visibleCustomization(one, claims))
    const published: PublishedSite = {
      object: "published-content-site",
      site: presentSite(
        yield* linkBase,
        visited.caller,
        site,
        { sections: sections.length, siteSpaces: siteSpaces.length },
        shareKey
      ),
      structure: presentStructure(yield* editing.loadForView(visited, shareKey)),
      customizations: {
        site: completeCustomization(customization),
        siteSpaces: customizationsOf(customization, siteSpaces, overrides, visible)
      },
      scripts: yield* activeScripts(visited.grant.records, site, shareKey)
    }
    return published
  })

  return {
    get: query(
      "PublishedSites.get",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: VisitorQuery },
        authorize: viewPublished
      },
      function* ({ organization, site, input }, given) {
        if ("admitted" in given) return yield* presentPublished(given.admitted)
        const user = yield* CurrentUser
        const published = Effect.gen(function* () {
          const visited = yield* user.isPreview === true
            ? visitors.resolvePreview(given.viewable, input)
            : visitors.resolvePublished(given.viewable, input)
          yield* dependOnScopes(visited.structure.siteSpaces.map(({ space }) => CacheScope.space(space)))
          return yield* presentPublished(visited)
        })
        // The result depends on the expiry of the token, and not only on the store.
        if (input.visitorAuthToken !== undefined) return yield* published
        return yield* cached(
          {
            key: JSON.stringify(["published", organization, site, input.shareKey, yield* linkBase, user]),
            scopes: () => [CacheScope.organization(organization), CacheScope.site(site)]
          },
          () => published
        )
      }
    ),

    getStructure: query(
      "PublishedSites.getStructure",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: VisitorQuery },
        authorize: allow.site("view")
      },
      function* ({ input }, viewable) {
        const visited = yield* visitors.resolvePreview(viewable, input)
        return presentStructure(yield* editing.loadForView(visited, visited.shareKey))
      }
    )
  }
})

/** Operations on sites as their visitors can see them: see {@link PublishedSitesOperations}. */
export class PublishedSites extends Context.Service<PublishedSites, PublishedSitesOperations>()(
  "@lectern/core/PublishedSites"
) {
  static readonly layer: Layer.Layer<
    PublishedSites,
    never,
    Records | Operations | SiteEditing | VisitorAccess
  > = Layer.effect(PublishedSites, makePublishedSites)
}
