/** Resolves the fonts of organizations in the customizations of sites. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type CustomFontRow, customFonts, fontDefinitionOf } from "@lectern/kernel/tables"
import { InvalidInput } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { type Customization, customFontsIn, withFonts } from "@lectern/model/sites"
import { Effect } from "effect"

/** Loads the fonts that a customization uses, by their ids. Issues no query if it uses none. */
const loadFonts = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  organization: OrganizationId,
  customization: Customization
) {
  const ids = customFontsIn(customization)
  if (ids.length === 0) return new Map<string, ReturnType<typeof fontDefinitionOf>>()
  const rows = yield* records.find(customFonts, {
    where: Where.and<CustomFontRow>(Where.eq("organization", organization), Where.isIn("id", ids))
  })
  return new Map(rows.map((row) => [String(row.id), fontDefinitionOf(base, row)]))
})

/** Returns a customization with the current definitions of its fonts. A font that was deleted is replaced by the default. */
export const resolveFonts = (
  records: GrantedReader,
  base: string,
  organization: OrganizationId,
  customization: Customization
): Effect.Effect<Customization, StorageUnavailable> =>
  Effect.map(loadFonts(records, base, organization, customization), (fonts) =>
    withFonts(customization, fonts)
  )

/** As {@link resolveFonts}, but fails with `InvalidInput` for a font that the organization does not have. */
export const requireFonts = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  organization: OrganizationId,
  customization: Customization
): Effect.fn.Return<Customization, InvalidInput | StorageUnavailable> {
  const fonts = yield* loadFonts(records, base, organization, customization)
  for (const field of ["font", "monospaceFont"] as const) {
    const font = customization.styling[field]
    if (typeof font !== "string" && !fonts.has(font.id)) {
      return yield* InvalidInput.at(
        `styling.${field}`,
        `must be a font of the organization; it has no font with the id ${font.id}`
      )
    }
  }
  return withFonts(customization, fonts)
})
