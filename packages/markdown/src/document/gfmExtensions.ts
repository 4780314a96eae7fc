/**
 * The extensions for GitHub Flavored Markdown, without attempts that cannot succeed.
 *
 * The parser tries an e-mail address at every word and a table at every line of every paragraph, each time to the end
 * of the word or line. That is half of the cost of parsing. These extensions try them only on lines that can contain
 * one, which a scan of the line determines. Likewise, the compiler searches the text nodes for bare URLs only if one
 * of them can have any. The resulting tree is the same.
 */
import type { Nodes } from "mdast"
import type { Options } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import type { Construct, ConstructRecord } from "micromark-util-types"

/** A syntax extension of the parser. */
export type SyntaxExtension = Exclude<
  NonNullable<NonNullable<Options["extensions"]>[number]>,
  ReadonlyArray<unknown>
>

type CompilerExtensions = NonNullable<Options["mdastExtensions"]>

/** One-based line numbers. */
type LineNumbers = ReadonlySet<number>

/** Whether a line can be the delimiter row of a table, possibly in a quote or a list. */
const isDelimiterRow = (line: string): boolean => line.includes("-") && /^[ \t>|:-]+$/.test(line)

/** The lines that can belong to a table: from the line above a delimiter row to the next empty line. */
const linesOfTables = (lines: ReadonlyArray<string>): LineNumbers => {
  const found = new Set<number>()
  let isWithin = false
  for (const [index, line] of lines.entries()) {
    if (isDelimiterRow(line)) {
      isWithin = true
      found.add(index)
    } else if (/^[ \t]*$/.test(line)) isWithin = false
    if (isWithin) found.add(index + 1)
  }
  return found
}

/** The lines that can contain an e-mail address. */
const linesOfMail = (lines: ReadonlyArray<string>): LineNumbers =>
  new Set(lines.flatMap((line, index) => (line.includes("@") ? [index + 1] : [])))

const syntax = gfm()
const toList = (constructs: Construct | Array<Construct> | undefined): ReadonlyArray<Construct> =>
  constructs === undefined ? [] : [constructs].flat()
const table = toList(syntax.flow!.null)[0]!
const isMail = ({ name }: Construct): boolean => name === "emailAutolink"
const textConstructs = Object.entries(syntax.text!).map(
  ([code, constructs]) => [code, toList(constructs)] as const
)
const mail = textConstructs.flatMap(([, constructs]) => constructs).find(isMail)!

/** The constructs of text by their first character. `replacements` replace the constructs for e-mail addresses. */
const withMailConstructs = (replacements: ReadonlyArray<Construct>): ConstructRecord =>
  Object.fromEntries(
    textConstructs.flatMap(([code, constructs]) => {
      const replaced = constructs.flatMap((construct) => (isMail(construct) ? replacements : [construct]))
      return replaced.length === 0 ? [] : [[code, replaced] as const]
    })
  )

const withoutMail = withMailConstructs([])

const tableOnLines = (lines: LineNumbers): Construct => ({
  ...table,
  tokenize(effects, ok, nok) {
    return lines.has(this.now().line) ? table.tokenize.call(this, effects, ok, nok) : nok
  }
})

const mailOnLines = (lines: LineNumbers): Construct => ({
  ...mail,
  previous(code) {
    return mail.previous!.call(this, code) && lines.has(this.now().line)
  }
})

/** Matches text that may have bare URLs or e-mail addresses, which the compiler searches for. */
const mayHaveBareUrls = /@|https?:|www\./i

/** Whether a text node outside of links may have bare URLs. The parser found most of them already. */
const hasTextWithBareUrls = (parent: Nodes): boolean =>
  parent.type === "text"
    ? mayHaveBareUrls.test(parent.value)
    : "children" in parent &&
      parent.type !== "link" &&
      parent.type !== "linkReference" &&
      parent.children.some(hasTextWithBareUrls)

const compiler = gfmFromMarkdown().map(({ transforms, ...extension }) => ({
  ...extension,
  transforms: (transforms ?? []).map(
    (transform): typeof transform =>
      (tree) =>
        hasTextWithBareUrls(tree) ? transform(tree) : undefined
  )
}))

/** Returns the extensions of the parser and of its compiler for one input, whose lines end with line feeds. */
export const gfmExtensionsFor = (
  text: string
): { readonly syntax: SyntaxExtension; readonly compiler: CompilerExtensions } => {
  const lines = text.split("\n")
  const mailLines = linesOfMail(lines)
  return {
    syntax: {
      ...syntax,
      text: mailLines.size === 0 ? withoutMail : withMailConstructs([mailOnLines(mailLines)]),
      flow: { null: tableOnLines(linesOfTables(lines)) }
    },
    compiler
  }
}
