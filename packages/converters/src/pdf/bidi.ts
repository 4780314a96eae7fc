/** Reorders the pieces of lines with right-to-left text, by the Unicode Bidirectional Algorithm. */
import bidiFactory, { type Bidi } from "bidi-js"
import type { Fonts } from "./Fonts.ts"
import type { Piece } from "./lines.ts"

/** Characters of right-to-left scripts. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The maximum number of characters of a line that is reordered. */
const maxLineLength = 5000

/** The object replacement character, which represents an image. */
const imageCharacter = "\ufffc"

/** The module is CommonJS, while its types declare an ES module. */
const makeBidi = bidiFactory as unknown as () => Bidi

let shared: Bidi | undefined

const bidi = (): Bidi => {
  shared ??= makeBidi()
  return shared
}

/**
 * Returns the direction of a paragraph, which is that of its first letter, or `undefined` if it has no right-to-left
 * text.
 */
export const paragraphDirection = (text: string): "ltr" | "rtl" | undefined => {
  if (!rightToLeft.test(text)) return undefined
  return bidi().getEmbeddingLevels(text.slice(0, maxLineLength)).paragraphs[0]?.level === 1 ? "rtl" : "ltr"
}

/**
 * Returns the pieces of a line in reading order, each at its visual position. Right-to-left pieces are split into
 * words, so that their words can be reordered.
 */
export const toVisualOrder = (
  fonts: Fonts,
  pieces: ReadonlyArray<Piece>,
  direction: "ltr" | "rtl"
): ReadonlyArray<Piece> => {
  const text = pieces.map((piece) => ("text" in piece ? piece.text : imageCharacter)).join("")
  if (text.length > maxLineLength) return pieces
  const { levels } = bidi().getEmbeddingLevels(text, direction)
  let at = 0
  const parts = pieces.flatMap((piece) => {
    const from = at
    at += "text" in piece ? piece.text.length : imageCharacter.length
    return "text" in piece ? splitPiece(fonts, piece, levels, from) : [{ piece, level: levels[from] ?? 0 }]
  })
  const readingOrder = [...parts]
  const highest = parts.reduce((most, { level }) => Math.max(most, level), 0)
  // Rule L2: from the highest level down, reverse each sequence of parts at that level or a higher one.
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < parts.length; from++) {
      let to = from
      while (to < parts.length && parts[to]!.level >= level) to++
      if (to > from) {
        parts.splice(from, to - from, ...parts.slice(from, to).reverse())
        from = to
      }
    }
  }
  const positions = new Map<Piece, number>()
  let x = pieces[0]?.x ?? 0
  for (const { piece } of parts) {
    positions.set(piece, x)
    x += piece.width
  }
  // Pieces are drawn in reading order, which is the order for copying text and for screen readers.
  return readingOrder.map(({ piece }) => ({ ...piece, x: positions.get(piece)! }))
}

/** Splits a piece into parts of one level each, and right-to-left parts into words with the space after them. */
const splitPiece = (
  fonts: Fonts,
  piece: Extract<Piece, { readonly text: string }>,
  levels: Uint8Array,
  from: number
): ReadonlyArray<{ readonly piece: Piece; readonly level: number }> => {
  const parts: Array<{ readonly piece: Piece; readonly level: number }> = []
  let start = 0
  for (let end = 1; end <= piece.text.length; end++) {
    const level = levels[from + start] ?? 0
    const isWord = level % 2 === 1 && piece.text[end - 1] === " " && piece.text[end] !== " "
    if (end < piece.text.length && levels[from + end] === level && !isWord) continue
    const logical = piece.text.slice(start, end)
    const text = level % 2 === 1 ? mirror(logical) : logical
    const { face, size } = piece.style
    const width = fonts.runs(text, face).reduce((sum, run) => sum + run.width * size, 0)
    parts.push({ piece: { ...piece, text, width }, level })
    start = end
  }
  return parts
}

/**
 * Mirrors the brackets of a right-to-left text. The font engine reverses text with right-to-left letters; text without
 * them, such as punctuation, is reversed here.
 */
const mirror = (text: string): string => {
  const characters = Array.from(text, (character) => bidi().getMirroredCharacter(character) ?? character)
  return (rightToLeft.test(text) ? characters : characters.reverse()).join("")
}
