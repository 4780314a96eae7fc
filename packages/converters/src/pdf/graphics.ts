/** Vector graphics in lines of text: formulas and icons. */
import type { LinePainter } from "./drawLine.ts"
import { toPrintable } from "./Fonts.ts"
import type { Style } from "./lines.ts"

/** A transformation: the six numbers of a matrix in SVG. */
export type Matrix = readonly [number, number, number, number, number, number]

/** A part of a graphic: a filled path, a stroked path, or text. Coordinates have the y-axis downwards, as in SVG. */
export type Shape = { readonly matrix: Matrix; readonly color?: string } & (
  | { readonly path: string; readonly strokeWidth?: number }
  | { readonly text: string; readonly size: number }
)

/** A graphic whose size is relative to that of the text around it. */
export interface Graphic {
  /** The type of its element in the structure. */
  readonly type: "Figure" | "Formula"
  /** The text for screen readers. Empty for decoration. */
  readonly alternative: string
  /** The width, and the heights above and below the baseline, per point of font size. */
  readonly width: number
  readonly ascent: number
  readonly descent: number
  readonly shapes: ReadonlyArray<Shape>
}

/** The matrix that changes nothing. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** Returns the matrix that applies `inner`, then `outer`. */
export const multiply = (outer: Matrix, inner: Matrix): Matrix => {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** Draws a graphic with its baseline at `base`. */
export const drawGraphic = (
  { document, fonts }: LinePainter,
  graphic: Graphic,
  x: number,
  base: number,
  style: Style
): void => {
  document.save()
  document.transform(style.size, 0, 0, style.size, x, base)
  for (const shape of graphic.shapes) {
    const color = shape.color ?? style.color
    document.save()
    document.transform(...shape.matrix)
    if ("text" in shape) {
      let at = 0
      for (const run of fonts.runs(toPrintable(shape.text).replaceAll("\n", " "), "regular")) {
        document.font(run.font, shape.size).fillColor(color)
        document.text(run.text, at, 0, { lineBreak: false, baseline: "alphabetic" })
        at += run.width * shape.size
      }
    } else if (shape.strokeWidth !== undefined) {
      document.path(shape.path).lineWidth(shape.strokeWidth).stroke(color)
    } else document.path(shape.path).fill(color)
    document.restore()
  }
  document.restore()
}
