/**
 * Splits Markdown into pieces that have the same tree in any document, so that an edit parses only the
 * pieces that it changes.
 *
 * A piece ends before a line that follows an empty line and is not indented: such a line closes all open quotes, lists, footnotes and
 * paragraphs, except that an item of a list can continue a list. So such an item ends only a piece without items, and only if it
 * could interrupt a paragraph: the parser starts no other list after indented code. Only constructs that empty lines do not end can include it, so no piece
 * ends within one. The scan for them may be inexact: `parsePieces` checks that no block includes the start of a piece.
 */
import { linesOfTags } from "./tagSyntax.ts"

/** A piece of Markdown. It ends with an empty line, except for the last one. */
export interface Piece {
  /** The text of the piece. */
  readonly text: string
  /** The offset of the piece. */
  readonly start: number
  /** The number of lines before the piece. */
  readonly line: number
}

/** Matches a line that can start or continue a list. */
const itemPattern = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/

const fencePattern = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/

/** Matches the start of HTML that empty lines do not end. */
const rawHtmlPattern = /^ {0,3}<(?:(script|pre|style|textarea)(?=[\s>]|$)|(!--)|(\?)|(!\[CDATA\[)|(![a-z]))/i

const dollarsPattern = /(?:^|[ \t>])\$\$+[ \t]*$/

/** The ends of raw HTML, by the group of {@link rawHtmlPattern} that matches its start. */
const rawHtmlEnds = [/<\/(?:script|pre|style|textarea)>/i, /-->/, /\?>/, /\]\]>/, />/]

/** Matches the start of a line that closes all open blocks after an empty line, and that of one that does in a piece without items. */
const [closesAll, closesOthers] = [/^(?!(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$))\S/, /^(?:[-+*]|1[.)])[ \t]+\S/]

/** Matches text in which a construct can contain empty lines. */
const mayContainEmptyLines = /`{3}|~{3}|<[!?a-z]|\$\$|\{%/i

/** Returns the pattern of the line that ends the construct that a line starts; undefined if an empty line ends it. */
const endOfConstruct = (line: string): RegExp | undefined => {
  const fence = fencePattern.exec(line)?.[1]
  if (fence !== undefined) return new RegExp(`^ {0,3}\\${fence[0]}{${fence.length},}[ \\t]*$`)
  const groups = rawHtmlPattern.exec(line)
  if (groups === null) return undefined
  const end = rawHtmlEnds[groups.slice(1).findIndex((group) => group !== undefined)]!
  return end.test(line.slice(groups[0].length)) ? undefined : end
}

/** Marks the lines that a fence, raw HTML, a tag or a formula contains. Lines are counted from 0. */
const containedLines = (text: string, lines: ReadonlyArray<string>): ReadonlySet<number> => {
  const contained = new Set<number>()
  if (!mayContainEmptyLines.test(text)) return contained
  const add = (from: number, to: number) => {
    for (let line = from; line <= to; line++) contained.add(line)
  }
  let end: RegExp | undefined
  for (const [index, line] of lines.entries()) {
    if (end === undefined) end = endOfConstruct(line)
    else {
      contained.add(index)
      if (end.test(line)) end = undefined
    }
  }
  if (text.includes("{%")) for (const [first, last] of linesOfTags(text)) add(first, last - 1)
  if (text.includes("$$")) {
    const dollars = lines.flatMap((line, index) => (dollarsPattern.test(line) ? [index] : []))
    if (dollars.length > 0) add(dollars[0]! + 1, dollars.at(-1)!)
  }
  return contained
}

/** Splits Markdown, whose lines end with line feeds, into pieces. */
export const piecesOf = (text: string): ReadonlyArray<Piece> => {
  const lines = text.split("\n")
  const contained = containedLines(text, lines)
  const pieces: Array<Piece> = []
  let [start, line, offset] = [0, 0, 0]
  let hasItems = false
  for (const [index, content] of lines.entries()) {
    if (
      index > 0 &&
      lines[index - 1] === "" &&
      offset > start &&
      (closesAll.test(content) || (!hasItems && closesOthers.test(content))) &&
      !contained.has(index)
    ) {
      if (text.slice(start, offset).trim() !== "") {
        pieces.push({ text: text.slice(start, offset), start, line })
        ;[start, line] = [offset, index]
        hasItems = false
      }
    }
    hasItems ||= itemPattern.test(content)
    offset += content.length + 1
  }
  return [...pieces, { text: text.slice(start), start, line }]
}
