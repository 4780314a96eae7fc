/**
 * GitHub's dialect without attempts that cannot succeed.
 *
 * The parser tries an address of mail at every word, and a table at every line of every paragraph, each time as far as
 * the word or the line goes: half of what a text costs. Whether there could be one is seen at once by looking at the
 * line. What is tried goes the parser's own way, so that the tree of a text is the same. So it is with the compiler, which
 * looks through all texts of the tree for addresses.
 */
import type { Options } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import type { Construct, ConstructRecord } from "micromark-util-types"

/** What the parser takes. */
export type SyntaxExtension = Exclude<
  NonNullable<NonNullable<Options["extensions"]>[number]>,
  ReadonlyArray<unknown>
>

type CompilerExtensions = NonNullable<Options["mdastExtensions"]>

/** The numbers of lines, from 1. */
type Lines = ReadonlySet<number>

/** What may be the line under a table's header, in a quote or a list too. */
const isRule = (line: string): boolean => line.includes("-") && /^[ \t>|:-]+$/.test(line)

/** The lines that a table may be in: from the one above its rule to the next empty one. */
const linesOfTables = (lines: ReadonlyArray<string>): Lines => {
  const found = new Set<number>()
  let isWithin = false
  for (const [index, line] of lines.entries()) {
    if (isRule(line)) {
      isWithin = true
      found.add(index)
    } else if (/^[ \t]*$/.test(line)) isWithin = false
    if (isWithin) found.add(index + 1)
  }
  return found
}

const linesOfMail = (lines: ReadonlyArray<string>): Lines =>
  new Set(lines.flatMap((line, index) => (line.includes("@") ? [index + 1] : [])))

const syntax = gfm()
const constructs = (given: Construct | Array<Construct> | undefined): ReadonlyArray<Construct> =>
  given === undefined ? [] : [given].flat()
const table = constructs(syntax.flow!.null)[0]!
const isMail = ({ name }: Construct): boolean => name === "emailAutolink"
const inText = Object.entries(syntax.text!).map(([code, given]) => [code, constructs(given)] as const)
const mail = inText.flatMap(([, all]) => all).find(isMail)!

/** Constructs of text, by the characters that they begin with, where those of mail are others. */
const textWith = (mails: ReadonlyArray<Construct>): ConstructRecord =>
  Object.fromEntries(
    inText.flatMap(([code, given]) => {
      const all = given.flatMap((construct) => (isMail(construct) ? mails : [construct]))
      return all.length === 0 ? [] : [[code, all] as const]
    })
  )

const withoutMail = textWith([])

const tableIn = (lines: Lines): Construct => ({
  ...table,
  tokenize(effects, ok, nok) {
    return lines.has(this.now().line) ? table.tokenize.call(this, effects, ok, nok) : nok
  }
})

const mailIn = (lines: Lines): Construct => ({
  ...mail,
  previous(code) {
    return mail.previous!.call(this, code) && lines.has(this.now().line)
  }
})

/** What bare addresses have in them that the compiler looks for in all texts. */
const bare = /@|https?:|www\./i

const compiler = gfmFromMarkdown()
const withoutBare = compiler.map(({ transforms: _, ...extension }) => extension)

/** The dialect for one text, whose lines end in line feeds: for the parser, and for the compiler of its tree. */
export const dialectOf = (
  text: string
): { readonly syntax: SyntaxExtension; readonly compiler: CompilerExtensions } => {
  const lines = text.split("\n")
  const mails = linesOfMail(lines)
  return {
    syntax: {
      ...syntax,
      text: mails.size === 0 ? withoutMail : textWith([mailIn(mails)]),
      flow: { null: tableIn(linesOfTables(lines)) }
    },
    compiler: bare.test(text) ? compiler : withoutBare
  }
}
