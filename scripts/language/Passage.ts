/** A piece of prose in the repository: a comment, a string of the code, or a Markdown file. */

/**
 * The kinds of passages:
 *
 * - `doc`: a doc comment
 * - `comment`: any other comment
 * - `text`: a string of a source file that reads as prose, such as an error message or a command-line text
 * - `title`: the title of a test
 * - `markdown`: a Markdown file
 */
export type PassageKind = "doc" | "comment" | "text" | "title" | "markdown"

/** A piece of prose. Code inside it is hidden, so that rules see words only. */
export interface Passage {
  readonly file: string
  readonly kind: PassageKind
  /** Whether users of the packages, of the API or of the command line read it. */
  readonly isPublic: boolean
  /** The prose, as long as its source: an index into it plus `start` is an offset in the file. */
  readonly prose: string
  /** The offset in the file at which the passage starts. */
  readonly start: number
}

/** Code is a word that no rule has. Spaces instead would join the words around it. */
const hide = (text: string): string => text.replaceAll(/\S/g, "_")

/** Replaces code, links and URLs by underscores, so that the length is the same. */
export const hideCode = (text: string): string =>
  text
    .replaceAll(/^[ \t/*]*(```|~~~)[\s\S]*?^[ \t/*]*\1[^\n]*$/gm, hide)
    .replaceAll(/``[^`]+``|`[^`]*`/g, hide)
    .replaceAll(/\{@link [^}]*\}/g, hide)
    .replaceAll(/\]\([^)\s]*\)/g, hide)
    .replaceAll(/https?:\/\/[^\s)>]+/g, hide)
    .replaceAll(/<\/?[a-z][^>\n]*>/g, (tag) => " ".repeat(tag.length))

/** Returns a function from an offset in a string to its line, from 1. */
export const lineFinder = (text: string): ((offset: number) => number) => {
  const starts = [0]
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1))
    starts.push(index + 1)
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
