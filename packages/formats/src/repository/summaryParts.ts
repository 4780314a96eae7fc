/**
 * Divides a table of contents into parts that are parsed separately, because the parser takes quadratic time for long lists, and
 * rejects them. The entries of the parts are the entries of the whole.
 */
import { estimateParseCost, isVerbatim, maximumParseCost, parse } from "@lectern/markdown/document"
import type { Root } from "mdast"
import { NotReadable } from "../conversion/NotReadable.ts"

/** A part of a table of contents: its text, its tree, and the text of the entries below its only item, if they are separate. */
export interface SummaryPart {
  readonly text: string
  readonly root: Root
  readonly below: ReadonlyArray<SummaryPart>
}

/** The length from which a part ends before the next item, in characters. */
const commonPartLength = 16 * 1024

/** The maximum depth of entries that are parsed separately: of the parser. */
const maximumDepth = 40

/** Matches a line that starts a block at the root and belongs to no block before it: an item, or a heading. */
const startPattern = /^(?:[*+-] +\S|#{1,6} )/

/** Matches lines after which an item may not start at such a line: code, formulas, HTML and tags at the root. */
const openPattern = /^ {0,3}(?:```|~~~|\$\$|<|\{%)/m

/** Matches a definition of a label, on which links in other parts can depend. Escaped brackets do not end a label. */
const definitionPattern = /^ *(?:(?:[*+>-]|\d{1,9}[.)]) *)*\[(?:[^[\]\\]|\\.)*\]:/m

/** Matches an item of one line whose text is not code, with its indentation. */
const itemPattern = /^( *)[*+-] +(?!```|~~~|\$\$|[*+-] )\S/

const tooExpensive = new NotReadable({
  message: "points to files whose table of contents is too long or too complex to be read"
})

/**
 * Divides Markdown before items and headings into parts of at least a length. Returns the whole if a part could depend on
 * another.
 */
const divide = (text: string, partLength: number): ReadonlyArray<string> => {
  if (definitionPattern.test(text) || openPattern.test(text)) return [text]
  const parts: Array<string> = []
  let lines: Array<string> = []
  let length = 0
  for (const line of text.split("\n")) {
    if (length >= partLength && startPattern.test(line)) {
      parts.push(lines.join("\n"))
      lines = []
      length = 0
    }
    lines.push(line)
    length += line.length + 1
  }
  return [...parts, lines.join("\n")]
}

/** Divides Markdown before each of its items and headings. */
const divideAll = (text: string): ReadonlyArray<string> =>
  text.split(/\n(?=[*+-] +\S|#{1,6} )/).filter((part) => part.trim() !== "")

/** Divides an item of one line from the items below it, whose indentation is removed. Returns `undefined` for other Markdown. */
const divideItem = (text: string): readonly [item: string, below: string] | undefined => {
  const [item = "", ...rest] = text.split("\n").filter((line) => line.trim() !== "")
  const indentation = itemPattern.exec(rest[0] ?? "")?.[1]?.length ?? 0
  const offset = /^[*+-] +/.exec(item)?.[0].length ?? 0
  const isRegular =
    itemPattern.test(item) &&
    offset > 0 &&
    offset <= 5 &&
    indentation >= offset &&
    indentation <= offset + 3 &&
    rest.every((line) => (itemPattern.exec(line)?.[1]?.length ?? -1) >= indentation)
  return isRegular ? [item, rest.map((line) => line.slice(indentation)).join("\n")] : undefined
}

/** Parses Markdown; undefined if the parser rejects it. */
const tryPart = (text: string, below: ReadonlyArray<SummaryPart> = []): SummaryPart | undefined => {
  const root = parse(text)
  return isVerbatim(root) ? undefined : { text, root, below }
}

const parsePart = (text: string, below: ReadonlyArray<SummaryPart> = []): SummaryPart => {
  const part = tryPart(text, below)
  if (part === undefined) throw tooExpensive
  return part
}

/** Parses Markdown as a whole or, if the parser rejects it, by its items and headings, so that their number is not limited. */
const parseParts = (text: string): ReadonlyArray<SummaryPart> => {
  const part = tryPart(text)
  return part === undefined ? divide(text, 1).map((one) => parsePart(one)) : [part]
}

const isExpensive = (text: string): boolean =>
  estimateParseCost(text, maximumParseCost / 8) > maximumParseCost / 8

const readItem = (text: string, depth: number): SummaryPart => {
  const divided = isExpensive(text) && depth < maximumDepth ? divideItem(text) : undefined
  if (divided === undefined) return parsePart(text)
  const [item, below] = divided
  return parsePart(item, readParts(below, depth + 1))
}

const readParts = (text: string, depth: number): ReadonlyArray<SummaryPart> =>
  divide(text, commonPartLength).flatMap((part) =>
    isExpensive(part) && startsWithItems(part)
      ? divideAll(part).map((one) => readItem(one, depth))
      : parseParts(part)
  )

/** Whether each line of the Markdown is an item of one line, a heading, or empty, so that the text can be divided at each item. */
const startsWithItems = (text: string): boolean =>
  !definitionPattern.test(text) &&
  text.split("\n").every((line) => line.trim() === "" || line.startsWith("#") || itemPattern.test(line))

/** Parses a table of contents. Throws `NotReadable` for one that the parser rejects, which would have no entries otherwise. */
export const parseSummaryParts = (text: string): ReadonlyArray<SummaryPart> => {
  const isShort = estimateParseCost(text, maximumParseCost / 2) <= maximumParseCost / 2
  const whole = isShort ? tryPart(text) : undefined
  return whole === undefined ? readParts(text, 0) : [whole]
}
