/** Operations on the customizations of the spaces on a site. */

import {
  type AccessError,
  type Command,
  type GrantedReader,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { makeLinkBase, Where } from "@lectern/kernel"
import { type SiteSpaceCustomizationRow, siteSettings, siteSpaceCustomizations } from "@lectern/kernel/tables"
import { Conflict } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  type CompleteCustomization,
  CustomizationOverride,
  changeOverride,
  completeCustomization,
  defaultCustomization,
  overrideCustomization,
  SiteId,
  SiteSpaceId
} from "@lectern/model/sites"
import { Context, Effect, Layer } from "effect"
import { resolveFonts } from "./customizationFonts.ts"
import { SiteEditing, type SiteTarget } from "./SiteEditing.ts"
import { loadOverrides } from "./siteSpaceOverrides.ts"

interface OneSiteSpace extends SiteTarget {
  readonly siteSpace: SiteSpaceId
}

/**
 * Operations on the customizations of the spaces on a site, on behalf of the `CurrentUser`. They fail with `NotFound` for a
 * site that the caller cannot see or a site-space that is not on it, and with `Forbidden` if the caller's role is too low.
 */
export interface SiteSpaceCustomizationsOperations {
  /** Returns the customization of the site-space: that of the site, with the values that the site-space overrides. */
  readonly get: Query<OneSiteSpace, CompleteCustomization, AccessError>
  /**
   * Overrides values of the customization of the site; requires the role `create`. Values that are absent remain, and null
   * removes the override of a value. Returns the customization of the site-space. Fails with `Conflict` if the overrides of the
   * site would have more than 500,000 characters.
   */
  readonly override: Command<
    OneSiteSpace & { readonly input?: CustomizationOverride },
    CompleteCustomization,
    AccessError | Conflict
  >
  /** Removes all overrides, so that the site-space has the customization of the site; requires the role `create`. */
  readonly remove: Command<OneSiteSpace, void, AccessError>
}

const parameters = { organization: OrganizationId, site: SiteId, siteSpace: SiteSpaceId }

/** The maximum size of the overrides of a site, in characters of JSON. */
const maximumOverrides = 500_000

const whereOf = ({ organization, siteSpace }: Pick<OneSiteSpace, "organization" | "siteSpace">) =>
  Where.and<SiteSpaceCustomizationRow>(
    Where.eq("organization", organization),
    Where.eq("siteSpace", siteSpace)
  )

const makeSiteSpaceCustomizations = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const editing = yield* SiteEditing
  const linkBase = yield* makeLinkBase

  const loadSiteCustomization = Effect.fnUntraced(function* (
    records: GrantedReader,
    { organization, site }: SiteTarget
  ) {
    const settings = yield* records.get(siteSettings, { site }, ["site", "customization"])
    const customization = settings?.customization ?? defaultCustomization
    return yield* resolveFonts(records, yield* linkBase, organization, customization)
  })

  const requireRoom = (overrides: ReadonlyMap<SiteSpaceId, CustomizationOverride>) => {
    const size = [...overrides.values()].reduce((sum, override) => sum + JSON.stringify(override).length, 0)
    return size <= maximumOverrides
      ? Effect.void
      : Effect.fail(
          new Conflict({
            reason: "LimitReached",
            message: `The customizations of the spaces on a site can have at most ${maximumOverrides} characters; they would have ${size}.`
          })
        )
  }

  return {
    get: query(
      "SiteSpaceCustomizations.get",
      { parameters, authorize: editing.allow.siteSpace("view") },
      function* ({ organization, site, siteSpace }, { records }) {
        const customization = yield* loadSiteCustomization(records, { organization, site })
        const row = yield* records.get(siteSpaceCustomizations, { organization, siteSpace })
        return completeCustomization(
          row === undefined ? customization : overrideCustomization(customization, row.override)
        )
      }
    ),

    override: command(
      "SiteSpaceCustomizations.override",
      {
        parameters: { ...parameters, input: CustomizationOverride },
        authorize: editing.allow.siteSpace("edit"),
        locks: Locks.organization
      },
      function* ({ organization, site, siteSpace, input }, { structure, records }) {
        const overrides = yield* loadOverrides(records, structure.site)
        const override = changeOverride(overrides.get(siteSpace) ?? {}, input)
        yield* requireRoom(new Map(overrides).set(siteSpace, override))
        const customization = yield* loadSiteCustomization(records, { organization, site })
        if (Object.keys(override).length === 0) {
          yield* records.remove(siteSpaceCustomizations, whereOf({ organization, siteSpace }))
        } else if (overrides.has(siteSpace)) {
          yield* records.update(siteSpaceCustomizations, whereOf({ organization, siteSpace }), { override })
        } else {
          yield* records.insert(siteSpaceCustomizations, { organization, siteSpace, site, override })
        }
        return completeCustomization(overrideCustomization(customization, override))
      }
    ),

    remove: command(
      "SiteSpaceCustomizations.remove",
      { parameters, authorize: editing.allow.siteSpace("edit"), locks: Locks.organization },
      function* (target, { records }) {
        yield* records.remove(siteSpaceCustomizations, whereOf(target))
      }
    )
  }
})

/** Operations on the customizations of the spaces on a site: see {@link SiteSpaceCustomizationsOperations}. */
export class SiteSpaceCustomizations extends Context.Service<
  SiteSpaceCustomizations,
  SiteSpaceCustomizationsOperations
>()("@lectern/core/SiteSpaceCustomizations") {
  static readonly layer: Layer.Layer<SiteSpaceCustomizations, never, Operations | SiteEditing> = Layer.effect(
    SiteSpaceCustomizations,
    makeSiteSpaceCustomizations
  )
}
