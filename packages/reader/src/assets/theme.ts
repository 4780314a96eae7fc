/** Generates the style sheet of a site from its customization: colors, fonts and shapes. */
import type { Customization } from "@lectern/core"
import { readableOn, textOn } from "./colors.ts"
import { customFontOf } from "./customFonts.ts"
import { type AssetFile, type Assets, assetFile, minifyCss } from "./files.ts"

/** The families of fonts that the customization names, for readers who have them. */
const families: Readonly<Record<string, string>> = {
  ABCFavorit: "ABC Favorit",
  OpenSans: "Open Sans",
  RobotoSlab: "Roboto Slab",
  SourceSansPro: "Source Sans Pro",
  NotoSans: "Noto Sans",
  IBMPlexSerif: "IBM Plex Serif",
  FiraSans: "Fira Sans",
  FiraCode: "Fira Code",
  IBMPlexMono: "IBM Plex Mono",
  JetBrainsMono: "JetBrains Mono",
  SourceCodePro: "Source Code Pro",
  RobotoMono: "Roboto Mono",
  SpaceMono: "Space Mono",
  DMMono: "DM Mono"
}

const serifs = new Set(["RobotoSlab", "Merriweather", "IBMPlexSerif"])

const sansFallback = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Open Sans", sans-serif'
const serifFallback = 'Charter, "Bitstream Charter", Cambria, Georgia, serif'
const monoFallback = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace'

const radii = { straight: ["2px", "3px"], rounded: ["8px", "12px"], circular: ["16px", "22px"] } as const

/** The backgrounds that colors must be readable on, with the most saturated tint of the style sheet. */
const backgrounds = { light: "#eef1f5", dark: "#1c2028" }

/** The minimum contrast of text. Links also have a background of their own color when they are current. */
const textContrast = 4.6
const linkContrast = 5.8

/** The minimum contrast of icons and borders that carry information. */
const graphicContrast = 3

/** Returns a font of the customization, with the declarations of its files if the reader or the organization has them. */
const fontOf = (
  font: Customization["styling"]["font"] | Customization["styling"]["monospaceFont"],
  assets: Pick<Assets, "font">
): { readonly family: string; readonly css?: string } => {
  if (typeof font !== "string") return customFontOf(font)
  return assets.font(font) ?? { family: families[font] ?? font }
}

/** Generates the style sheet. */
export const themeCss = (customization: Customization, assets: Pick<Assets, "font">): string => {
  const { styling, header } = customization
  const text = fontOf(styling.font, assets)
  const code = fontOf(styling.monospaceFont, assets)
  const variables: Array<readonly [name: string, value: string]> = []
  for (const theme of ["light", "dark"] as const) {
    const primary = styling.primaryColor[theme]
    const button = readableOn(primary, theme === "light" ? "#ffffff" : "#14161b", graphicContrast)
    variables.push(
      [`primary-${theme}`, button],
      [`on-primary-${theme}`, textOn(button)],
      [`link-${theme}`, readableOn(primary, backgrounds[theme], linkContrast)],
      [`tint-${theme}`, styling.tint?.color[theme] ?? "#64748b"]
    )
    for (const kind of ["info", "success", "warning", "danger"] as const) {
      variables.push([
        `${kind}-${theme}`,
        readableOn(styling[`${kind}Color`][theme], backgrounds[theme], graphicContrast)
      ])
    }
  }
  const [radius, largeRadius] = radii[styling.corners]
  variables.push(
    ["radius", radius],
    ["radius-large", largeRadius],
    [
      "font",
      `"${text.family}", ${typeof styling.font === "string" && serifs.has(styling.font) ? serifFallback : sansFallback}`
    ],
    ["mono", `"${code.family}", ${monoFallback}`]
  )
  const { backgroundColor, linkColor } = header
  const custom =
    header.preset === "custom" && backgroundColor !== undefined
      ? `.header-custom { --header-background: light-dark(${backgroundColor.light}, ${backgroundColor.dark}); --header-text: light-dark(${readableOn(linkColor?.light ?? textOn(backgroundColor.light), backgroundColor.light, textContrast)}, ${readableOn(linkColor?.dark ?? textOn(backgroundColor.dark), backgroundColor.dark, textContrast)}) }`
      : ""
  return minifyCss(
    [
      text.css,
      code.css === text.css ? undefined : code.css,
      `:root { ${variables.map(([name, value]) => `--${name}: ${value};`).join(" ")} }`,
      custom
    ]
      .filter((part) => part !== undefined)
      .join("\n")
  )
}

/** Generates the style sheet as a file. */
export const themeFile = (customization: Customization, assets: Assets): AssetFile =>
  assetFile("theme", "css", themeCss(customization, assets))
