/** What callers do with the share links of a site. */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Access } from "../../access/Access.ts"
import { NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import {
  CreateShareLink,
  type ShareLink,
  ShareLinkId,
  type ShareLinkRow,
  shareLinks,
  UpdateShareLink
} from "../../model/sites/ShareLink.ts"
import { SiteId, type SiteRow } from "../../model/sites/Site.ts"
import { rootOf } from "../../model/sites/SiteStructureRules.ts"

/** How long a key is, in bytes: nobody finds one by trying. */
const keyBytes = 24

const makeShareLinks = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const ids = yield* Ids
  const base = yield* PublicUrl
  const random = yield* SecureRandom.SecureRandom

  const change = command(records)

  const present = (site: SiteRow, row: ShareLinkRow): ShareLink => ({
    object: "share-link",
    id: row.id,
    createdAt: row.createdAt,
    name: row.name,
    active: row.active,
    urls: { published: rootOf(base, site, row.key) }
  })

  const load = Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId, link: ShareLinkId) {
    const [{ site }, row] = yield* records.both(
      access.site(organization, id, "edit"),
      records.get(shareLinks, { id: link })
    )
    if (row?.site !== id) return yield* NotFound.of("share link")
    return { site, row }
  })

  return {
    /** The share links of a site, newest first. Who sees them can hand them on, so it needs the role to make them. */
    list: query([OrganizationId, SiteId, PageQuery], function* (organization, id, page) {
      const { site } = yield* access.site(organization, id, "edit")
      return yield* readPage(records, page, {
        table: shareLinks,
        list: ["share links", id],
        where: Where.eq<ShareLinkRow, "site">("site", id),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => Effect.succeed(rows.map((row) => present(site, row)))
      })
    }),

    /** Makes a share link. */
    create: change([OrganizationId, SiteId, CreateShareLink], function* (organization, id, { name }) {
      const { site } = yield* access.site(organization, id, "edit")
      const row: ShareLinkRow = {
        id: ShareLinkId.make(yield* ids.next),
        site: id,
        name,
        active: true,
        key: Base64Url.encode(yield* random.randomBytes(keyBytes)),
        createdAt: yield* now
      }
      yield* records.insert(shareLinks, row)
      return present(site, row)
    }),

    /** Changes what is given. One that is not active opens nothing. */
    update: change(
      [OrganizationId, SiteId, ShareLinkId, UpdateShareLink],
      function* (organization, id, link, input) {
        const { site, row } = yield* load(organization, id, link)
        yield* records.update(shareLinks, Where.eq("id", link), input)
        return present(site, { ...row, ...input })
      }
    ),

    /** Removes the link. Its key opens nothing any more. */
    remove: change([OrganizationId, SiteId, ShareLinkId], function* (organization, id, link) {
      yield* load(organization, id, link)
      yield* records.remove(shareLinks, Where.eq("id", link))
    })
  }
})

/** See the module's comment. */
export class ShareLinks extends Context.Service<ShareLinks, Effect.Success<typeof makeShareLinks>>()(
  "@lectern/core/ShareLinks"
) {
  static readonly layer: Layer.Layer<ShareLinks, never, Records | Access | Ids> = Layer.effect(
    ShareLinks,
    makeShareLinks
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
