/** Operations on sites as their visitors can see them. */

import { OrganizationId } from "@lectern/model/organizations"
import type { Customization, PublishedSite, SiteStructure } from "@lectern/model/sites"
import { defaultCustomization, SiteId, VisitorQuery } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { type Authorization, alsoForVisitors } from "../../access/operations/Authorization.ts"
import type { AccessError, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import {
  type AdmittedVisitor,
  type ViewableSite,
  VisitorAccess
} from "../../access/visitors/VisitorAccess.ts"
import { visibleCustomization } from "../../access/visitors/verifyVisitor.ts"
import { makeLinkBase } from "../../kernel/network/PublicUrl.ts"
import { Records } from "../../kernel/storage/index.ts"
import { snapshotCache } from "../../kernel/storage/snapshotCache.ts"
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
   * invalid.
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

/** A site that the caller can view, with the snapshot of the store that it was read from. */
interface ViewableSnapshot extends ViewableSite {
  /** Undefined in a transaction, in which nothing is cached. */
  readonly snapshot: string | undefined
}

/** The capacity of the cache of published sites, in site-spaces of about 2 kB each. */
const maximumCachedSpaces = 20_000

/** The number of a caller's grants that take as much memory in the cache as one site-space. */
const grantsPerSpace = 20

const makePublishedSites = Effect.gen(function* () {
  const store = yield* Records
  const { query, allow } = yield* Operations
  const cached = snapshotCache(store, "published sites", maximumCachedSpaces)
  const editing = yield* SiteEditing
  const visitors = yield* VisitorAccess
  const linkBase = yield* makeLinkBase

  const viewSite = allow.site("view")

  /**
   * Authorizes like `allow.site("view")`, but from the cache: a repeated request issues one query, for the snapshot.
   */
  const viewSiteCached: Authorization<SiteTarget, ViewableSnapshot, AccessError> = {
    rule: viewSite.rule,
    check: Effect.fnUntraced(function* (target) {
      const snapshot = yield* store.snapshot
      const viewable = yield* cached(
        ["access", target.organization, target.site, yield* CurrentUser],
        viewSite.check(target),
        ({ caller }) => 1 + Math.ceil(caller.granted.size / grantsPerSpace),
        Effect.succeed(snapshot)
      )
      return { ...viewable, snapshot }
    })
  }

  /** Authorizes like `viewSiteCached`, and admits visitors and other users to the published site. */
  const viewPublished: Authorization<
    SiteTarget & { readonly input?: VisitorQuery },
    { readonly viewable: ViewableSnapshot } | { readonly admitted: AdmittedVisitor },
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

  const presentPublished = Effect.fnUntraced(function* (visited: AdmittedVisitor) {
    const { structure, shareKey, settings, claims } = visited
    const { site, sections, siteSpaces } = structure
    const customization = settings.customization ?? defaultCustomization
    const overrides = yield* loadOverrides(visited.grant.records, site)
    const visible = (one: Customization) => visibleCustomization(one, claims)
    const published: PublishedSite = {
      object: "published-content-site",
      site: presentSite(
        yield* linkBase,
        site,
        { sections: sections.length, siteSpaces: siteSpaces.length },
        shareKey
      ),
      structure: presentStructure(yield* editing.loadForView(visited, shareKey)),
      customizations: {
        site: customization,
        siteSpaces: customizationsOf(customization, siteSpaces, overrides, visible)
      },
      scripts: []
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
        const { snapshot, ...viewable } = given.viewable
        const published = Effect.flatMap(visitors.resolvePublished(viewable, input), presentPublished)
        // The result depends on the expiry of the token, and not only on the snapshot.
        if (input.visitorAuthToken !== undefined) return yield* published
        return yield* cached(
          ["published", organization, site, input.shareKey, yield* linkBase, yield* CurrentUser],
          published,
          ({ site }) => 1 + site.siteSpaces,
          Effect.succeed(snapshot)
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
