/** A piece of prose in the repository: a comment, a text in the code, or a Markdown file. */

/**
 * What a passage is:
 *
 * - `doc`: a doc comment
 * - `comment`: any other comment
 * - `text`: a string of a source file that reads as prose, such as an error message or a command-line text
 * - `title`: the title of a test
 * - `markdown`: a Markdown file
 */
export type PassageKind = "doc" | "comment" | "text" | "title" | "markdown"

/** A piece of prose. Code inside it is blanked out, so that rules see words only. */
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

const blank = (text: string): string => text.replaceAll(/[^\n]/g, " ")

/** Replaces code spans, links and URLs by spaces of the same length. */
export const blankCode = (text: string): string =>
  text
    .replaceAll(/^[ \t/*]*(```|~~~)[\s\S]*?^[ \t/*]*\1[^\n]*$/gm, blank)
    .replaceAll(/``[^`]+``|`[^`]*`/g, blank)
    .replaceAll(/\{@link [^}]*\}/g, blank)
    .replaceAll(/\]\([^)\s]*\)/g, blank)
    .replaceAll(/https?:\/\/[^\s)>]+/g, blank)
    .replaceAll(/<\/?[a-z][^>\n]*>/g, blank)

/** Returns a function from an offset in a text to its line, from 1. */
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
