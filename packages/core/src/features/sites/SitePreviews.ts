/** The operation that returns the URL of a published site for a visitor with given claims. */

import { type AccessError, decryptPrivateKey, loadStructure, Operations, type Query } from "@lectern/access"
import { Encryption, PublicUrl, Where } from "@lectern/kernel"
import { rootOf, type ShareLinkRow, shareLinks, siteSettings, siteSpaceUrl } from "@lectern/kernel/tables"
import { InvalidInput, NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { PreviewSite, SiteId, type SitePreview } from "@lectern/model/sites"
import { Clock, Context, Effect, Layer } from "effect"
import { RISON } from "rison2"
import { signPreviewClaims } from "../organizations/visitorClaims.ts"

/** The operation that returns the URL of a published site for a visitor, on behalf of the `CurrentUser`. */
export interface SitePreviewsOperations {
  /**
   * Returns the URL of a site-space of the published site, with a visitor token that states the given claims and is valid for one hour.
   * Requires the role `admin`, like the private key with which the token is signed. Fails with `NotFound` if the site is not
   * published, or if it is visited by share links and none is active, and with `InvalidInput` for claims that are not an
   * object in Rison and for a site-space that is not on the site.
   */
  readonly get: Query<
    { organization: OrganizationId; site: SiteId; input?: PreviewSite },
    SitePreview,
    AccessError
  >
}

/** Parses claims. Fails with `InvalidInput` for anything except an object. */
const parseClaims = (text: string): Effect.Effect<Readonly<Record<string, unknown>>, InvalidInput> =>
  Effect.try({
    try: (): unknown => RISON.parse(text),
    catch: () => InvalidInput.at("claims", "must be an object in Rison, such as (plan:pro)")
  }).pipe(
    Effect.flatMap((claims) =>
      typeof claims === "object" && claims !== null && !Array.isArray(claims)
        ? Effect.succeed(claims as Readonly<Record<string, unknown>>)
        : Effect.fail(InvalidInput.at("claims", "must be an object in Rison, such as (plan:pro)"))
    )
  )

const makeSitePreviews = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const encryption = yield* Encryption
  const issuer = yield* PublicUrl

  return {
    get: query(
      "SitePreviews.get",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: PreviewSite },
        authorize: allow.site("configure"),
        audited: true
      },
      function* ({ site: id, input }, { records, site }) {
        const claims = input.claims === undefined ? {} : yield* parseClaims(input.claims)
        if (!site.published) return yield* NotFound.of("site")
        const [structure, [settings, link]] = yield* records.zipConcurrent(
          loadStructure(records, site),
          records.zipConcurrent(
            records.get(siteSettings, { site: id }, ["privateKey"]),
            records.first(shareLinks, {
              where: Where.and<ShareLinkRow>(Where.eq("site", id), Where.eq("active", true)),
              orderBy: ["id"]
            })
          )
        )
        if (site.visibility === "share-link" && link === undefined) return yield* NotFound.of("share link")
        const root = rootOf(issuer, site, site.visibility === "share-link" ? link?.key : undefined)
        const siteSpace = structure.siteSpaces.find((row) => row.id === input.siteSpace)
        if (siteSpace === undefined && input.siteSpace !== undefined) {
          return yield* InvalidInput.at("siteSpace", "must be the id of a site-space of the site")
        }
        const key = yield* decryptPrivateKey(encryption, id, settings)
        if (key === undefined) return yield* NotFound.of("site")
        const url = new URL(siteSpace === undefined ? root : siteSpaceUrl(structure, root, siteSpace))
        const token = yield* signPreviewClaims(key, claims, issuer, yield* Clock.currentTimeMillis)
        url.searchParams.set("jwt_token", token)
        return { url: url.href }
      }
    )
  }
})

/** The operation that returns the URLs of previews: see {@link SitePreviewsOperations}. */
export class SitePreviews extends Context.Service<SitePreviews, SitePreviewsOperations>()(
  "@lectern/core/SitePreviews"
) {
  static readonly layer: Layer.Layer<SitePreviews, never, Operations | Encryption> = Layer.effect(
    SitePreviews,
    makeSitePreviews
  )
}
