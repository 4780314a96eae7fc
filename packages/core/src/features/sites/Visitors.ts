/**
 * Authenticates visitors of sites, by the key of a share link or by a visitor token that is signed with the site's
 * private key. Missing or invalid credentials result in `NotFound`, as if the site did not exist.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer } from "effect"
import { jwtVerify } from "jose"
import type { Caller } from "../../access/Access.ts"
import type { Granted } from "../../access/grants/Grant.ts"
import { NotFound } from "../../kernel/errors.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { retainValidClaims } from "../../model/sites/AdaptiveSchema.ts"
import { type Claims, evaluateCondition } from "../../model/sites/conditions/evaluate.ts"
import { parseStoredCondition } from "../../model/sites/conditions/parsedCondition.ts"
import { type ShareLinkRow, shareLinks } from "../../model/sites/ShareLink.ts"
import type { SiteRow } from "../../model/sites/Site.ts"
import type { Structure } from "../../model/sites/SiteStructureRules.ts"
import { type SiteSettingsRow, siteSettings } from "../../model/sites/siteSettingsTable.ts"
import type { VisitorQuery } from "../../model/sites/VisitorQuery.ts"
import { loadStructure } from "../../views/sites/publishedSpaces.ts"
import { filterVisible } from "./filterVisible.ts"

/** A site that the caller can view: what `allow.site("view")` grants. */
export interface ViewableSite extends Granted {
  readonly caller: Caller
  readonly site: SiteRow
}

/** A site, filtered for the caller or for a visitor. */
export interface VisitedSite extends Granted {
  readonly caller: Caller
  readonly structure: Structure
  /** The share key that published URLs contain; undefined if they contain none. */
  readonly shareKey: string | undefined
  readonly settings: SiteSettingsRow
}

/** A site with the rows that the authentication of a visitor depends on. */
interface LoadedSite extends Granted {
  readonly caller: Caller
  readonly structure: Structure
  readonly settings: SiteSettingsRow
  /** The share link with the visitor's share key. */
  readonly link: ShareLinkRow | undefined
}

/** Whether a section or a site-space is visible to a visitor with these claims. */
const isVisibleTo =
  (claims: Claims) =>
  ({ condition }: { readonly condition: string | null }): boolean => {
    if (condition === null) return true
    const expression = parseStoredCondition(condition)
    return expression !== undefined && evaluateCondition(expression, claims)
  }

const makeVisitors = Effect.gen(function* () {
  /** Verifies a token. Returns undefined if its signature is invalid, if it is expired, or if it has no expiry. */
  const verifyToken = Effect.fnUntraced(function* (token: string, privateKey: string) {
    const currentDate = new Date(yield* Clock.currentTimeMillis)
    return yield* Effect.promise(
      (): Promise<Claims | undefined> =>
        jwtVerify(token, utf8ToBytes(privateKey), {
          algorithms: ["HS256"],
          requiredClaims: ["exp"],
          currentDate
        }).then(
          ({ payload }) => payload,
          () => undefined
        )
    )
  })

  /**
   * Returns the claims of a visitor, empty without a valid token. Returns undefined if the visibility of the site
   * requires credentials that are missing or invalid.
   */
  const authenticateVisitor = Effect.fnUntraced(function* (
    { visibility }: SiteRow,
    { privateKey, adaptiveSchema }: SiteSettingsRow,
    { visitorAuthToken }: VisitorQuery,
    link: ShareLinkRow | undefined
  ) {
    const claims =
      visitorAuthToken === undefined ? undefined : yield* verifyToken(visitorAuthToken, privateKey)
    if (visibility === "visitor-auth" && claims === undefined) return undefined
    if (visibility === "share-link" && link?.active !== true) return undefined
    if (claims === undefined) return {}
    return adaptiveSchema === null ? claims : retainValidClaims(adaptiveSchema.jsonSchema, claims)
  })

  const load = Effect.fnUntraced(function* (
    { caller, site, grant }: ViewableSite,
    { shareKey }: VisitorQuery
  ): Effect.fn.Return<LoadedSite, StorageUnavailable> {
    const { records } = grant
    const [structure, [settings, link]] = yield* records.zipConcurrent(
      loadStructure(records, site),
      records.zipConcurrent(
        records.get(siteSettings, { site: site.id }),
        shareKey === undefined
          ? Effect.succeed(undefined)
          : records.first(shareLinks, {
              where: Where.and<ShareLinkRow>(Where.eq("site", site.id), Where.eq("key", shareKey))
            })
      )
    )
    return { grant, caller, structure, link, settings: settings! }
  })

  const filterForVisitor = Effect.fnUntraced(function* (
    { grant, caller, structure, link, settings }: LoadedSite,
    query: VisitorQuery
  ): Effect.fn.Return<VisitedSite, NotFound> {
    const { site } = structure
    const claims = site.published ? yield* authenticateVisitor(site, settings, query, link) : undefined
    if (claims === undefined) return yield* NotFound.of("site")
    return {
      grant,
      caller,
      structure: filterVisible(structure, isVisibleTo(claims)),
      shareKey: site.visibility === "share-link" ? link?.key : undefined,
      settings
    }
  })

  return {
    /**
     * Loads a published site, filtered for a visitor. Fails with `NotFound` if it is not published or does not admit
     * the visitor.
     */
    resolvePublished: Effect.fnUntraced(function* (
      site: ViewableSite,
      query: VisitorQuery
    ): Effect.fn.Return<VisitedSite, NotFound | StorageUnavailable> {
      return yield* filterForVisitor(yield* load(site, query), query)
    }),

    /**
     * Loads a site, published or not. If the query has a share key or a visitor token, filters it like
     * `resolvePublished`; otherwise returns it unfiltered, as a preview for the caller.
     */
    resolvePreview: Effect.fnUntraced(function* (
      site: ViewableSite,
      query: VisitorQuery
    ): Effect.fn.Return<VisitedSite, NotFound | StorageUnavailable> {
      const loaded = yield* load(site, query)
      if (query.shareKey !== undefined || query.visitorAuthToken !== undefined) {
        return yield* filterForVisitor(loaded, query)
      }
      const { grant, caller, structure, settings } = loaded
      return { grant, caller, structure, shareKey: undefined, settings }
    })
  }
})

/** The methods of {@link Visitors}. */
export interface VisitorsService extends Effect.Success<typeof makeVisitors> {}

/** Authenticates visitors of sites, and loads sites as these visitors can see them. */
export class Visitors extends Context.Service<Visitors, VisitorsService>()("@lectern/core/Visitors") {
  static readonly layer: Layer.Layer<Visitors, never> = Layer.effect(Visitors, makeVisitors)
}
