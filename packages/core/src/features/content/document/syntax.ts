/**
 * Markdown and its syntax tree: the one place that names the parser's extensions and the writer's options.
 *
 * The dialect is GitHub's (tables, task lists, strikethrough, footnotes, bare addresses). What is written is the
 * house form: `-` for bullets and rules, `*` for emphasis, ATX headings, fenced code, tables without padding.
 */
import type { Link, Parents, Root, Table, Text } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Handle, type Options, type State, toMarkdown } from "mdast-util-to-markdown"
import { dialectOf } from "./dialect.ts"
import { boundLaziness, effort, TooHard } from "./effort.ts"

/** How deep a tree may be, from its root to its last text. */
const maximumDepth = 40

/**
 * The syntax tree of any text. It never fails: a text that is nested deeper than 40, or that was made to be slow
 * (`effort.ts`), is a tree of one `html` node, whose value is the text as it came.
 */
export const parse = (markdown: string): Root => {
  const text = wellFormed(markdown)
  try {
    boundLaziness(text)
    const { syntax, compiler } = dialectOf(text)
    const root = fromMarkdown(text, { extensions: [syntax, effort()], mdastExtensions: compiler })
    return isDeep(root) ? verbatim(text) : root
  } catch (error) {
    // What else the parser throws is a tree so deep that the call stack ends.
    if (error instanceof TooHard || error instanceof RangeError) return verbatim(text)
    throw error
  }
}

/** The markdown of a tree, ending in a line feed unless it is empty. */
export const stringify = (root: Root): string => toMarkdown(root, options)

/** Whether the tree is a text that was not parsed. */
export const isVerbatim = (root: Root): boolean => root.data !== undefined && "verbatim" in root.data

const verbatim = (text: string): Root => ({
  type: "root",
  children: [{ type: "html", value: text.replace(/\n+$/, "") }],
  data: { verbatim: true } as Root["data"] & object
})

/**
 * A text with one kind of line ending, without a byte order mark, and only of characters that every store gives back
 * as they came. Positions in a tree are those in this text.
 */
export const wellFormed = (markdown: string): string =>
  markdown
    .replace(/^\uFEFF/, "")
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\0", "\uFFFD")
    .toWellFormed()

const isDeep = (root: Root): boolean => {
  let level: Array<object> = root.children
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maximumDepth) return true
    const next: Array<object> = []
    for (const node of level) {
      if ("children" in node) for (const child of node.children as Array<object>) next.push(child)
    }
    level = next
  }
  return false
}

/**
 * A table, a line for each row. Rows are not padded to the widest cell, nor filled up to the longest row: either
 * would let a few bytes become gigabytes, and the cells past the header's would get a column.
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
  const rules = node.children[0]?.children.map((_, column) => ` ${rule(node.align?.[column])} |`) ?? []
  return [rows[0] ?? "|", `|${rules.join("")}`, ...rows.slice(1)].join("\n")
}

const rule = (align: string | null | undefined): string =>
  align === "left" ? ":--" : align === "right" ? "--:" : align === "center" ? ":-:" : "---"

/** An address of mail as it may stand in angle brackets. */
const mail =
  /^mailto:[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/** Whether a link may be its address in angle brackets, if its text is the same: there are no escapes in there. */
const isPlain = (url: string) => !/[|\\]/.test(url) && (!/^mailto:/i.test(url) || mail.test(url))

const written = (node: Link, state: State): State =>
  isPlain(node.url)
    ? state
    : Object.create(state, { options: { value: { ...state.options, resourceLink: true } } })

/** A link, in brackets where its address cannot stand in angle brackets. */
const link: Handle = Object.assign(
  ((node: Link, parent, state, info) =>
    defaultHandlers.link(node, parent, written(node, state), info)) satisfies Handle,
  {
    peek: (node: Link, parent: Parents | undefined, state: State) =>
      defaultHandlers.link.peek(node, parent, written(node, state))
  }
)

/** Text in which nothing could be taken for markdown: letters, digits, spaces and marks that begin nothing. */
const harmless = /^(?:[\p{L}\p{N} ,;]|(?<=[^\d\sWw])\.)*$/u

/** A text. Most have nothing to escape, which is found out at once instead of by looking for each thing that could be. */
const text: Handle = (node: Text, parent, state, info) =>
  harmless.test(node.value) &&
  !(info.before === "\n" && node.value.startsWith(" ")) &&
  !(info.after === "\n" && node.value.endsWith(" "))
    ? node.value
    : defaultHandlers.text(node, parent, state, info)

const options: Options = {
  bullet: "-",
  rule: "-",
  extensions: [gfmToMarkdown(), { handlers: { link, table, text } }]
}
