/**
 * Reads tables of contents whose lines are all of the common forms: headings and links with plain titles, rules, and empty lines. The result
 * is that of the parser of Markdown, in linear time. Very long tables of contents consist of such lines.
 */
import type { SummaryEntry } from "../conversion/SummaryEntry.ts"

/** A title without markup, and without anything that could be part of a URL, an address, an emoji or a formula. */
const title = String.raw`[\p{L}\p{N}(](?:[\p{L}\p{N} ,.;'"()/?\u2013\u2014-]*[\p{L}\p{N})?.])?`

/** A destination of which the parser changes nothing. Parentheses would have to be balanced. */
const destination = String.raw`[\p{L}\p{N}/.#?%=:~+,@_-]+`

const headingPattern = new RegExp(`^(#{1,6}) (${title})$`, "u")
const itemPattern = new RegExp(String.raw`^( *)([*+-] {1,4})(\[(${title})\]\((${destination})\))$`, "u")
const rulePattern = /^(?:-{3,}|\*{3,}|_{3,})$/

/** Text that the parser can read as a URL without brackets. */
const addressPattern = /www\./i

/** The maximum indentation, from which the parser of Markdown rejects items. */
const maximumIndentation = 240

/** The maximum indentation of an item below the text of its parent, from which it is code. */
const maximumOffset = 3

/** An item that can have items below it. */
interface OpenItem {
  /** The column of its text, from which items below it start. */
  readonly column: number
  readonly entries: Array<SummaryEntry>
}

/** A line in one of the common forms. */
type Line =
  | { readonly kind: "empty" | "rule" }
  | { readonly kind: "heading"; readonly depth: number; readonly title: string }
  | {
      readonly kind: "item"
      readonly indentation: number
      readonly column: number
      readonly entry: Pick<Required<SummaryEntry>, "title" | "destination" | "written">
    }

const readLine = (line: string): Line | undefined => {
  if (/^ *$/.test(line)) return { kind: "empty" }
  const item = itemPattern.exec(line)
  if (item !== null) {
    const [, spaces = "", marker = "", written = "", text = "", url = ""] = item
    const indentation = spaces.length
    return addressPattern.test(text)
      ? undefined
      : {
          kind: "item",
          indentation,
          column: indentation + marker.length,
          entry: { title: text, destination: url, written }
        }
  }
  const heading = headingPattern.exec(line)
  if (heading !== null && !addressPattern.test(line)) {
    return { kind: "heading", depth: heading[1]!.length, title: heading[2]! }
  }
  return rulePattern.test(line) ? { kind: "rule" } : undefined
}

/** Returns the entries of a table of contents; undefined if a line has another form. */
export const readRegularSummary = (text: string): ReadonlyArray<SummaryEntry> | undefined => {
  const entries: Array<SummaryEntry> = []
  let above: Array<OpenItem> = []
  let followsItem = false
  for (const line of text.split("\n")) {
    const read = readLine(line)
    if (read === undefined) return undefined
    if (read.kind === "item") {
      while ((above.at(-1)?.column ?? 0) > read.indentation) above.pop()
      const parent = above.at(-1)
      const isCode = read.indentation > (parent?.column ?? 0) + maximumOffset
      if (isCode || read.indentation > maximumIndentation) return undefined
      const below: Array<SummaryEntry> = []
      ;(parent?.entries ?? entries).push({ kind: "link", ...read.entry, entries: below })
      above.push({ column: read.column, entries: below })
    } else if (read.kind === "heading") {
      above = []
      if (read.depth > 1) entries.push({ kind: "group", title: read.title, written: line, entries: [] })
    } else if (read.kind === "rule") {
      // Directly below an item, a rule can be one of another form.
      if (followsItem) return undefined
      above = []
      entries.push({ kind: "end", title: "", written: "", entries: [] })
    }
    followsItem = read.kind === "item"
  }
  return entries
}
