/** Puts the pieces of a line in the order in which they stand, where some of it is read from right to left. */
import bidiFactory, { type Bidi } from "bidi-js"
import type { Fonts } from "./Fonts.ts"
import type { Piece } from "./lines.ts"

/** What is read from right to left. */
const fromRight = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The most characters of a line that are put in order. */
const longest = 5000

/** What stands for a picture. */
const picture = "\ufffc"

/** The types take the module for one of the other kind. */
const makeBidi = bidiFactory as unknown as () => Bidi

let shared: Bidi | undefined

const bidi = (): Bidi => {
  shared ??= makeBidi()
  return shared
}

/** The direction of a paragraph: that of its first letter; `undefined` where nothing is read from right to left. */
export const directionOf = (text: string): "ltr" | "rtl" | undefined => {
  if (!fromRight.test(text)) return undefined
  return bidi().getEmbeddingLevels(text.slice(0, longest)).paragraphs[0]?.level === 1 ? "rtl" : "ltr"
}

/** The pieces of a line, each where it stands. Those that are read from the right are divided into words for it. */
export const inOrder = (
  fonts: Fonts,
  pieces: ReadonlyArray<Piece>,
  direction: "ltr" | "rtl"
): ReadonlyArray<Piece> => {
  const text = pieces.map((piece) => ("text" in piece ? piece.text : picture)).join("")
  if (text.length > longest) return pieces
  const { levels } = bidi().getEmbeddingLevels(text, direction)
  let at = 0
  const parts = pieces.flatMap((piece) => {
    const from = at
    at += "text" in piece ? piece.text.length : picture.length
    return "text" in piece ? divided(fonts, piece, levels, from) : [{ piece, level: levels[from] ?? 0 }]
  })
  const read = [...parts]
  const highest = parts.reduce((most, { level }) => Math.max(most, level), 0)
  // From the deepest level up, what is on a level or deeper stands the other way round.
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
  const places = new Map<Piece, number>()
  let x = pieces[0]?.x ?? 0
  for (const { piece } of parts) {
    places.set(piece, x)
    x += piece.width
  }
  // They are drawn as they are read, so that who copies or hears them gets them so.
  return read.map(({ piece }) => ({ ...piece, x: places.get(piece)! }))
}

/** A piece in parts of one level each, and where that is read from the right, in words with the space behind them. */
const divided = (
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
    const text = level % 2 === 1 ? mirrored(logical) : logical
    const { face, size } = piece.style
    const width = fonts.runs(text, face).reduce((sum, run) => sum + run.width * size, 0)
    parts.push({ piece: { ...piece, text, width }, level })
    start = end
  }
  return parts
}

/**
 * A text whose brackets open to the other side. Letters are turned round when they are set; a text without any is
 * turned round here.
 */
const mirrored = (text: string): string => {
  const characters = Array.from(text, (character) => bidi().getMirroredCharacter(character) ?? character)
  return (fromRight.test(text) ? characters : characters.reverse()).join("")
}
