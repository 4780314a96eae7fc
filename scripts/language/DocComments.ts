/** The doc comments of a source file. */
import type { Comment } from "oxc-parser"

/** A doc comment. */
export interface DocComment {
  readonly start: number
  /** Its text without the asterisks, line by line. */
  readonly text: string
}

const textOf = (value: string): string =>
  value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .join("\n")
    .trim()

/** Doc comments by their position. */
export class DocComments {
  readonly #text: string
  readonly #docs: ReadonlyArray<Comment>

  constructor(text: string, comments: ReadonlyArray<Comment>) {
    this.#text = text
    this.#docs = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"))
  }

  /** The doc comment that ends directly above an offset. Linter directives and other comments may be between them. */
  above(offset: number): DocComment | undefined {
    const doc = this.#docs.findLast(({ end }) => end <= offset)
    if (doc === undefined) return undefined
    const between = this.#text.slice(doc.end, offset).replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "")
    return between.trim() === "" ? { start: doc.start, text: textOf(doc.value) } : undefined
  }

  /** The offsets at which the doc comments between two offsets start. */
  startsWithin(from: number, to: number): ReadonlyArray<number> {
    return this.#docs.filter(({ start, end }) => start >= from && end <= to).map(({ start }) => start)
  }
}
