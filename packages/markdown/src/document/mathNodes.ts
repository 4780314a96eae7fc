/** The nodes of formulas in syntax trees. */
import type { Literal } from "mdast"

/** A formula as a block. */
export interface MathBlock extends Literal {
  /** The type of the node. */
  readonly type: "math"
  /** The formula. */
  readonly value: string
}

/** A formula in a line of text. */
export interface InlineMath extends Literal {
  /** The type of the node. */
  readonly type: "inlineMath"
  /** The formula. */
  readonly value: string
}

declare module "mdast" {
  interface PhrasingContentMap {
    inlineMath: InlineMath
  }
  interface BlockContentMap {
    math: MathBlock
  }
  interface RootContentMap {
    inlineMath: InlineMath
    math: MathBlock
  }
}
