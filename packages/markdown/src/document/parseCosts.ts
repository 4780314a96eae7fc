/** Counts the cost of parsing, per piece of the input, so that the costs of the pieces determine the cost of an input. */

/** The cost of parsing a piece. */
export interface PieceCost {
  /** The steps that depend on nothing but the piece. */
  steps: number
  /** The number of separate quotes and lists, whose cost grows with the number before them. */
  containers: number
  /** The number of lines that can underline a heading, whose cost grows with the text before them. */
  underlines: number
}

/** Collects the costs of the pieces of an input. */
export class ParseCosts {
  /** The cost of each piece. */
  readonly pieces: ReadonlyArray<PieceCost>
  private readonly starts: ReadonlyArray<number>

  /** `starts` are the offsets of the pieces, in order; the first one is 0. */
  constructor(starts: ReadonlyArray<number> = [0]) {
    this.starts = starts
    this.pieces = starts.map(() => ({ steps: 0, containers: 0, underlines: 0 }))
  }

  /** Returns the cost of the piece that contains an offset. */
  at(offset: number): PieceCost {
    let [low, high] = [0, this.starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return this.pieces[low]!
  }
}
