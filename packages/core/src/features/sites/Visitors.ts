/**
 * Who visits a site, by what they show: the key of a share link, or a token that the site's own key signed. What is
 * not good enough is answered as if there were no site.
 */

import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer } from "effect"
import { jwtVerify } from "jose"
import { Access, type Caller } from "../../access/Access.ts"
import { NotFound } from "../../kernel/errors.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import { fitting } from "../../model/sites/AdaptiveSchema.ts"
import { type Claims, holds } from "../../model/sites/conditions/evaluate.ts"
import { parsed } from "../../model/sites/conditions/parsedCondition.ts"
import { type ShareLinkRow, shareLinks } from "../../model/sites/ShareLink.ts"
import type { SiteId, SiteRow } from "../../model/sites/Site.ts"
import type { Structure } from "../../model/sites/SiteStructureRules.ts"
import { type SiteSettingsRow, siteSettings } from "../../model/sites/siteSettingsTable.ts"
import type { VisitorQuery } from "../../model/sites/VisitorQuery.ts"
import { loadStructure } from "../../views/sites/publishedSpaces.ts"
import { only } from "./filterVisible.ts"

/** A site as somebody sees it. */
export interface SeenSite {
  readonly caller: Caller
  readonly structure: Structure
  /** The key that addresses have in them; undefined where none is needed. */
  readonly shareKey: string | undefined
  readonly settings: SiteSettingsRow
}

/** Whether something that has a condition, or none, is shown to a visitor with these claims. */
const isShown =
  (claims: Claims) =>
  ({ condition }: { readonly condition: string | null }): boolean => {
    if (condition === null) return true
    const expression = parsed(condition)
    return expression !== undefined && holds(expression, claims)
  }

const makeVisitors = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access

  /** The claims of a token; undefined where it is not good: not signed by the site's key, or over, or without an end. */
  const claimsOf = Effect.fnUntraced(function* (token: string, privateKey: string) {
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

  /** What a visitor claims, where the site is for them; undefined where it is not. */
  const admit = Effect.fnUntraced(function* (
    { visibility }: SiteRow,
    { privateKey, adaptiveSchema }: SiteSettingsRow,
    { visitorAuthToken }: VisitorQuery,
    link: ShareLinkRow | undefined
  ) {
    const claims = visitorAuthToken === undefined ? undefined : yield* claimsOf(visitorAuthToken, privateKey)
    if (visibility === "visitor-auth" && claims === undefined) return undefined
    if (visibility === "share-link" && link?.active !== true) return undefined
    if (claims === undefined) return {}
    return adaptiveSchema === null ? claims : fitting(adaptiveSchema.jsonSchema, claims)
  })

  const load = Effect.fnUntraced(function* (
    organization: OrganizationId,
    id: SiteId,
    { shareKey }: VisitorQuery
  ) {
    const { caller, site } = yield* access.site(organization, id, "view")
    const [structure, [settings, link]] = yield* records.both(
      loadStructure(records, site),
      records.both(
        records.get(siteSettings, { site: id }),
        shareKey === undefined
          ? Effect.succeed(undefined)
          : records.first(shareLinks, {
              where: Where.and<ShareLinkRow>(Where.eq("site", id), Where.eq("key", shareKey))
            })
      )
    )
    return { caller, structure, link, settings: settings! }
  })

  const visit = Effect.fnUntraced(function* (
    { caller, structure, link, settings }: Effect.Success<ReturnType<typeof load>>,
    query: VisitorQuery
  ) {
    const { site } = structure
    const claims = site.published ? yield* admit(site, settings, query, link) : undefined
    if (claims === undefined) return yield* NotFound.of("site")
    const seen: SeenSite = {
      caller,
      structure: only(structure, isShown(claims)),
      shareKey: site.visibility === "share-link" ? link?.key : undefined,
      settings
    }
    return seen
  })

  return {
    /** A published site, as a visitor sees it. */
    visit: Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId, query: VisitorQuery) {
      return yield* visit(yield* load(organization, id, query), query)
    }),

    /** A site as a visitor sees it, where a key or a token is shown; else all of it, as those do who work on it. */
    see: Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId, query: VisitorQuery) {
      const loaded = yield* load(organization, id, query)
      if (query.shareKey !== undefined || query.visitorAuthToken !== undefined) {
        return yield* visit(loaded, query)
      }
      const { caller, structure, settings } = loaded
      const seen: SeenSite = { caller, structure, shareKey: undefined, settings }
      return seen
    })
  }
})

/** See the module's comment. */
export class Visitors extends Context.Service<Visitors, Effect.Success<typeof makeVisitors>>()(
  "@lectern/core/Visitors"
) {
  static readonly layer: Layer.Layer<Visitors, never, Records | Access> = Layer.effect(Visitors, makeVisitors)
}
