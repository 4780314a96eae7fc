/** Fonts of an organization in the style sheets of its sites. Their files are assets of the site, so that they have its origin. */
import { type FontDefinition, type FontFile, fontFileOf } from "@lectern/model/sites"
import type { Font } from "./files.ts"

/** Returns the name of the asset with a file of a font. */
const assetNameOf = ({ font, hash, format }: FontFile): string => `font.${font}.${hash}.${format}`

/** Returns the file of a font that an asset has; undefined for another asset. */
export const fontAssetOf = (name: string): FontFile | undefined => {
  const parts = name.split(".")
  return parts.length === 4 && parts[0] === "font"
    ? fontFileOf(`/${parts[1]}/${parts[2]}.${parts[3]}`)
    : undefined
}

/** Returns the name of a family without the characters that end a string of a style sheet. */
const familyOf = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N} ._-]/gu, "")

/** Returns a font of an organization with its declarations. */
export const customFontOf = (font: FontDefinition): Font => {
  const family = familyOf(font.fontFamily)
  const css = font.fontFaces.flatMap(({ weight, sources }) => {
    const files = sources.flatMap(({ url }) => fontFileOf(url) ?? [])
    if (files.length === 0) return []
    const urls = files.map((file) => `url(${assetNameOf(file)}) format("${file.format}")`)
    return [
      `@font-face { font-family: "${family}"; font-style: normal; font-display: swap; font-weight: ${weight}; src: ${urls.join(", ")} }`
    ]
  })
  return { family, css: css.join("\n") }
}
