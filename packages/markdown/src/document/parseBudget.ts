/**
 * Limits the cost of parsing.
 *
 * The parser scans back over its events at emphasis markers, at closing brackets, and at the start of quotes, lists and
 * setext headings, so that input that consists of them takes quadratic time. Written documents have few of them in a
 * row. The budget detects adversarial input during the parse and aborts it. It counts steps instead of time, so that
 * the result of a parse is deterministic.
 */

import type { Code, Construct, Effects, State, Token, TokenizeContext } from "micromark-util-types"
import type { SyntaxExtension } from "./gfmExtensions.ts"
import { ParseCosts, type PieceCost } from "./parseCosts.ts"

/** Thrown when an input exceeds the budget. `parse` catches it. */
export class ParseBudgetExceeded extends Error {}

/** The maximum number of steps back per input. A step takes about 10 ns. */
const maximumSteps = 25_000_000

/**
 * The measured cost of each scan, in steps. They permit about 2,500 emphasis markers per paragraph, and about 1,400
 * separate or nested quotes and lists per input.
 */
const stepCosts = { marker: 8, bracket: 1, image: 200, container: 25, underline: 6, htmlCharacter: 25 }

/** The maximum number of parser events per paragraph. Beyond it, the parser's splices become slow. */
const maximumEvents = 40_000

/** The maximum column at which a quote or list can start. Written documents do not nest deeper. */
const maximumContainerColumn = 250

/** The maximum number of lazy continuation lines of a paragraph in a quote or a list. */
const maximumLazyLines = 3000

/** A construct that never matches. It observes each position at which the parser tries it. */
const observe = (onAttempt: (context: TokenizeContext) => void): Construct => ({
  tokenize(this: TokenizeContext, _effects: Effects, _ok: State, nok: State): State {
    return (code: Code) => {
      onAttempt(this)
      return nok(code)
    }
  }
})

const isOpening = (token: Token): boolean =>
  (token.type === "labelLink" || token.type === "labelImage") && token._balanced !== true

const constructsOf = (characters: string, construct: Construct): Record<number, Construct> =>
  Object.fromEntries([...characters].map((character) => [character.charCodeAt(0), construct]))

/**
 * Returns a function that finds the first position of `part` at or after an offset, or else the length of the text. For
 * increasing offsets, all calls together take linear time.
 */
const positionsOf = (text: string, part: string) => {
  let [from, found] = [0, -1]
  return (offset: number): number => {
    if (offset < from || offset > found) {
      from = offset
      found = text.indexOf(part, offset)
      if (found < 0) found = text.length
    }
    return found
  }
}

/** Returns the cost of the HTML in text that starts at an offset: an unclosed comment is scanned to the end of its text. */
const htmlCosts = (markdown: string) => {
  const endOfText = positionsOf(markdown, "\n\n")
  const ends = [
    ["<?", positionsOf(markdown, "?>")],
    ["<!--", positionsOf(markdown, "-->")],
    ["<![CDATA[", positionsOf(markdown, "]]>")],
    ["<!", positionsOf(markdown, ">")]
  ] as const
  return (offset: number): number => {
    const end = ends.find(([start]) => markdown.startsWith(start, offset))?.[1]
    return end === undefined ? 0 : Math.min(end(offset), endOfText(offset)) - offset
  }
}

/** The maximum number of parser events per character: a heading of one character has ten events. */
const maximumEventsPerCharacter = 6

/** Whether an input of a length, whose pieces have these costs, is certainly within the budget. */
export const isWithinBudget = (length: number, pieces: Iterable<PieceCost>): boolean => {
  let [steps, containers, underlines] = [0, 0, 0]
  for (const piece of pieces) {
    steps += piece.steps
    containers += piece.containers
    underlines += piece.underlines
  }
  const containerSteps = ((containers * (containers + 1)) / 2) * stepCosts.container
  const underlineSteps = underlines * length * maximumEventsPerCharacter * stepCosts.underline
  return steps + containerSteps + underlineSteps <= maximumSteps
}

/**
 * Creates a parser extension that throws `ParseBudgetExceeded` when an input exceeds the budget. Use it for one parse
 * of `markdown`, whose lines end with line feeds. `costs` receives what its pieces cost.
 */
export const parseBudget = (markdown: string, costs: ParseCosts = new ParseCosts()): SyntaxExtension => {
  let steps = 0
  const spendSteps = (cost: number) => {
    steps += cost
    if (steps > maximumSteps) throw new ParseBudgetExceeded()
  }
  const spend = (context: TokenizeContext, cost: number) => {
    spendSteps(cost)
    costs.at(context.now().offset).steps += cost
  }
  const markers = new WeakMap<TokenizeContext, number>()
  const attention: Construct = {
    tokenize(this: TokenizeContext, effects: Effects, _ok: State, nok: State): State {
      // Every marker of a run can match a marker elsewhere, so each of them counts.
      const run = (marker: Code): State => {
        const consumeMarker: State = (code: Code) => {
          const seen = (markers.get(this) ?? 0) + 1
          markers.set(this, seen)
          spend(this, seen * stepCosts.marker)
          effects.consume(code)
          return (next: Code) => (next === marker ? consumeMarker(next) : end(next))
        }
        return consumeMarker
      }
      const end: State = (code: Code) => {
        effects.exit("data")
        return nok(code)
      }
      return (code: Code) => {
        effects.enter("data")
        return run(code)(code)
      }
    }
  }
  const span = observe(({ events }) => {
    if (events.length > maximumEvents) throw new ParseBudgetExceeded()
  })
  // Like the parser, tries a run of backticks at its start only.
  const ticks: Construct = {
    ...span,
    previous(this: TokenizeContext, code: Code): boolean {
      return code !== 96 || this.events.at(-1)?.[1].type === "characterEscape"
    }
  }
  const htmlCost = htmlCosts(markdown)
  const html = observe((context) => {
    if (context.events.length > maximumEvents) throw new ParseBudgetExceeded()
    spend(context, htmlCost(context.now().offset) * stepCosts.htmlCharacter)
  })
  const bracket = observe((context) => {
    const { events } = context
    if (events.length > maximumEvents) throw new ParseBudgetExceeded()
    // Like the parser, scans back to the opening bracket or to the start.
    let at = events.length - 1
    while (at >= 0 && !isOpening(events[at]![1])) at--
    const weight = events[at]?.[1].type === "labelImage" ? stepCosts.image : stepCosts.bracket
    spend(context, (events.length - at) * weight)
  })
  let containers = 0
  // The first line of a piece is separate from the pieces before it.
  let lastLine = -1
  let isSeparate = false
  const container = observe((context) => {
    const { column, line, offset } = context.now()
    if (column > maximumContainerColumn) throw new ParseBudgetExceeded()
    // An item directly after another item is cheap. Otherwise, each open container is closed first.
    if (line !== lastLine) isSeparate = line > lastLine + 1
    if (isSeparate) {
      spendSteps(++containers * stepCosts.container)
      costs.at(offset).containers++
    }
    lastLine = line
  })
  const underline = observe((context) => {
    spendSteps(context.events.length * stepCosts.underline)
    costs.at(context.now().offset).underlines++
  })
  return {
    document: constructsOf(">*+-[0123456789", container),
    flow: constructsOf("=-", underline),
    text: {
      ...constructsOf("*_~", attention),
      ...constructsOf("&\\", span),
      ...constructsOf("<", html),
      ...constructsOf("`", ticks),
      ...constructsOf("]", bracket)
    }
  }
}

/** Throws `ParseBudgetExceeded` if a paragraph in a quote or list has too many lazy continuation lines. */
export const limitLazyContinuation = (markdown: string): void => {
  const container = /^ {0,3}(?:>|(?:[-+*]|\d{1,9}[.)])(?:\s|$)|\[\^)/
  let lazyLines = -1
  for (const line of markdown.split("\n")) {
    if (container.test(line)) lazyLines = 0
    else if (/^\s*$/.test(line)) lazyLines = -1
    else if (lazyLines >= 0 && !/^\s/.test(line) && ++lazyLines > maximumLazyLines)
      throw new ParseBudgetExceeded()
  }
}
