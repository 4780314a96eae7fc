/** Operations on the settings of a site: customization, adaptive schema and visitor authentication. */

import {
  type AccessError,
  type Authorization,
  type Command,
  decryptPrivateKey,
  type GrantedRecords,
  Locks,
  Operations,
  type Query,
  withKeyReader
} from "@lectern/access"
import { Encryption, makeLinkBase, now, type StorageUnavailable, Where } from "@lectern/kernel"
import { privateKeyPlace, type SiteSettingsRow, siteSettings, sites } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import type { SiteAction } from "@lectern/model/roles"
import {
  type AdaptiveSchema,
  type CompleteCustomization,
  Customization,
  completeCustomization,
  defaultCustomization,
  type PublishingAuth,
  SiteId,
  type TemplateConditions,
  templateConditions,
  UpdateAdaptiveSchema,
  UpdatePublishingAuth
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { requireFonts, resolveFonts } from "./customizationFonts.ts"
import { makePrivateKey } from "./privateKey.ts"
import type { SiteTarget } from "./SiteEditing.ts"

/**
 * Operations on the settings of a site, on behalf of the `CurrentUser`. They fail with `NotFound` for a site that the
 * caller cannot see, and with `Forbidden` if the caller's role is too low.
 */
export interface SiteSettingsOperations {
  /** Returns the adaptive schema of the site. Fails with `NotFound` if none is set. */
  readonly getAdaptiveSchema: Query<
    { organization: OrganizationId; site: SiteId },
    AdaptiveSchema,
    AccessError
  >
  /**
   * Replaces the adaptive schema of the site; requires the role `create`. Existing conditions are neither changed nor
   * validated against it.
   */
  readonly updateAdaptiveSchema: Command<
    { organization: OrganizationId; site: SiteId; input: UpdateAdaptiveSchema },
    AdaptiveSchema,
    AccessError
  >
  /** Lists the conditions that the adaptive schema of the site suggests; none without a schema. */
  readonly listTemplateConditions: Query<
    { organization: OrganizationId; site: SiteId },
    TemplateConditions,
    AccessError
  >
  /** Returns the customization of the site, or the default customization. */
  readonly getCustomization: Query<
    { organization: OrganizationId; site: SiteId },
    CompleteCustomization,
    AccessError
  >
  /**
   * Replaces the customization of the site; requires the role `create`. The icon of its favicon becomes the icon of the
   * site. Fails with `InvalidInput` for a font that the organization does not have.
   */
  readonly updateCustomization: Command<
    { organization: OrganizationId; site: SiteId; input: Customization },
    CompleteCustomization,
    AccessError
  >
  /**
   * Returns the settings of visitor authentication, including the private key that signs visitor tokens; requires the
   * role `admin`.
   */
  readonly getPublishingAuth: Query<
    { organization: OrganizationId; site: SiteId },
    PublishingAuth,
    AccessError
  >
  /** Updates the given fields of visitor authentication; requires the role `admin`. */
  readonly updatePublishingAuth: Command<
    { organization: OrganizationId; site: SiteId; input?: UpdatePublishingAuth },
    PublishingAuth,
    AccessError
  >
  /**
   * Replaces the private key with a random one; requires the role `admin`. Visitor tokens that are signed with the
   * former key become invalid.
   */
  readonly regeneratePrivateKey: Command<
    { organization: OrganizationId; site: SiteId },
    PublishingAuth,
    AccessError
  >
}

const presentAdaptiveSchema = (stored: NonNullable<SiteSettingsRow["adaptiveSchema"]>): AdaptiveSchema => ({
  object: "site-adaptive-schema",
  ...stored
})

const store = Effect.fnUntraced(function* (
  records: GrantedRecords,
  before: SiteSettingsRow,
  changes: Partial<SiteSettingsRow>
) {
  const { site, ...set } = changes
  yield* records.update(siteSettings, Where.eq("site", before.site), set)
  return { ...before, ...set }
})

const makeAllowSettings = Effect.gen(function* () {
  const { allow } = yield* Operations

  /** Authorizes `site.<action>`, and loads the settings of the site. */
  const allowSettings = (
    action: SiteAction
  ): Authorization<SiteTarget, { readonly settings: SiteSettingsRow }, AccessError> => {
    const allowSite = allow.site(action)
    const load = allow.loading(allowSite, (records, { site }: SiteTarget) =>
      records.get(siteSettings, { site })
    )
    return {
      rule: allowSite.rule,
      check: Effect.fnUntraced(function* (target) {
        const [{ grant }, settings] = yield* load(target)
        return settings === undefined ? yield* NotFound.of("site") : { grant, settings }
      })
    }
  }

  return { allowSettings }
})

const makeContentSettings = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const { allowSettings } = yield* makeAllowSettings
  const linkBase = yield* makeLinkBase

  return {
    getAdaptiveSchema: query(
      "SiteSettings.getAdaptiveSchema",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: allowSettings("view")
      },
      function* (_, { settings: { adaptiveSchema } }) {
        if (adaptiveSchema === null) return yield* NotFound.of("adaptive schema")
        return presentAdaptiveSchema(adaptiveSchema)
      }
    ),

    updateAdaptiveSchema: command(
      "SiteSettings.updateAdaptiveSchema",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: UpdateAdaptiveSchema },
        authorize: allowSettings("edit"),
        locks: Locks.organization
      },
      function* ({ input: { jsonSchema } }, { settings, records }) {
        const adaptiveSchema = { jsonSchema, updatedAt: yield* now }
        yield* store(records, settings, { adaptiveSchema })
        return presentAdaptiveSchema(adaptiveSchema)
      }
    ),

    listTemplateConditions: query(
      "SiteSettings.listTemplateConditions",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: allowSettings("view")
      },
      function* (_, { settings: { adaptiveSchema } }) {
        return { items: adaptiveSchema === null ? [] : templateConditions(adaptiveSchema.jsonSchema) }
      }
    ),

    getCustomization: query(
      "SiteSettings.getCustomization",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: allowSettings("view")
      },
      function* ({ organization }, { settings: { customization }, records }) {
        if (customization === null) return completeCustomization(defaultCustomization)
        return completeCustomization(
          yield* resolveFonts(records, yield* linkBase, organization, customization)
        )
      }
    ),

    updateCustomization: command(
      "SiteSettings.updateCustomization",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: Customization },
        authorize: allowSettings("edit"),
        locks: Locks.organization
      },
      function* ({ organization, site, input }, { settings, records }) {
        const customization = yield* requireFonts(records, yield* linkBase, organization, input)
        yield* store(records, settings, { customization })
        const { favicon } = customization
        yield* records.update(sites, Where.eq("id", site), {
          icon: "icon" in favicon && favicon.icon !== undefined ? { icon: favicon.icon } : null
        })
        return completeCustomization(customization)
      }
    )
  }
})

const makePublishingAuth = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const random = yield* SecureRandom.SecureRandom
  const encryption = yield* Encryption
  const { allowSettings } = yield* makeAllowSettings

  const presentPublishingAuth = Effect.fnUntraced(function* (
    settings: SiteSettingsRow
  ): Effect.fn.Return<PublishingAuth, StorageUnavailable> {
    const { site, fallbackURL } = settings
    const key = yield* decryptPrivateKey(encryption, site, settings)
    if (key === undefined)
      return yield* Effect.die(new Error(`No secret decrypts the private key of ${site}.`))
    return {
      object: "publishing-auth",
      backend: "custom",
      privateKey: key,
      ...(fallbackURL === null ? {} : { fallbackURL })
    }
  })

  return {
    getPublishingAuth: query(
      "SiteSettings.getPublishingAuth",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: withKeyReader(allowSettings("configure"))
      },
      function* (_, { settings }) {
        return yield* presentPublishingAuth(settings)
      }
    ),

    updatePublishingAuth: command(
      "SiteSettings.updatePublishingAuth",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: UpdatePublishingAuth },
        authorize: withKeyReader(allowSettings("configure")),
        locks: Locks.organization
      },
      function* ({ input: { fallbackURL } }, { settings, records }) {
        return yield* presentPublishingAuth(
          fallbackURL === undefined ? settings : yield* store(records, settings, { fallbackURL })
        )
      }
    ),

    regeneratePrivateKey: command(
      "SiteSettings.regeneratePrivateKey",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: withKeyReader(allowSettings("configure")),
        locks: Locks.organization
      },
      function* (_, { settings, records }) {
        const privateKey = yield* encryption.encrypt(
          yield* makePrivateKey(random),
          privateKeyPlace(settings.site)
        )
        return yield* presentPublishingAuth(yield* store(records, settings, { privateKey }))
      }
    )
  }
})

const makeSiteSettings = Effect.gen(function* () {
  return { ...(yield* makeContentSettings), ...(yield* makePublishingAuth) }
})

/** Operations on the settings of a site: see {@link SiteSettingsOperations}. */
export class SiteSettings extends Context.Service<SiteSettings, SiteSettingsOperations>()(
  "@lectern/core/SiteSettings"
) {
  static readonly layer: Layer.Layer<SiteSettings, never, Operations | Encryption> = Layer.effect(
    SiteSettings,
    makeSiteSettings
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
