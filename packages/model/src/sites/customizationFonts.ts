/** The fonts of an organization in the customization of a site. */
import type { CustomFontId, FontDefinition } from "./CustomFont.ts"
import { type Customization, defaultCustomization } from "./Customization.ts"

/** Returns the ids of the fonts of the organization that a customization uses. */
export const customFontsIn = ({
  styling: { font, monospaceFont }
}: Customization): ReadonlyArray<CustomFontId> =>
  [font, monospaceFont].flatMap((one) => (typeof one === "string" ? [] : [one.id]))

/** Returns a customization with the current definitions of its fonts. A font that no longer exists is replaced by the default. */
export const withFonts = (
  customization: Customization,
  fonts: ReadonlyMap<string, FontDefinition>
): Customization => {
  const { font, monospaceFont } = customization.styling
  const { styling } = defaultCustomization
  return {
    ...customization,
    styling: {
      ...customization.styling,
      font: typeof font === "string" ? font : (fonts.get(font.id) ?? styling.font),
      monospaceFont:
        typeof monospaceFont === "string"
          ? monospaceFont
          : (fonts.get(monospaceFont.id) ?? styling.monospaceFont)
    }
  }
}
