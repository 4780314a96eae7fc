/** The customizations of the spaces on a site. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type SiteRow,
  type SiteSpaceCustomizationRow,
  type SiteSpaceRow,
  siteSpaceCustomizations
} from "@lectern/kernel/tables"
import {
  type CompleteCustomization,
  type Customization,
  type CustomizationOverride,
  overrideCustomization,
  type PublishedSite,
  type SiteSpaceId
} from "@lectern/model/sites"
import { Effect } from "effect"

/** The overrides of a site, by the ids of its site-spaces. */
export type SiteSpaceOverrides = ReadonlyMap<SiteSpaceId, CustomizationOverride>

/** The maximum size of the customizations of all site-spaces in a response, in characters of JSON. */
const maximumCustomizations = 1_000_000

/** Loads the overrides of a site, with one query. */
export const loadOverrides = (
  records: GrantedReader,
  { id, organization }: Pick<SiteRow, "id" | "organization">
): Effect.Effect<SiteSpaceOverrides, StorageUnavailable> =>
  Effect.map(
    records.find(siteSpaceCustomizations, {
      select: ["organization", "siteSpace", "override"],
      where: Where.and<SiteSpaceCustomizationRow>(
        Where.eq("organization", organization),
        Where.eq("site", id)
      )
    }),
    (rows) => new Map(rows.map(({ siteSpace, override }) => [siteSpace, override]))
  )

/**
 * Returns the customization of each site-space: that of the site, with the override of the site-space. A renderer falls back to
 * that of the site, so that large customizations of site-spaces without an override are omitted. `complete` removes the
 * links that a visitor cannot see, and adds the values that renderers require.
 */
export const customizationsOf = (
  customization: Customization,
  siteSpaces: ReadonlyArray<Pick<SiteSpaceRow, "id">>,
  overrides: SiteSpaceOverrides,
  complete: (customization: Customization) => CompleteCustomization
): PublishedSite["customizations"]["siteSpaces"] => {
  const overridden = siteSpaces.flatMap(({ id }) => {
    const override = overrides.get(id)
    return override === undefined
      ? []
      : [[id, complete(overrideCustomization(customization, override))] as const]
  })
  const others = siteSpaces.filter(({ id }) => !overrides.has(id))
  const size =
    JSON.stringify(customization).length * others.length +
    overridden.reduce((sum, [, own]) => sum + JSON.stringify(own).length, 0)
  return Object.fromEntries([
    ...overridden,
    ...(size > maximumCustomizations ? [] : others.map(({ id }) => [id, complete(customization)] as const))
  ])
}
