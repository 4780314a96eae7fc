/**
 * The form in which a model receives text: `Choose <1>Save</1>, or press <2/>.` Everything that must not change is a placeholder, so that a
 * translation has it by construction: marks and links surround text as `<1>…</1>`, and code, images, formulas, expressions and URLs are
 * `<2/>`. `<`, `>` and `&` in text are `&lt;`, `&gt;` and `&amp;`.
 */

/** The value or term that a placeholder represents. */
export type Slot<A> =
  /** A value without text. */
  | { readonly kind: "atom"; readonly value: A }
  /** A value with the text and the placeholders in it. */
  | { readonly kind: "wrapper"; readonly value: A; readonly hasText: boolean }
  /** A term of the glossary. Its translation is fixed, and replaces the text that a model writes in it. */
  | { readonly kind: "term"; readonly translation: string }

/** A part of decoded text. Neighboring strings are one. */
export type Piece<A> =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "atom"; readonly value: A }
  | { readonly kind: "wrapper"; readonly value: A; readonly pieces: ReadonlyArray<Piece<A>> }

/** Text with placeholders, and the values and terms that they represent, by their numbers. */
export interface Encoded<A> {
  readonly text: string
  readonly slots: ReadonlyMap<number, Slot<A>>
  /** The number of the placeholder around each one, 0 for none. */
  readonly parents: ReadonlyMap<number, number>
}

/** The reason why a translation is rejected, as a sentence that a model can follow. */
export class Rejected extends Error {}

const entities: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"' }

/** Escapes text. */
export const escapeText = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")

const unescapeText = (text: string): string =>
  text.replace(/&(?:lt|gt|amp|quot);/g, (entity) => entities[entity] ?? entity)

const tokenPattern = /<(?<close>\/)?(?<number>\d{1,5})(?<empty>\s*\/)?>/g

/** Matches control characters, and characters that change the direction of text. */
const controlPattern = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** Matches URLs, host names and e-mail addresses, which Markdown and readers can display as links. */
export const addressPattern =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s<>]+|\bwww\.[^\s<>]+|\b(?:mailto|javascript|data|vbscript|xmpp):[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu

/** The maximum length of a translation, of a source of this length. */
const maximumLength = (length: number): number => length * 4 + 200

interface Open<A> {
  readonly number: number
  readonly pieces: Array<Piece<A>>
}

const textOfPieces = <A>(pieces: ReadonlyArray<Piece<A>>): string =>
  pieces
    .map((piece) =>
      piece.kind === "text" ? piece.text : piece.kind === "wrapper" ? textOfPieces(piece.pieces) : "\u{fffc}"
    )
    .join("")

const addText = <A>(pieces: Array<Piece<A>>, text: string): void => {
  const last = pieces.at(-1)
  if (text === "") return
  if (last?.kind === "text") pieces[pieces.length - 1] = { kind: "text", text: last.text + text }
  else pieces.push({ kind: "text", text })
}

/** Rejects text with tags or addresses: they are placeholders in the source. */
const requirePlain = (text: string): void => {
  if (/<(?=[a-z!/?\d])/i.test(text)) throw new Rejected("It has a tag that the source does not have.")
  const plain = unescapeText(text)
  addressPattern.lastIndex = 0
  if (addressPattern.test(plain))
    throw new Rejected("It has a URL or an address that the source does not have.")
}

/** Replaces the placeholders of a translation. Throws {@link Rejected} unless it has each placeholder once, at its level. */
export const decodeTranslation = <A>(
  { text: source, slots, parents }: Encoded<A>,
  translation: string
): ReadonlyArray<Piece<A>> => {
  const trimmed = translation.trim()
  if (trimmed === "") throw new Rejected("It is empty.")
  if (trimmed.length > maximumLength(source.length)) throw new Rejected("It is much longer than the source.")
  if (controlPattern.test(trimmed)) throw new Rejected("It has line breaks or control characters.")
  const used = new Set<number>()
  const stack: Array<Open<A>> = [{ number: 0, pieces: [] }]
  const take = (number: number): Slot<A> => {
    const slot = slots.get(number)
    if (slot === undefined) throw new Rejected(`The placeholder ${number} does not exist.`)
    if (used.has(number)) throw new Rejected(`The placeholder ${number} occurs twice.`)
    used.add(number)
    if (parents.get(number) !== stack.at(-1)!.number)
      throw new Rejected(`The placeholder ${number} is not where the source has it.`)
    return slot
  }
  const close = (number: number): void => {
    const closed = stack.pop()!
    if (closed.number !== number || stack.length === 0)
      throw new Rejected(`The placeholder ${number} does not end where it should.`)
    const slot = slots.get(number)!
    const pieces = stack.at(-1)!.pieces
    if (slot.kind === "term") addText(pieces, slot.translation)
    else if (slot.kind === "wrapper") {
      if (slot.hasText && textOfPieces(closed.pieces).trim() === "")
        throw new Rejected(`The placeholder ${number} must contain text.`)
      pieces.push({ kind: "wrapper", value: slot.value, pieces: closed.pieces })
    }
  }
  let at = 0
  for (const match of trimmed.matchAll(tokenPattern)) {
    const before = trimmed.slice(at, match.index)
    requirePlain(before)
    addText(stack.at(-1)!.pieces, unescapeText(before))
    at = match.index + match[0].length
    const number = Number(match.groups!.number)
    if (match.groups!.close !== undefined) {
      close(number)
      continue
    }
    const slot = take(number)
    if (match.groups!.empty !== undefined && slot.kind === "atom")
      stack.at(-1)!.pieces.push({ kind: "atom", value: slot.value })
    else if (slot.kind === "atom") throw new Rejected(`The placeholder ${number} must be <${number}/>.`)
    else {
      stack.push({ number, pieces: [] })
      if (match.groups!.empty !== undefined) close(number)
    }
  }
  const rest = trimmed.slice(at)
  requirePlain(rest)
  addText(stack.at(-1)!.pieces, unescapeText(rest))
  if (stack.length > 1) throw new Rejected(`The placeholder ${stack.at(-1)!.number} does not end.`)
  const missing = [...slots.keys()].find((number) => !used.has(number))
  if (missing !== undefined) throw new Rejected(`The placeholder ${missing} is missing.`)
  return stack[0]!.pieces
}
