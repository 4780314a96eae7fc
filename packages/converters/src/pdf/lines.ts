/// <reference path="./linebreak.d.ts" />
/** Breaks text into lines, by the rules of Unicode: text in several fonts, with pictures among it. */
import LineBreaker from "linebreak"
import { directionOf, inOrder } from "./bidi.ts"
import { type Face, type Fonts, printable } from "./Fonts.ts"

/** Where a link leads: to an address, or to a named place in the document. */
export type Link = { readonly url: string } | { readonly place: string }

/** How a text looks. Texts of one style are one and the same object. */
export interface Style {
  readonly face: Face
  readonly size: number
  readonly color: string
  readonly link?: Link
  readonly isStruck?: boolean
  /** A color behind the text. */
  readonly background?: string
  /** How far it is above the base line. */
  readonly rise?: number
}

/** A picture that was read. Sizes are in pixels. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** What pdfkit draws. */
  readonly source: object
}

/** A text in one style, in which line feeds end lines; or a picture. */
export type Span =
  | { readonly text: string; readonly style: Style }
  | { readonly picture: Picture; readonly style: Style }

/** Something on a line, at a distance from where the line begins. */
export type Piece = { readonly x: number; readonly width: number; readonly style: Style } & (
  | { readonly text: string; readonly font: string }
  | { readonly picture: Picture; readonly height: number }
)

/** A line: how far it goes above and below its base line, and what is on it. */
export interface Line {
  readonly pieces: ReadonlyArray<Piece>
  readonly width: number
  readonly ascent: number
  readonly descent: number
}

/** What stands for a picture in the text that lines are broken in. */
const pictureMark = "\ufffc"

/** The most characters that are measured as one: more do not fit on a line. */
const longestUnit = 500

/** A character with the marks on it. */
const clusters = /\P{M}\p{M}*|\p{M}+/gsu

/** How far a line of text goes above and below its base line, for each point of its size. */
const above = 1.08
const below = 0.42

/** The points of a pixel. */
const pixel = 0.75

/** The space that lines may take: pictures are made smaller to fit it. */
export interface Room {
  readonly width: number
  readonly pictureHeight: number
}

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** The lines of spans. There is at least one. The fallback says how high a line without anything is. */
export const linesOf = (
  fonts: Fonts,
  spans: ReadonlyArray<Span>,
  room: Room,
  fallback: Style
): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  const direction = directionOf(spans.map((span) => ("text" in span ? span.text : "")).join(""))
  let pieces: Array<Mutable<Piece>> = []
  let x = 0

  const finish = (): void => {
    trimEnd(fonts, pieces)
    const last = pieces.at(-1)
    const size = pieces.reduce(
      (most, { style }) => Math.max(most, style.size),
      pieces.length === 0 ? fallback.size : 0
    )
    const picture = pieces.reduce((most, one) => Math.max(most, "picture" in one ? one.height + 2 : 0), 0)
    const width = last === undefined ? 0 : last.x + last.width
    const ordered = direction === undefined ? pieces : inOrder(fonts, pieces, direction)
    // What is read from the right begins there.
    const shift = direction === "rtl" && Number.isFinite(room.width) ? Math.max(0, room.width - width) : 0
    lines.push({
      pieces: shift === 0 ? ordered : ordered.map((piece) => ({ ...piece, x: piece.x + shift })),
      width: width + shift,
      ascent: Math.max(size * above, picture),
      descent: size * below
    })
    pieces = []
    x = 0
  }

  const add = (text: string, font: string, width: number, style: Style): void => {
    const last = pieces.at(-1)
    if (last !== undefined && "text" in last && last.font === font && last.style === style) {
      last.text += text
      last.width += width
    } else pieces.push({ x, width, style, text, font })
    x += width
  }

  const addRuns = (text: string, style: Style): void => {
    for (const run of fonts.runs(text, style.face)) add(run.text, run.font, run.width * style.size, style)
  }

  /** Adds a text that may be wider than a line, character by character. */
  const addByCharacters = (text: string, style: Style): void => {
    for (const [cluster] of text.matchAll(clusters)) {
      if (x + widthOf(fonts, cluster, style) > room.width && x > 0) finish()
      addRuns(cluster, style)
    }
  }

  const addPicture = (picture: Picture, style: Style): void => {
    const natural = { width: picture.width * pixel, height: picture.height * pixel }
    const scale = Math.min(1, room.width / natural.width, room.pictureHeight / natural.height)
    const width = natural.width * scale
    if (x + width > room.width + 0.01 && x > 0) finish()
    pieces.push({ x, width, style, picture, height: natural.height * scale })
    x += width
  }

  for (const unit of unitsOf(spans)) {
    let visible = 0
    let hasText = false
    for (const part of unit.parts) {
      if ("picture" in part) continue
      hasText = true
      if (part.text.length > longestUnit) {
        visible = Number.POSITIVE_INFINITY
        break
      }
      visible += widthOf(fonts, part.text, part.style)
      if (part === unit.parts.at(-1)) {
        visible -= widthOf(fonts, part.text.slice(part.text.trimEnd().length), part.style)
      }
    }
    if (hasText && x + visible > room.width && x > 0) finish()
    for (const part of unit.parts) {
      if ("picture" in part) addPicture(part.picture, part.style)
      else if (visible > room.width) addByCharacters(part.text, part.style)
      else addRuns(part.text, part.style)
    }
    if (unit.isLast) finish()
  }
  if (pieces.length > 0 || lines.length === 0) finish()
  return lines
}

const widthOf = (fonts: Fonts, text: string, { face, size }: Style): number =>
  fonts.runs(text, face).reduce((sum, { width }) => sum + width * size, 0)

/** What stands together on a line, and whether the line ends behind it. */
interface Unit {
  readonly parts: ReadonlyArray<Span>
  readonly isLast: boolean
}

/** Spans in units that lines are broken between. */
function* unitsOf(given: ReadonlyArray<Span>): Generator<Unit> {
  const spans = given.map((span) => ("text" in span ? { ...span, text: printable(span.text) } : span))
  const texts = spans.map((span) => ("text" in span ? span.text : pictureMark))
  const text = texts.join("")
  const breaker = new LineBreaker(text)
  let index = 0
  let offset = 0
  let from = 0
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const parts: Array<Span> = []
    while (from < next.position && index < spans.length) {
      const span = spans[index]!
      const length = Math.min(next.position - from, texts[index]!.length - offset)
      if ("picture" in span) parts.push(span)
      else {
        const part = span.text.slice(offset, offset + length).replaceAll("\n", "")
        if (part !== "") parts.push({ text: part, style: span.style })
      }
      from += length
      offset += length
      if (offset === texts[index]!.length) {
        index++
        offset = 0
      }
    }
    yield { parts, isLast: text[next.position - 1] === "\n" }
  }
}

/** Takes away the white space that a line ends in. */
const trimEnd = (fonts: Fonts, pieces: Array<Mutable<Piece>>): void => {
  for (let last = pieces.at(-1); last !== undefined && "text" in last; last = pieces.at(-1)) {
    const text = last.text.trimEnd()
    if (text === last.text) return
    if (text === "") {
      pieces.pop()
      continue
    }
    last.width -= widthOf(fonts, last.text.slice(text.length), last.style)
    last.text = text
    return
  }
}

/** The first line of a text that must be on one, shortened where it does not fit. */
export const oneLine = (fonts: Fonts, text: string, style: Style, width: number): Line => {
  const all = [...printable(text.replace(/\s+/g, " ").slice(0, 400))]
  const room = { width: Number.POSITIVE_INFINITY, pictureHeight: 0 }
  const lineOf = (shown: string) => linesOf(fonts, [{ text: shown, style }], room, style)[0]!
  const whole = lineOf(all.join(""))
  if (whole.width <= width) return whole
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (lineOf(`${all.slice(0, middle).join("")}…`).width <= width) low = middle
    else high = middle - 1
  }
  return lineOf(`${all.slice(0, low).join("").trimEnd()}…`)
}
