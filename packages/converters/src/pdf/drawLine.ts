/** Draws lines: text, images, formulas and icons, each in its element of the structure, with links. */
import type { Fonts } from "./Fonts.ts"
import { drawGraphic } from "./graphics.ts"
import type { Line, Piece } from "./lines.ts"
import { type Document, toPdfString } from "./pdfkit.ts"
import type { Structure } from "./Structure.ts"

/** The document that lines are drawn on. */
export interface LinePainter {
  readonly document: Document
  readonly fonts: Fonts
  readonly structure: Structure
}

/** Draws a line at a position. An artifact belongs to no element, and has no links. */
export const drawLine = (
  painter: LinePainter,
  { pieces }: Line,
  left: number,
  base: number,
  isArtifact = false
): void => {
  const { structure } = painter
  for (const piece of pieces) {
    const x = left + piece.x
    const link = piece.style.link
    if (isArtifact) drawPiece(painter, piece, x, base, true)
    else if (link === undefined) drawPiece(painter, piece, x, base, false)
    else {
      structure.within("Link", () => {
        drawPiece(painter, piece, x, base, false)
        addAnnotation(painter, piece, x, base)
      })
    }
  }
}

const drawPiece = (
  painter: LinePainter,
  piece: Piece,
  x: number,
  base: number,
  isArtifact: boolean
): void => {
  const { document, structure } = painter
  if ("text" in piece) {
    if (!isArtifact) structure.openContent()
    drawText(document, piece, x, base)
    return
  }
  const draw = () => {
    if (!isArtifact) structure.openContent()
    if ("image" in piece) {
      const { width, height } = piece
      document.image(piece.image.source as Buffer, x, base - height, { width, height })
    } else drawGraphic(painter, piece.graphic, x, base, piece.style)
  }
  const alternative = alternativeOf(piece)
  if (isArtifact) draw()
  // An icon without a meaning of its own is decoration.
  else if (alternative === "") structure.artifact(() => drawDecorative(painter, piece, x, base))
  else structure.within("image" in piece ? "Figure" : piece.graphic.type, draw, { alt: alternative })
}

const alternativeOf = (piece: Exclude<Piece, { readonly text: string }>): string =>
  "image" in piece ? piece.alternative : piece.graphic.alternative

const drawDecorative = (painter: LinePainter, piece: Piece, x: number, base: number): void =>
  drawPiece(painter, piece, x, base, true)

const drawText = (
  document: Document,
  { style, text, font, width }: Extract<Piece, { readonly text: string }>,
  x: number,
  base: number
): void => {
  const size = style.size
  if (style.background !== undefined) {
    const padding = style.isButton === true ? 2.5 : 0
    document
      .roundedRect(
        x - 1.5,
        base - size * 0.95 - padding,
        width + 3,
        size * 1.25 + padding * 2,
        2 + padding / 2
      )
      .fill(style.background)
  }
  if (style.border !== undefined) {
    document
      .roundedRect(x - 1.5, base - size * 0.95, width + 3, size * 1.25, 2)
      .lineWidth(0.6)
      .stroke(style.border)
  }
  document.font(font, size).fillColor(style.color)
  document.text(text, x, base - (style.rise ?? 0), { lineBreak: false, baseline: "alphabetic" })
  if (style.isStruck === true) {
    document.rect(x, base - size * 0.3, width, size * 0.06).fill(style.color)
  }
}

const addAnnotation = ({ document, structure }: LinePainter, piece: Piece, x: number, base: number): void => {
  const { style, width } = piece
  if (style.link === undefined) return
  const isText = "text" in piece
  const height = isText ? style.size * 1.25 : piece.height
  const top = base - (isText ? style.size : piece.height)
  const options = {
    structParent: structure.current,
    Contents: toPdfString(isText ? piece.text : alternativeOf(piece))
  }
  if ("url" in style.link) document.link(x, top, width, height, style.link.url, options)
  else document.goTo(x, top, width, height, style.link.destination, options)
}
