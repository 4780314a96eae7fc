/**
 * Selects a font for each character of a document. Text is set in Noto Sans and code in DejaVu Sans Mono. Characters
 * that these do not contain come from DejaVu Sans, Noto Emoji and, if installed, the fonts for Chinese, Japanese and
 * Korean. Font files are loaded when a character requires them, and only the used glyphs are embedded in the PDF.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Document, OpenFont } from "./pdfkit.ts"

/** A typeface of the document. */
export type Face = "regular" | "bold" | "italic" | "boldItalic" | "mono" | "monoBold"

/** Text whose characters are all in one font. `width` is its width at font size 1. */
export interface Run {
  readonly text: string
  readonly font: string
  readonly width: number
}

const require = createRequire(import.meta.url)

/** Returns a function that returns the path of a font of this package. */
const copied = (name: string) => () =>
  fileURLToPath(new URL(`../../assets/fonts/${name}.ttf`, import.meta.url))

/**
 * Returns a function that finds the file of an optional font package, or `undefined` if the package is not installed.
 */
const installed = (name: string, weight: "Regular" | "Bold") => (): string | undefined => {
  try {
    const folder = join(dirname(require.resolve(`@embedpdf/fonts-${name}`)), "../fonts")
    const file = existsSync(folder) && readdirSync(folder).find((one) => one.endsWith(`-${weight}.otf`))
    return file ? join(folder, file) : undefined
  } catch {
    return undefined
  }
}

/** Optional font packages, which are large: simplified and traditional Chinese, Japanese, Korean. */
const languages = ["sc", "tc", "jp", "kr"]

/** The files of fonts, by the name of the font in documents. */
const sources: Record<string, () => string | undefined> = {
  regular: copied("NotoSans-Regular"),
  bold: copied("NotoSans-Bold"),
  italic: copied("NotoSans-Italic"),
  boldItalic: copied("NotoSans-BoldItalic"),
  mono: copied("DejaVuSansMono"),
  monoBold: copied("DejaVuSansMono-Bold"),
  symbols: copied("DejaVuSans"),
  symbolsBold: copied("DejaVuSans-Bold"),
  thai: copied("NotoSansThai-Regular"),
  thaiBold: copied("NotoSansThai-Bold"),
  emoji: copied("NotoEmoji-Regular"),
  ...Object.fromEntries(
    languages.flatMap((name) => [
      [name, installed(name, "Regular")],
      [`${name}Bold`, installed(name, "Bold")]
    ])
  )
}

const fallbackFonts = ["symbols", "thai", "emoji", ...languages]
const boldFallbackFonts = [
  "symbolsBold",
  "symbols",
  "thaiBold",
  "thai",
  "emoji",
  ...languages.flatMap((name) => [`${name}Bold`, name])
]

/** The fonts of each face in order of preference. A character is set in the first font that contains it. */
const fallbackChains: Record<Face, ReadonlyArray<string>> = {
  regular: ["regular", ...fallbackFonts],
  italic: ["italic", ...fallbackFonts],
  bold: ["bold", ...boldFallbackFonts],
  boldItalic: ["boldItalic", ...boldFallbackFonts],
  mono: ["mono", "regular", ...fallbackFonts],
  monoBold: ["monoBold", "bold", ...boldFallbackFonts]
}

/** Characters that are set in the font of the preceding character: combining marks, joiners, skin tones. */
const combiningCharacter = /^(?:\p{M}|\u200c|\u200d|\p{Emoji_Modifier})$/u

/** Control and format characters and variation selectors, except line feeds, tabs, joiners and Arabic number signs. */
const invisibleCharacters =
  /(?![\n\t]|\u200c|\u200d|[\u0600-\u0605])(?:\p{Cc}|\p{Cf}|\p{Variation_Selector})/gu

/** More combining marks on a character than any language uses. Normalizing them takes quadratic time. */
const excessMarks = /(\p{M}{8})\p{M}+/gu

/**
 * Matches SARA AM of Thai with the tone marks before it. Fonts replace it with two glyphs, of which each would be
 * extracted as text; in print, its ring precedes the tone marks.
 */
const saraAm = /([\u0e48-\u0e4b]*)\u0e33/g

/** Normalizes text to NFC, removes invisible characters, and replaces tabs with spaces. */
export const toPrintable = (text: string): string =>
  /^[\x20-\x7e\n]*$/.test(text)
    ? text
    : text
        .replace(excessMarks, "$1")
        .normalize("NFC")
        .replace(invisibleCharacters, "")
        .replace(saraAm, "\u0e4d$1\u0e32")
        .replaceAll("\t", "    ")

/** The maximum number of strings in each cache. */
const maxCachedTexts = 500

/** The contents of font files, cached for all documents of the process. */
const fontFiles = new Map<string, Buffer | undefined>()

const readFontFile = (name: string): Buffer | undefined => {
  if (fontFiles.has(name)) return fontFiles.get(name)
  const source = sources[name]
  // A name that is not one of the default fonts is the path of a file.
  const path = source === undefined ? name : source()
  const bytes = path === undefined ? undefined : readFileSync(path)
  fontFiles.set(name, bytes)
  return bytes
}

/** The fonts of one document, with caches of runs and widths. */
export class Fonts {
  private readonly document: Document
  private readonly openFonts = new Map<string, OpenFont | undefined>()
  private readonly fontChoices = new Map<Face, Map<number, string>>()
  private readonly widths = new Map<string, Map<string, number>>()
  private readonly runCache = new Map<Face, Map<string, ReadonlyArray<Run>>>()

  private readonly ownFonts: ReadonlyArray<string>

  /** `files` are the paths of further fonts. They have precedence over the default fonts of other scripts than Latin. */
  constructor(document: Document, files: ReadonlyArray<string> = []) {
    this.document = document
    this.ownFonts = files
  }

  /** Splits text into runs. The text must have no line feeds, and must come from {@link toPrintable}. */
  runs(text: string, face: Face): ReadonlyArray<Run> {
    let cache = this.runCache.get(face)
    if (cache === undefined || cache.size > maxCachedTexts) {
      cache = new Map()
      this.runCache.set(face, cache)
    }
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const runs = this.splitRuns(text, face)
    cache.set(text, runs)
    return runs
  }

  private splitRuns(text: string, face: Face): ReadonlyArray<Run> {
    const runs: Array<Run> = []
    let font = ""
    let start = 0
    let at = 0
    const end = () => {
      if (at > start) runs.push(this.measureRun(text.slice(start, at), font))
      start = at
    }
    for (const character of text) {
      const next =
        font !== "" && combiningCharacter.test(character)
          ? font
          : this.fontOf(character.codePointAt(0)!, face)
      if (next !== font) {
        end()
        font = next
      }
      at += character.length
    }
    end()
    return runs
  }

  private measureRun(text: string, font: string): Run {
    let widths = this.widths.get(font)
    if (widths === undefined || widths.size > maxCachedTexts) {
      widths = new Map()
      this.widths.set(font, widths)
      // The cache of pdfkit is unbounded, so it is cleared, too.
      const openFont = this.getFont(font)
      if (openFont?.layoutCache !== undefined) openFont.layoutCache = Object.create(null) as object
    }
    let width = widths.get(text)
    if (width === undefined) {
      width = this.document.font(font, 1).widthOfString(text)
      widths.set(text, width)
    }
    return { text, font, width }
  }

  private fontOf(codePoint: number, face: Face): string {
    let choices = this.fontChoices.get(face)
    if (choices === undefined) {
      choices = new Map()
      this.fontChoices.set(face, choices)
    }
    let font = choices.get(codePoint)
    if (font === undefined) {
      const [preferred, ...others] = fallbackChains[face]
      const chain = [preferred!, ...this.ownFonts, ...others]
      font = chain.find((name) => this.getFont(name)?.font.hasGlyphForCodePoint(codePoint)) ?? chain[0]!
      this.getFont(font)
      choices.set(codePoint, font)
    }
    return font
  }

  private getFont(name: string): OpenFont | undefined {
    if (this.openFonts.has(name)) return this.openFonts.get(name)
    const bytes = readFontFile(name)
    const font = bytes === undefined ? undefined : this.openFont(name, bytes)
    this.openFonts.set(name, font)
    return font
  }

  private openFont(name: string, bytes: Buffer): OpenFont {
    this.document.registerFont(name, bytes)
    this.document.font(name)
    return this.document._font
  }
}
