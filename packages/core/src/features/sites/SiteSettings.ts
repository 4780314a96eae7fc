/** What callers do with the settings of a site: its looks, what it knows of visitors, and how they are told. */
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Access } from "../../access/Access.ts"
import { NotFound } from "../../kernel/errors.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import type { SiteAction } from "../../model/roles/Policy.ts"
import { type AdaptiveSchema, UpdateAdaptiveSchema } from "../../model/sites/AdaptiveSchema.ts"
import { Customization, defaultCustomization } from "../../model/sites/Customization.ts"
import { type PublishingAuth, UpdatePublishingAuth } from "../../model/sites/PublishingAuth.ts"
import { SiteId, sites } from "../../model/sites/Site.ts"
import { type SiteSettingsRow, siteSettings } from "../../model/sites/siteSettingsTable.ts"
import { makePrivateKey } from "./privateKey.ts"

const presentAuth = ({ privateKey, fallbackURL }: SiteSettingsRow): PublishingAuth => ({
  object: "publishing-auth",
  backend: "custom",
  privateKey,
  ...(fallbackURL === null ? {} : { fallbackURL })
})

const presentSchema = (stored: NonNullable<SiteSettingsRow["adaptiveSchema"]>): AdaptiveSchema => ({
  object: "site-adaptive-schema",
  ...stored
})

const makeSitesSettings = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const random = yield* SecureRandom.SecureRandom

  const change = command(records)

  const load = Effect.fnUntraced(function* (organization: OrganizationId, site: SiteId, action: SiteAction) {
    const [, row] = yield* records.both(
      access.site(organization, site, action),
      records.get(siteSettings, { site })
    )
    if (row === undefined) return yield* NotFound.of("site")
    return row
  })

  const store = Effect.fnUntraced(function* (row: SiteSettingsRow, changes: Partial<SiteSettingsRow>) {
    const { site, ...set } = changes
    yield* records.update(siteSettings, Where.eq("site", row.site), set)
    return { ...row, ...set }
  })

  return {
    /** What the site knows of its visitors. Not there until it is set. */
    adaptiveSchema: query([OrganizationId, SiteId], function* (organization, site) {
      const { adaptiveSchema } = yield* load(organization, site, "view")
      if (adaptiveSchema === null) return yield* NotFound.of("adaptive schema")
      return presentSchema(adaptiveSchema)
    }),

    /** Says what the site knows of its visitors. Conditions that were set before stay as they are. */
    updateAdaptiveSchema: change(
      [OrganizationId, SiteId, UpdateAdaptiveSchema],
      function* (organization, site, { jsonSchema }) {
        const row = yield* load(organization, site, "edit")
        const adaptiveSchema = { jsonSchema, updatedAt: yield* now }
        yield* store(row, { adaptiveSchema })
        return presentSchema(adaptiveSchema)
      }
    ),

    /** How the site looks. */
    customization: query([OrganizationId, SiteId], function* (organization, site) {
      return (yield* load(organization, site, "view")).customization ?? defaultCustomization
    }),

    /** Says how the site looks, whole. An icon of its own is the icon of the site. */
    updateCustomization: change(
      [OrganizationId, SiteId, Customization],
      function* (organization, site, customization) {
        yield* store(yield* load(organization, site, "edit"), { customization })
        const { favicon } = customization
        yield* records.update(sites, Where.eq("id", site), {
          icon: "icon" in favicon && favicon.icon !== undefined ? { icon: favicon.icon } : null
        })
        return customization
      }
    ),

    /** How visitors show who they are. */
    publishingAuth: query([OrganizationId, SiteId], function* (organization, site) {
      return presentAuth(yield* load(organization, site, "configure"))
    }),

    /** Changes what is given. */
    updatePublishingAuth: change(
      [OrganizationId, SiteId, UpdatePublishingAuth],
      function* (organization, site, { fallbackURL }) {
        const row = yield* load(organization, site, "configure")
        return presentAuth(fallbackURL === undefined ? row : yield* store(row, { fallbackURL }))
      }
    ),

    /** Makes a new key. Tokens that were signed with the one before are void. */
    regeneratePrivateKey: change([OrganizationId, SiteId], function* (organization, site) {
      const row = yield* load(organization, site, "configure")
      return presentAuth(yield* store(row, { privateKey: yield* makePrivateKey(random) }))
    })
  }
})

/** See the module's comment. */
export class SitesSettings extends Context.Service<SitesSettings, Effect.Success<typeof makeSitesSettings>>()(
  "@lectern/core/SitesSettings"
) {
  static readonly layer: Layer.Layer<SitesSettings, never, Records | Access> = Layer.effect(
    SitesSettings,
    makeSitesSettings
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
