/**
 * What parsing a text may cost.
 *
 * The parser looks back over what it has seen at emphasis markers, at closing brackets and where a quote, a list or
 * a setext heading starts, so that a text made of them costs the square of its length. Written documents have few
 * of them in a row; texts that were made to be slow are found out here while they are parsed, and given up. All of
 * it counts steps, not time: a text is always taken the same way.
 */

import type { Code, Construct, Effects, State, Token, TokenizeContext } from "micromark-util-types"
import type { SyntaxExtension } from "./dialect.ts"

/** Thrown, and caught by `parse`: the text would take more than its share. */
export class TooHard extends Error {}

/** Steps of looking back in one text, of about ten nanoseconds each. */
const maximumSteps = 200_000_000

/**
 * What a look back costs, in steps, as measured. With them a paragraph may have about 7,000 emphasis markers, a text
 * about 4,000 quotes and lists that stand apart, or are opened within such.
 */
const stepsOf = { marker: 8, bracket: 1, image: 200, container: 25, underline: 3 }

/** What one paragraph may be made of: past it, taking things out of it gets slow at once. */
const maximumEvents = 100_000

/** The column past which no quote or list starts: deeper nesting is nobody's. */
const deepestColumn = 250

/** The lines that may go on with a paragraph of a quote or a list without being marked or indented. */
const maximumLazyLines = 3000

/** A construct that never matches: it only sees that the parser came by. */
const watch = (came: (context: TokenizeContext) => void): Construct => ({
  tokenize(this: TokenizeContext, _effects: Effects, _ok: State, nok: State): State {
    return (code: Code) => {
      came(this)
      return nok(code)
    }
  }
})

const isOpening = (token: Token): boolean =>
  (token.type === "labelLink" || token.type === "labelImage") && token._balanced !== true

const constructsOf = (characters: string, construct: Construct): Record<number, Construct> =>
  Object.fromEntries([...characters].map((character) => [character.charCodeAt(0), construct]))

/** An extension of the parser that throws `TooHard` once a text has cost too much. Good for one parse. */
export const effort = (): SyntaxExtension => {
  let steps = 0
  const spend = (cost: number) => {
    steps += cost
    if (steps > maximumSteps) throw new TooHard()
  }
  const markers = new WeakMap<TokenizeContext, number>()
  const attention: Construct = {
    tokenize(this: TokenizeContext, effects: Effects, _ok: State, nok: State): State {
      // Every marker of a run may match one elsewhere, so each of them counts.
      const run = (marker: Code): State => {
        const more: State = (code: Code) => {
          const seen = (markers.get(this) ?? 0) + 1
          markers.set(this, seen)
          spend(seen * stepsOf.marker)
          effects.consume(code)
          return (next: Code) => (next === marker ? more(next) : end(next))
        }
        return more
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
  const span = watch(({ events }) => {
    if (events.length > maximumEvents) throw new TooHard()
  })
  // As the parser's: a run of back ticks is looked at from its beginning only.
  const ticks: Construct = {
    ...span,
    previous(this: TokenizeContext, code: Code): boolean {
      return code !== 96 || this.events.at(-1)?.[1].type === "characterEscape"
    }
  }
  const bracket = watch(({ events }) => {
    if (events.length > maximumEvents) throw new TooHard()
    // As the parser does: back to the bracket that this one closes, or to the beginning.
    let at = events.length - 1
    while (at >= 0 && !isOpening(events[at]![1])) at--
    const weight = events[at]?.[1].type === "labelImage" ? stepsOf.image : stepsOf.bracket
    spend((events.length - at) * weight)
  })
  let containers = 0
  let lastLine = 0
  let isApart = false
  const container = watch((context) => {
    const { column, line } = context.now()
    if (column > deepestColumn) throw new TooHard()
    // An item right behind another is cheap; those behind something else close what is open, as deep as they are.
    if (line !== lastLine) isApart = line > lastLine + 1
    if (isApart) spend(++containers * stepsOf.container)
    lastLine = line
  })
  const underline = watch(({ events }) => spend(events.length * stepsOf.underline))
  return {
    document: constructsOf(">*+-[0123456789", container),
    flow: constructsOf("=-", underline),
    text: {
      ...constructsOf("*_~", attention),
      ...constructsOf("<&\\", span),
      ...constructsOf("`", ticks),
      ...constructsOf("]", bracket)
    }
  }
}

/** Throws `TooHard` for a paragraph of a quote or list that goes on and on without a mark. */
export const boundLaziness = (markdown: string): void => {
  const container = /^ {0,3}(?:>|(?:[-+*]|\d{1,9}[.)])(?:\s|$)|\[\^)/
  let lazy = -1
  for (const line of markdown.split("\n")) {
    if (container.test(line)) lazy = 0
    else if (/^\s*$/.test(line)) lazy = -1
    else if (lazy >= 0 && !/^\s/.test(line) && ++lazy > maximumLazyLines) throw new TooHard()
  }
}
