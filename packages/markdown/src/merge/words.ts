/** Prose as words, for merges that are finer than lines. */

/**
 * A word with the whitespace after it, so that changes of neighboring words touch. Scripts without spaces are divided at
 * their punctuation.
 */
const word = /[^\s。、，！？；：]*[。、，！？；：]?[^\S\n]*/gu

/** Returns the words and line feeds of lines. Joined, they are the lines. */
export const wordsOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line, index) => {
    const words = line.match(word)?.filter((one) => one !== "") ?? []
    return index === 0 ? words : ["\n", ...words]
  })

/**
 * Lines whose meaning depends on more than their words: tables, HTML, block tags, definitions of links and indented code.
 * Words of both sides in one such line can contradict each other.
 */
const structured = /^(?:\t| {4,})|^\s*(?:[-*+>]\s+)*(?:\||<|\{%|\[[^\]]*\]:)/

/** The line that opens or closes a block of code or math, also inside of list items and quotes. */
const fence = /^\s*(?:(?:[-*+>]|\d+[.)])\s+)*(`{3,}|~{3,}|\$\$)/

/** A line that is a tag, as in `{% hint style="info" %}`, or a tag of an expandable block. */
const tagLine = /^[\s>]*(?:\{%.*%\}|<\/?(?:details|summary)\b.*>)\s*$/

/**
 * The kinds of lines: prose of paragraphs, headings, list items and quotes, tags of blocks, and others, such as code and
 * tables.
 */
export const lineKinds = { other: 0, prose: 1, tag: 2 } as const

const kindOf = (line: string): number => {
  if (tagLine.test(line)) return lineKinds.tag
  return structured.test(line) ? lineKinds.other : lineKinds.prose
}

/** Returns the kinds of lines. */
export const kindsOfLines = (lines: ReadonlyArray<string>): Uint8Array => {
  const kinds = new Uint8Array(lines.length)
  let open: string | undefined
  for (const [index, line] of lines.entries()) {
    const marker = fence.exec(line)?.[1]
    if (open === undefined) {
      if (marker === undefined) kinds[index] = kindOf(line)
      // Math can open and close on one line.
      else if (marker !== "$$" || line.indexOf("$$") === line.lastIndexOf("$$")) open = marker
    } else if (marker?.[0] === open[0] && marker!.length >= open.length) open = undefined
  }
  return kinds
}
