/** Operations on sites as their visitors can see them. */
import { Context, Effect, Layer } from "effect"
import { CurrentUser } from "../../access/CurrentUser.ts"
import type { Authorization } from "../../access/operations/Authorization.ts"
import type { AccessError, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { Records } from "../../kernel/storage/index.ts"
import { snapshotCache } from "../../kernel/storage/snapshotCache.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import { defaultCustomization } from "../../model/sites/Customization.ts"
import type { PublishedSite } from "../../model/sites/PublishedSite.ts"
import { SiteId } from "../../model/sites/Site.ts"
import type { SiteStructure } from "../../model/sites/SiteStructure.ts"
import { VisitorQuery } from "../../model/sites/VisitorQuery.ts"
import { SiteEditing, type SiteTarget } from "./SiteEditing.ts"
import { presentSite } from "./SiteView.ts"
import { presentStructure } from "./StructureView.ts"
import { type ViewableSite, Visitors } from "./Visitors.ts"

/** Operations on sites as their visitors can see them, on behalf of the `CurrentUser`. */
export interface PublishedSitesOperations {
  /**
   * Returns the published site with its structure and customization, filtered for a visitor. Fails with `NotFound` when
   * the site is not published, and when the share key or the visitor token does not admit the visitor.
   */
  readonly get: Query<
    { organization: OrganizationId; site: SiteId; input?: VisitorQuery },
    PublishedSite,
    AccessError
  >
  /**
   * Returns the structure of the site, published or not. With a share key or a visitor token, returns the structure
   * that this visitor can see, and fails with `NotFound` when the site does not admit them.
   */
  readonly getStructure: Query<
    { organization: OrganizationId; site: SiteId; input?: VisitorQuery },
    SiteStructure,
    AccessError
  >
}

/** A site that the caller can view, as of a snapshot of the store. */
interface ViewableSnapshot extends ViewableSite {
  /** Undefined in a transaction. */
  readonly snapshot: string | undefined
}

/** The size of the cache of published sites, in spaces on them: about 2 kB each. */
const cachedSpaces = 20_000

/** How many roles of a caller, granted by space or collection, take as much memory as one space on a site. */
const grantsPerSpace = 20

const makePublishedSites = Effect.gen(function* () {
  const store = yield* Records
  const { query, allow } = yield* Operations
  const cached = snapshotCache(store, cachedSpaces)
  const editing = yield* SiteEditing
  const visitors = yield* Visitors
  const base = yield* PublicUrl

  const viewSite = allow.site("view")

  /** Authorizes like `allow.site("view")`, from the cache: a repeated request costs one query, of the snapshot. */
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

  const loadPublished = Effect.fnUntraced(function* (viewable: ViewableSite, input: VisitorQuery) {
    const visited = yield* visitors.visit(viewable, input)
    const { structure, shareKey, settings } = visited
    const { site, sections, siteSpaces } = structure
    const published: PublishedSite = {
      object: "published-content-site",
      site: presentSite(base, site, { sections: sections.length, siteSpaces: siteSpaces.length }, shareKey),
      structure: presentStructure(yield* editing.loadForView(visited, shareKey)),
      customizations: { site: settings.customization ?? defaultCustomization, siteSpaces: {} },
      scripts: []
    }
    return published
  })

  return {
    get: query(
      "PublishedSites.get",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: VisitorQuery },
        authorize: viewSiteCached
      },
      function* ({ organization, site, input }, { snapshot, ...viewable }) {
        const published = loadPublished(viewable, input)
        // A token expires without a change of the store.
        if (input.visitorAuthToken !== undefined) return yield* published
        return yield* cached(
          ["published", organization, site, input.shareKey, yield* CurrentUser],
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
        const visited = yield* visitors.open(viewable, input)
        return presentStructure(yield* editing.loadForView(visited, visited.shareKey))
      }
    )
  }
})

/** Operations on sites as their visitors can see them: see {@link PublishedSitesOperations}. */
export class PublishedSites extends Context.Service<PublishedSites, PublishedSitesOperations>()(
  "@lectern/core/PublishedSites"
) {
  static readonly layer: Layer.Layer<PublishedSites, never, Records | Operations | SiteEditing | Visitors> =
    Layer.effect(PublishedSites, makePublishedSites)
}
