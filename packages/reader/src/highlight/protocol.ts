/** The messages between the server and the thread that colors code and typesets formulas. */
import type { CodeToken } from "../document/DocumentContext.ts"

/** A piece of a page that takes long to render: code with its language, a formula, or an image. */
export type Piece =
  | { readonly kind: "code"; readonly syntax: string; readonly text: string }
  | { readonly kind: "math"; readonly formula: string; readonly isBlock: boolean }
  | { readonly kind: "image"; readonly svg: string }

/** A rendered piece: lines of colored code, MathML, or a PNG in base64. Null if it cannot be rendered, and is displayed as plain text. */
export type RenderedPiece = ReadonlyArray<ReadonlyArray<CodeToken>> | string | null

/** A request to render a piece. */
export interface PieceRequest {
  readonly id: number
  readonly piece: Piece
}

/** A message of the thread: it has started to render a piece, or has rendered it. */
export type ThreadMessage =
  | { readonly id: number; readonly started: true }
  | { readonly id: number; readonly rendered: RenderedPiece }
