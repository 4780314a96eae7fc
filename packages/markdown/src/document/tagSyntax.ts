/**
 * The syntax of tags, as in `{% hint style="info" %}`.
 *
 * A tag without other text on its lines is a block, and interrupts a paragraph. Other tags are inline. Both are HTML
 * nodes in the tree, so that unknown tags are preserved verbatim; `pairTags` finds the known tags.
 */
import { htmlFlow } from "micromark-core-commonmark"
import type { Code, Construct, Effects, State, TokenizeContext } from "micromark-util-types"
import type { SyntaxExtension } from "./gfmExtensions.ts"

const lessThan = 60
const brace = 123
const percent = 37
const closingBrace = 125

const isLineEnding = (code: Code): boolean => code !== null && code < -2

/** Matches the start of a tag that only markers of quotes and lists precede on its line. */
const tagAtStart = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))*[ \t]*\{%/gm

/** Matches a line feed after which an unclosed tag ends: before an empty line or another tag. */
const endOfUnclosed = /\n[ \t>]*(?:\{%|(?=\n|$))/y
const endOfUnclosedQuote = /\n[ \t>]*\{%/y

/**
 * Returns the offset after the tag that starts at an offset, -1 if it is not closed. Values in quotes can contain `%}`
 * and line feeds. The scan ends at the next line that starts with a tag, so that all scans together take linear time.
 */
const endOfTag = (text: string, start: number): number => {
  let quote = ""
  for (let at = start + 2; at < text.length; at++) {
    const character = text[at]!
    if (character === "\n") {
      const end = quote === "" ? endOfUnclosed : endOfUnclosedQuote
      end.lastIndex = at
      if (end.test(text)) return -1
    } else if (quote !== "") {
      if (character === quote) quote = ""
      else if (character === "\\" && quote === '"' && text[at + 1] !== "\n") at++
    } else if (character === "%" && text[at + 1] === "}") return at + 2
    else if (character === '"' || (character === "'" && !/\w/.test(text[at - 1]!))) quote = character
  }
  return -1
}

/** Returns the last line of each tag without other text on its lines, by its first line. Line numbers start at 1. */
export const linesOfTags = (text: string): ReadonlyMap<number, number> => {
  const lines = new Map<number, number>()
  let [line, counted] = [1, 0]
  const lineAt = (offset: number): number => {
    for (let at = text.indexOf("\n", counted); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
      line++
      counted = at + 1
    }
    return line
  }
  for (const { index, 0: before } of text.matchAll(tagAtStart)) {
    const start = index + before.length - 2
    const first = lineAt(start)
    const lineEnd = (offset: number): number => {
      const end = text.indexOf("\n", offset)
      return end < 0 ? text.length : end
    }
    const end = endOfTag(text, start)
    if (end >= 0 && text.slice(end, lineEnd(end)).trim() === "") {
      lines.set(first, first + text.slice(start, end).split("\n").length - 1)
      continue
    }
    // A tag with an unclosed quote is still a tag if its line ends with it.
    const rest = text.slice(start, lineEnd(start)).trimEnd()
    if (rest.indexOf("%}") === rest.length - 2) lines.set(first, first)
  }
  return lines
}

/** Continues a tag on the next line, unless the line is outside of the containers of the tag. */
const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return (code) => {
      effects.enter("lineEnding")
      effects.consume(code)
      effects.exit("lineEnding")
      return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next))
    }
  }
}

const blockTag = (lines: ReadonlyMap<number, number>): Construct => ({
  name: "tag",
  concrete: true,
  tokenize(this: TokenizeContext, effects, ok, nok) {
    const last = lines.get(this.now().line)
    const inside: State = (code) => {
      if (code === null || isLineEnding(code)) {
        effects.exit("htmlFlowData")
        if (code !== null && this.now().line < last!) return effects.attempt(nextLine, nextData, nok)(code)
        effects.exit("htmlFlow")
        return ok(code)
      }
      effects.consume(code)
      return inside
    }
    const nextData: State = (code) => {
      if (code !== null && isLineEnding(code)) return effects.attempt(nextLine, nextData, nok)(code)
      effects.enter("htmlFlowData")
      return inside(code)
    }
    return (code) => {
      if (last === undefined) return nok(code)
      effects.enter("htmlFlow")
      effects.enter("htmlFlowData")
      effects.consume(code)
      return (next) => (next === percent ? inside(next) : nok(next))
    }
  }
})

/** Matches the start of HTML that ends at its closing tag, not at an empty line. */
const rawHtml = /^[^<]*<(?:[!?]|(?:script|pre|style|textarea)(?:[\s>]|$))/i

const isConstruct = (constructs: Parameters<Effects["check"]>[0]): constructs is Construct =>
  "tokenize" in constructs

/** A construct that fails before a line with a tag. */
const notBeforeTag = (construct: Construct, lines: ReadonlyMap<number, number>): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    return construct.tokenize.call(
      this,
      effects,
      (code) => (lines.has(this.now().line) ? nok(code) : ok(code)),
      nok
    )
  }
})

/** HTML that ends before a line with a tag, as in `</table>` directly before `{% endtab %}`. */
const html = (text: string, lines: ReadonlyMap<number, number>): Construct => {
  const sources = text.split("\n")
  return {
    ...htmlFlow,
    tokenize(effects, ok, nok) {
      const isRaw = rawHtml.test(sources[this.now().line - 1] ?? "")
      // Before each of its lines, HTML checks a construct that succeeds if the line can belong to it.
      const check: Effects["check"] = (construct, ...states) =>
        effects.check(isConstruct(construct) ? notBeforeTag(construct, lines) : construct, ...states)
      return htmlFlow.tokenize.call(this, isRaw ? effects : { ...effects, check }, ok, nok)
    }
  }
}

/** A tag within a line. It ends before the next tag, so that all attempts together take linear time. */
const inlineTag: Construct = {
  name: "inlineTag",
  tokenize(effects, ok, nok) {
    let previous: Code = null
    const inside: State = (code) => {
      if (code === null || isLineEnding(code)) return nok(code)
      if (code === percent && previous === brace) return nok(code)
      const isEnd = code === closingBrace && previous === percent
      previous = code
      effects.consume(code)
      if (!isEnd) return inside
      effects.exit("htmlTextData")
      effects.exit("htmlText")
      return ok
    }
    return (code) => {
      effects.enter("htmlText")
      effects.enter("htmlTextData")
      effects.consume(code)
      return (next) => {
        if (next !== percent) return nok(next)
        effects.consume(next)
        return inside
      }
    }
  }
}

/** Creates the extension of the parser for one input, whose lines end with line feeds. */
export const tagSyntaxFor = (text: string): SyntaxExtension => {
  if (!text.includes("{%")) return {}
  const lines = linesOfTags(text)
  return {
    flow: { [brace]: blockTag(lines), [lessThan]: html(text, lines) },
    text: { [brace]: inlineTag }
  }
}
