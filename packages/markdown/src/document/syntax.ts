/**
 * Parses Markdown to its syntax tree, and stringifies trees. No other module configures the serializer; `parseText`
 * configures the parser.
 *
 * The dialect is GitHub Flavored Markdown: tables, task lists, strikethrough, footnotes and bare URLs. The output uses
 * `-` for bullets and rules, `*` for emphasis, ATX headings, fenced code, and tables without padding.
 */
import type { Link, Nodes, Parents, Root, Table, Text } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import {
  defaultHandlers,
  type Handle,
  type Join,
  type Options,
  type State,
  toMarkdown
} from "mdast-util-to-markdown"
import { emojiToMarkdown, escapeEmojiNames } from "./emojiSyntax.ts"
import { mathBlockToMarkdown } from "./mathBlockSyntax.ts"
import { mathToMarkdown } from "./mathSyntax.ts"
import { ParseBudgetExceeded } from "./parseBudget.ts"
import { isTooExpensiveToParse } from "./parseCost.ts"
import { parsePieces } from "./parsePieces.ts"

/**
 * Parses any Markdown. It never fails: input that is nested more than 40 levels deep, or that exceeds the parse budget,
 * becomes a tree with one `html` node, whose value is the input. `isVerbatim` recognizes such trees.
 */
export const parse = (markdown: string): Root => {
  const text = wellFormed(markdown)
  try {
    if (isTooExpensiveToParse(text)) return verbatim(text)
    return parsePieces(text)
  } catch (error) {
    // The parser throws a RangeError if the tree is so deep that it exhausts the call stack.
    if (error instanceof ParseBudgetExceeded || error instanceof RangeError) return verbatim(text)
    throw error
  }
}

/** The style of Markdown: options of the serializer that do not change the meaning. */
export interface MarkdownStyle {
  readonly bullet?: "*" | "+" | "-"
  readonly bulletOrdered?: "." | ")"
  readonly emphasis?: "*" | "_"
  readonly fence?: "`" | "~"
  readonly rule?: "*" | "-" | "_"
  /** Whether headings of the first two levels are underlined. */
  readonly setext?: boolean
  readonly strong?: "*" | "_"
}

/** Returns the Markdown of a tree. It ends with a line feed unless it is empty. */
export const stringify = (root: Root, style: MarkdownStyle = {}): string =>
  toMarkdown(root, { ...options, ...style })

/** Whether a tree has its input unparsed, because the input exceeded the limits of `parse`. */
export const isVerbatim = (root: Root): boolean => root.data !== undefined && "verbatim" in root.data

const verbatim = (text: string): Root => ({
  type: "root",
  children: [{ type: "html", value: text.replace(/\n+$/, "") }],
  data: { verbatim: true } as Root["data"] & object
})

/**
 * Normalizes line endings to line feeds, removes a byte order mark, and replaces characters that a store may not
 * preserve: NUL and lone surrogates. Positions in a tree refer to the result.
 */
export const wellFormed = (markdown: string): string =>
  markdown
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD")
    .toWellFormed()

/**
 * Writes a table with one line per row. Rows are neither padded to the widest cell nor filled to the longest row:
 * either lets a few bytes grow to gigabytes, and filling would add columns for cells beyond the header's.
 */
const table: Handle = (node: Table, _parent, state, info) => {
  const exit = state.enter("table")
  const tracker = state.createTracker(info)
  const rows = node.children.map((row) => {
    const exitRow = state.enter("tableRow")
    const cells = row.children.map(
      (cell) => ` ${state.handle(cell, row, state, { ...tracker.current(), before: " ", after: " " })} |`
    )
    exitRow()
    return `|${cells.join("")}`
  })
  exit()
  const delimiters =
    node.children[0]?.children.map((_, column) => ` ${delimiter(node.align?.[column])} |`) ?? []
  return [rows[0] ?? "|", `|${delimiters.join("")}`, ...rows.slice(1)].join("\n")
}

const delimiter = (align: string | null | undefined): string =>
  align === "left" ? ":--" : align === "right" ? "--:" : align === "center" ? ":-:" : "---"

/** Matches a `mailto:` URL that can be written as an autolink. */
const autolinkMail =
  /^mailto:[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/** Whether a URL can be written as an autolink in angle brackets, which have no escapes. */
const canBeAutolink = (url: string) =>
  !/[|\\]/.test(url) && (!/^mailto:/i.test(url) || autolinkMail.test(url))

/** The state for writing a link: as an autolink if possible, else as a link with brackets. */
const stateForLink = (node: Link, state: State): State =>
  canBeAutolink(node.url) && node.data?.hasBrackets !== true
    ? state
    : Object.create(state, { options: { value: { ...state.options, resourceLink: true } } })

/** Writes a link with brackets if its URL cannot be an autolink. */
const link: Handle = Object.assign(
  ((node: Link, parent, state, info) =>
    defaultHandlers.link(node, parent, stateForLink(node, state), info)) satisfies Handle,
  {
    peek: (node: Link, parent: Parents | undefined, state: State) =>
      defaultHandlers.link.peek(node, parent, stateForLink(node, state))
  }
)

/** Matches text that needs no escaping: letters, digits, spaces and punctuation without meaning in Markdown. */
const needsNoEscaping = /^(?:[\p{L}\p{N} ,;]|(?<=[^\d\sWw])\.)*$/u

/** Matches text that is the end of an e-mail address after an underscore. */
const endOfAddress = /^@[-\w]*\./

/** The text before a node. Asterisks can become underscores if they would be next to others. */
const textBefore = (before: string, value: string): string =>
  before.endsWith("*") && endOfAddress.test(value) ? "_" : before

/** Writes text. Most text needs no escaping, which one match determines, without testing each unsafe pattern. */
const text: Handle = (node: Text, parent, state, info) =>
  needsNoEscaping.test(node.value) &&
  !(info.before === "\n" && node.value.startsWith(" ")) &&
  !(info.after === "\n" && node.value.endsWith(" "))
    ? node.value
    : escapeEmojiNames(
        defaultHandlers.text(node, parent, state, { ...info, before: textBefore(info.before, node.value) })
      )

const isTag = (node: Nodes): boolean => node.type === "html" && node.value.startsWith("{%")

/** Writes no empty lines after an opening tag, before a closing tag, and around tags and rules in a tight list. */
const joinTags: Join = (left, right, parent) => {
  const isInTag =
    (left.type === "html" && left.data?.tag === "open") ||
    (right.type === "html" && right.data?.tag === "close")
  const isLine = isTag(left) || isTag(right) || right.type === "thematicBreak"
  return isInTag || (isTight(parent) && isLine) ? 0 : undefined
}

const isTight = (parent: Parents | undefined): boolean =>
  parent?.type === "listItem" && parent.spread === false

/** Writes a rule. In a tight list, dashes would underline the paragraph before it, and asterisks can be a bullet. */
const thematicBreak: Handle = (node, parent) =>
  isTight(parent) && parent?.children[0] !== node ? "***" : "---"

/** Writes an empty line after blocks of HTML, also in lists without other empty lines. */
const joinHtml: Join = (left, right) =>
  left.type === "html" &&
  left.data?.isSeparate === true &&
  !(right.type === "html" && right.data?.tag === "close")
    ? 1
    : undefined

const options: Options = {
  bullet: "-",
  rule: "-",
  join: [joinTags, joinHtml],
  unsafe: [{ character: "{", after: "%", inConstruct: "phrasing" }],
  extensions: [
    gfmToMarkdown(),
    mathToMarkdown,
    mathBlockToMarkdown,
    emojiToMarkdown,
    { handlers: { link, table, text, thematicBreak } }
  ]
}
