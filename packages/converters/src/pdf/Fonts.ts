/**
 * The fonts of a document, and which of them has which character. Noto Sans is what text is set in, DejaVu Sans Mono
 * what code is; what they do not have comes from DejaVu Sans, Noto Emoji and, where they are installed, the fonts for
 * Chinese, Japanese and Korean. A file is read when a character needs it, and only the glyphs that are used go into
 * the PDF.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Document, OpenFont } from "./pdfkit.ts"

/** How a text is set. */
export type Face = "regular" | "bold" | "italic" | "boldItalic" | "mono" | "monoBold"

/** A stretch of text that one font has all characters of. The width is that of size 1. */
export interface Run {
  readonly text: string
  readonly font: string
  readonly width: number
}

const require = createRequire(import.meta.url)

const noto = (name: string) => () => require.resolve(`@expo-google-fonts/noto-sans/${name}.ttf`)
const dejavu = (name: string) => () => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/** The fonts of a package that a host installs for its languages. */
const installed = (name: string, weight: "Regular" | "Bold") => (): string | undefined => {
  try {
    const folder = join(dirname(require.resolve(`@embedpdf/fonts-${name}`)), "../fonts")
    const file = existsSync(folder) && readdirSync(folder).find((one) => one.endsWith(`-${weight}.otf`))
    return file ? join(folder, file) : undefined
  } catch {
    return undefined
  }
}

/** Languages whose fonts are large, and looked for beside Lectern: simplified, traditional Chinese, Japanese, Korean. */
const languages = ["sc", "tc", "jp", "kr"]

/** Where the fonts are, by the name that they have in documents. */
const sources: Record<string, () => string | undefined> = {
  regular: noto("400Regular/NotoSans_400Regular"),
  bold: noto("700Bold/NotoSans_700Bold"),
  italic: noto("400Regular_Italic/NotoSans_400Regular_Italic"),
  boldItalic: noto("700Bold_Italic/NotoSans_700Bold_Italic"),
  mono: dejavu("DejaVuSansMono"),
  monoBold: dejavu("DejaVuSansMono-Bold"),
  symbols: dejavu("DejaVuSans"),
  symbolsBold: dejavu("DejaVuSans-Bold"),
  emoji: () => require.resolve("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf"),
  ...Object.fromEntries(
    languages.flatMap((name) => [
      [name, installed(name, "Regular")],
      [`${name}Bold`, installed(name, "Bold")]
    ])
  )
}

const others = ["symbols", "emoji", ...languages]
const othersBold = ["symbolsBold", "symbols", "emoji", ...languages.flatMap((name) => [`${name}Bold`, name])]

/** Which fonts a face takes a character from, the first that has it. */
const chains: Record<Face, ReadonlyArray<string>> = {
  regular: ["regular", ...others],
  italic: ["italic", ...others],
  bold: ["bold", ...othersBold],
  boldItalic: ["boldItalic", ...othersBold],
  mono: ["mono", "regular", ...others],
  monoBold: ["monoBold", "bold", ...othersBold]
}

/** What belongs to the character before it, and is set in its font: marks, joiners, tones of skin. */
const joined = /^(?:\p{M}|\u200c|\u200d|\p{Emoji_Modifier})$/u

/** What shows nothing, or says how to show what is before it; not line feeds, nor what joins letters or counts. */
const unseen = /(?![\n\t]|\u200c|\u200d|[\u0600-\u0605])(?:\p{Cc}|\p{Cf}|\p{Variation_Selector})/gu

/** More marks on a character than any language has, which composing them would take the square of. */
const piled = /(\p{M}{8})\p{M}+/gu

/** A text as it is set: composed, without what shows nothing. */
export const printable = (text: string): string =>
  /^[\x20-\x7e\n]*$/.test(text)
    ? text
    : text.replace(piled, "$1").normalize("NFC").replace(unseen, "").replaceAll("\t", "    ")

/** How many texts are remembered of each font. */
const remembered = 20_000

/** The bytes of fonts that were read: a document is not the last of its process. */
const files = new Map<string, Buffer | undefined>()

const bytesOf = (name: string): Buffer | undefined => {
  if (files.has(name)) return files.get(name)
  const path = sources[name]!()
  const bytes = path === undefined ? undefined : readFileSync(path)
  files.set(name, bytes)
  return bytes
}

/** The fonts of one document. */
export class Fonts {
  private readonly document: Document
  private readonly open = new Map<string, OpenFont | undefined>()
  private readonly chosen = new Map<Face, Map<number, string>>()
  private readonly measured = new Map<string, Map<string, number>>()
  private readonly known = new Map<Face, Map<string, ReadonlyArray<Run>>>()

  constructor(document: Document) {
    this.document = document
  }

  /** The runs of a text. It has no line feeds, and is printable. */
  runs(text: string, face: Face): ReadonlyArray<Run> {
    let known = this.known.get(face)
    if (known === undefined || known.size > remembered) {
      known = new Map()
      this.known.set(face, known)
    }
    const found = known.get(text)
    if (found !== undefined) return found
    const runs = this.split(text, face)
    known.set(text, runs)
    return runs
  }

  private split(text: string, face: Face): ReadonlyArray<Run> {
    const runs: Array<Run> = []
    let font = ""
    let start = 0
    let at = 0
    const end = () => {
      if (at > start) runs.push(this.run(text.slice(start, at), font))
      start = at
    }
    for (const character of text) {
      const next = font !== "" && joined.test(character) ? font : this.fontOf(character.codePointAt(0)!, face)
      if (next !== font) {
        end()
        font = next
      }
      at += character.length
    }
    end()
    return runs
  }

  private run(text: string, font: string): Run {
    let measured = this.measured.get(font)
    if (measured === undefined || measured.size > remembered) {
      measured = new Map()
      this.measured.set(font, measured)
      // What pdfkit remembers of its texts grows without end, too.
      const open = this.opened(font)
      if (open?.layoutCache !== undefined) open.layoutCache = Object.create(null) as object
    }
    let width = measured.get(text)
    if (width === undefined) {
      width = this.document.font(font, 1).widthOfString(text)
      measured.set(text, width)
    }
    return { text, font, width }
  }

  private fontOf(codePoint: number, face: Face): string {
    let chosen = this.chosen.get(face)
    if (chosen === undefined) {
      chosen = new Map()
      this.chosen.set(face, chosen)
    }
    let font = chosen.get(codePoint)
    if (font === undefined) {
      const chain = chains[face]
      font = chain.find((name) => this.opened(name)?.font.hasGlyphForCodePoint(codePoint)) ?? chain[0]!
      this.opened(font)
      chosen.set(codePoint, font)
    }
    return font
  }

  private opened(name: string): OpenFont | undefined {
    if (this.open.has(name)) return this.open.get(name)
    const bytes = bytesOf(name)
    const font = bytes === undefined ? undefined : this.openFont(name, bytes)
    this.open.set(name, font)
    return font
  }

  private openFont(name: string, bytes: Buffer): OpenFont {
    this.document.registerFont(name, bytes)
    this.document.font(name)
    return this.document._font
  }
}
