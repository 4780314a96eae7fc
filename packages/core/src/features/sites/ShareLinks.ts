/** Operations on the share links of a site. */

import {
  type AccessError,
  type Authorization,
  type Command,
  CurrentUser,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { Ids, makeLinkBase, now, readPage, Where } from "@lectern/kernel"
import { rootOf, type ShareLinkRow, type SiteRow, shareLinks } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import { CreateShareLink, type ShareLink, ShareLinkId, SiteId, UpdateShareLink } from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { SiteTarget } from "./SiteEditing.ts"

/**
 * Operations on the share links of a site, on behalf of the `CurrentUser`. All require the role `create` in the
 * organization, because a share link contains its secret key: they fail with `Forbidden` if the caller's role is too
 * low, and with `NotFound` for a site that the caller cannot see or a link that is not on it.
 */
export interface ShareLinksOperations {
  /** Lists the share links of a site, newest first. */
  readonly list: Query<
    { organization: OrganizationId; site: SiteId; input?: PageQuery },
    Page<ShareLink>,
    AccessError
  >
  /** Creates an active share link with a random key. */
  readonly create: Command<
    { organization: OrganizationId; site: SiteId; input: CreateShareLink },
    ShareLink,
    AccessError
  >
  /** Updates the given fields. A link that is not active admits no visitors. */
  readonly update: Command<
    { organization: OrganizationId; site: SiteId; shareLink: ShareLinkId; input?: UpdateShareLink },
    ShareLink,
    AccessError
  >
  /** Permanently removes the share link. Its key no longer admits visitors. */
  readonly remove: Command<
    { organization: OrganizationId; site: SiteId; shareLink: ShareLinkId },
    void,
    AccessError
  >
}

/** The length of a key, in bytes: 192 bits, too many to guess. */
const keyBytes = 24

const presentShareLink = (base: string, site: SiteRow, row: ShareLinkRow): ShareLink => ({
  object: "share-link",
  id: row.id,
  createdAt: row.createdAt,
  name: row.name,
  active: row.active,
  urls: { published: rootOf(base, site, row.key) }
})

const makeShareLinks = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const random = yield* SecureRandom.SecureRandom
  const editSite = allow.site("edit")

  const loadShareLink = allow.loading(
    editSite,
    (records, { shareLink }: SiteTarget & { readonly shareLink: ShareLinkId }) =>
      records.get(shareLinks, { id: shareLink })
  )

  /** Authorizes `site.edit` on a share link of the site. */
  const editShareLink: Authorization<
    SiteTarget & { readonly shareLink: ShareLinkId },
    { readonly site: SiteRow; readonly shareLink: ShareLinkRow },
    AccessError
  > = {
    rule: editSite.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ site, grant }, shareLink] = yield* loadShareLink(target)
      if (shareLink?.site !== target.site) return yield* NotFound.of("share link")
      return { grant, site, shareLink }
    })
  }

  return {
    list: query(
      "ShareLinks.list",
      { parameters: { organization: OrganizationId, site: SiteId, input: PageQuery }, authorize: editSite },
      function* ({ input }, { site, records }) {
        const { token } = yield* CurrentUser
        return yield* readPage(records, input, {
          table: shareLinks,
          list: ["share links", site.id],
          // A link opens the site after the end of a token that only reads.
          where: token?.readOnly === true ? Where.none : Where.eq<ShareLinkRow, "site">("site", site.id),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) =>
            Effect.map(linkBase, (base) => rows.map((row) => presentShareLink(base, site, row)))
        })
      }
    ),

    create: command(
      "ShareLinks.create",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: CreateShareLink },
        authorize: editSite,
        locks: Locks.organization
      },
      function* ({ input: { name } }, { site, records }) {
        const row: ShareLinkRow = {
          id: ShareLinkId.make(yield* ids.next),
          organization: site.organization,
          site: site.id,
          name,
          active: true,
          key: Base64Url.encode(yield* random.randomBytes(keyBytes)),
          createdAt: yield* now
        }
        yield* records.insert(shareLinks, row)
        return presentShareLink(yield* linkBase, site, row)
      }
    ),

    update: command(
      "ShareLinks.update",
      {
        parameters: {
          organization: OrganizationId,
          site: SiteId,
          shareLink: ShareLinkId,
          input: UpdateShareLink
        },
        authorize: editShareLink,
        locks: Locks.organization
      },
      function* ({ input }, { site, shareLink, records }) {
        yield* records.update(shareLinks, Where.eq("id", shareLink.id), input)
        return presentShareLink(yield* linkBase, site, { ...shareLink, ...input })
      }
    ),

    remove: command(
      "ShareLinks.remove",
      {
        parameters: { organization: OrganizationId, site: SiteId, shareLink: ShareLinkId },
        authorize: editShareLink,
        locks: Locks.organization
      },
      function* (_, { shareLink, records }) {
        yield* records.remove(shareLinks, Where.eq("id", shareLink.id))
      }
    )
  }
})

/** Operations on the share links of a site: see {@link ShareLinksOperations}. */
export class ShareLinks extends Context.Service<ShareLinks, ShareLinksOperations>()(
  "@lectern/core/ShareLinks"
) {
  static readonly layer: Layer.Layer<ShareLinks, never, Operations | Ids> = Layer.effect(
    ShareLinks,
    makeShareLinks
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
