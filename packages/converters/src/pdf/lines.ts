/// <reference path="./linebreak.d.ts" />
/** Breaks text into lines by the Unicode line breaking algorithm. Text can contain several fonts and images. */
import LineBreaker from "linebreak"
import { paragraphDirection, toVisualOrder } from "./bidi.ts"
import { type Face, type Fonts, toPrintable } from "./Fonts.ts"
import type { Graphic } from "./graphics.ts"
import { wordBreaks } from "./wordBreaks.ts"

/** The target of a link: a URL, or a named destination in the document. */
export type Link = { readonly url: string } | { readonly destination: string }

/** The style of a span. Adjacent spans are drawn together only if their style is the same object. */
export interface Style {
  readonly face: Face
  readonly size: number
  readonly color: string
  readonly link?: Link
  readonly isStruck?: boolean
  /** The background color. */
  readonly background?: string
  /** The color of a border, as of keys of a keyboard. */
  readonly border?: string
  /** Whether the background is that of a button, which is higher. */
  readonly isButton?: boolean
  /** The distance above the baseline, in points. */
  readonly rise?: number
}

/** A decoded image. Sizes are in pixels. */
export interface PdfImage {
  readonly width: number
  readonly height: number
  /** The image object of pdfkit. */
  readonly source: object
}

/**
 * Text in one style, in which line feeds end lines, or an image, or a graphic. `width` and `height` are the requested
 * size of an image in points; `alternative` is its text for screen readers.
 */
export type Span =
  | { readonly text: string; readonly style: Style }
  | {
      readonly image: PdfImage
      readonly style: Style
      readonly alternative: string
      readonly width?: number
      readonly height?: number
    }
  | { readonly graphic: Graphic; readonly style: Style }

/** Text, an image or a graphic on a line. `x` is its distance to the start of the line, in points. */
export type Piece = { readonly x: number; readonly width: number; readonly style: Style } & (
  | { readonly text: string; readonly font: string }
  | { readonly image: PdfImage; readonly height: number; readonly alternative: string }
  | { readonly graphic: Graphic; readonly height: number; readonly depth: number }
)

/** A line of pieces. `ascent` and `descent` are its heights above and below the baseline, in points. */
export interface Line {
  readonly pieces: ReadonlyArray<Piece>
  readonly width: number
  readonly ascent: number
  readonly descent: number
}

/** The object replacement character, which represents an image while lines are broken. */
const objectReplacement = "\ufffc"

/** The maximum number of characters that are measured together. Longer units do not fit on a line. */
const maxUnitLength = 500

/** A character with its combining marks. */
const graphemes = /\P{M}\p{M}*|\p{M}+/gsu

/** The height of a line above and below its baseline, per point of font size. */
const ascentRatio = 1.08
const descentRatio = 0.42

/** The size of a pixel, in points. */
const pointsPerPixel = 0.75

/** The maximum width of lines and height of images, in points. Larger images are scaled down. */
export interface LineBounds {
  readonly width: number
  readonly imageHeight: number
}

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** Breaks spans into lines, at least one. The fallback style determines the height of empty lines. */
export const breakLines = (
  fonts: Fonts,
  spans: ReadonlyArray<Span>,
  bounds: LineBounds,
  fallback: Style
): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  const direction = paragraphDirection(spans.map((span) => ("text" in span ? span.text : "")).join(""))
  let pieces: Array<Mutable<Piece>> = []
  let x = 0

  const finishLine = (): void => {
    trimEnd(fonts, pieces)
    const last = pieces.at(-1)
    const size = pieces.reduce(
      (most, { style }) => Math.max(most, style.size),
      pieces.length === 0 ? fallback.size : 0
    )
    const imageAscent = pieces.reduce((most, one) => Math.max(most, "text" in one ? 0 : one.height + 2), 0)
    const graphicDescent = pieces.reduce((most, one) => Math.max(most, "graphic" in one ? one.depth : 0), 0)
    const width = last === undefined ? 0 : last.x + last.width
    const ordered = direction === undefined ? pieces : toVisualOrder(fonts, pieces, direction)
    // Right-to-left text is aligned right.
    const shift = direction === "rtl" && Number.isFinite(bounds.width) ? Math.max(0, bounds.width - width) : 0
    lines.push({
      pieces: shift === 0 ? ordered : ordered.map((piece) => ({ ...piece, x: piece.x + shift })),
      width: width + shift,
      ascent: Math.max(size * ascentRatio, imageAscent),
      descent: Math.max(size * descentRatio, graphicDescent)
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

  /** Adds text that can be wider than a line, character by character. */
  const addByCharacters = (text: string, style: Style): void => {
    for (const [cluster] of text.matchAll(graphemes)) {
      if (x + widthOf(fonts, cluster, style) > bounds.width && x > 0) finishLine()
      addRuns(cluster, style)
    }
  }

  const addImage = (span: Extract<Span, { readonly image: PdfImage }>): void => {
    const { image, style, alternative } = span
    const ratio = image.height / image.width
    const naturalWidth =
      span.width ?? (span.height === undefined ? image.width * pointsPerPixel : span.height / ratio)
    const naturalHeight = span.height ?? naturalWidth * ratio
    const scale = Math.min(1, bounds.width / naturalWidth, bounds.imageHeight / naturalHeight)
    const width = naturalWidth * scale
    if (x + width > bounds.width + 0.01 && x > 0) finishLine()
    pieces.push({ x, width, style, image, alternative, height: naturalHeight * scale })
    x += width
  }

  const addGraphic = (graphic: Graphic, style: Style): void => {
    // A formula that is wider than the line is scaled down.
    const size = Math.min(
      style.size,
      bounds.width / Math.max(graphic.width, 0.01),
      bounds.imageHeight / Math.max(graphic.ascent + graphic.descent, 0.01)
    )
    const width = graphic.width * size
    if (x + width > bounds.width + 0.01 && x > 0) finishLine()
    const height = graphic.ascent * size
    pieces.push({ x, width, style: { ...style, size }, graphic, height, depth: graphic.descent * size })
    x += width
  }

  for (const unit of breakableUnits(spans)) {
    let visible = 0
    let hasText = false
    for (const part of unit.parts) {
      if (!("text" in part)) continue
      hasText = true
      if (part.text.length > maxUnitLength) {
        visible = Number.POSITIVE_INFINITY
        break
      }
      visible += widthOf(fonts, part.text, part.style)
      if (part === unit.parts.at(-1)) {
        visible -= widthOf(fonts, part.text.slice(part.text.trimEnd().length), part.style)
      }
    }
    if (hasText && x + visible > bounds.width && x > 0) finishLine()
    for (const part of unit.parts) {
      if ("image" in part) addImage(part)
      else if ("graphic" in part) addGraphic(part.graphic, part.style)
      else if (visible > bounds.width) addByCharacters(part.text, part.style)
      else addRuns(part.text, part.style)
    }
    if (unit.isLast) finishLine()
  }
  if (pieces.length > 0 || lines.length === 0) finishLine()
  return lines
}

const widthOf = (fonts: Fonts, text: string, { face, size }: Style): number =>
  fonts.runs(text, face).reduce((sum, { width }) => sum + width * size, 0)

/** Content without a break opportunity, and whether the line must end after it. */
interface Unit {
  readonly parts: ReadonlyArray<Span>
  readonly isLast: boolean
}

/** Splits spans into units between which lines can be broken. */
function* breakableUnits(given: ReadonlyArray<Span>): Generator<Unit> {
  const spans = given.map((span) => ("text" in span ? { ...span, text: toPrintable(span.text) } : span))
  const texts = spans.map((span) => ("text" in span ? span.text : objectReplacement))
  const text = texts.join("")
  let index = 0
  let offset = 0
  let from = 0
  for (const position of breakPositions(text)) {
    const parts: Array<Span> = []
    while (from < position && index < spans.length) {
      const span = spans[index]!
      const length = Math.min(position - from, texts[index]!.length - offset)
      if (!("text" in span)) parts.push(span)
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
    yield { parts, isLast: text[position - 1] === "\n" }
  }
}

/** Returns the positions at which a line can end. */
function* breakPositions(text: string): Generator<number> {
  const words = wordBreaks(text)
  const breaker = new LineBreaker(text)
  let at = 0
  let from = 0
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    for (; at < words.length && words[at]! <= next.position; at++) {
      if (words[at]! > from && words[at]! < next.position) yield words[at]!
    }
    from = next.position
    yield next.position
  }
}

/** Removes the whitespace at the end of a line. */
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

/** Returns text as a single line, truncated with an ellipsis if it is wider than `width` points. */
export const toSingleLine = (fonts: Fonts, text: string, style: Style, width: number): Line => {
  const characters = [...toPrintable(text.replace(/\s+/g, " ").slice(0, 400))]
  const unbounded = { width: Number.POSITIVE_INFINITY, imageHeight: 0 }
  const toLine = (content: string) => breakLines(fonts, [{ text: content, style }], unbounded, style)[0]!
  const whole = toLine(characters.join(""))
  if (whole.width <= width) return whole
  let [low, high] = [0, characters.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (toLine(`${characters.slice(0, middle).join("")}…`).width <= width) low = middle
    else high = middle - 1
  }
  return toLine(`${characters.slice(0, low).join("").trimEnd()}…`)
}
