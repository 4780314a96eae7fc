/** Formulas in a line, such as `$$x^2$$`. They have no escapes, so that backslashes and markers are preserved. */
import type { Extension as CompilerExtension } from "mdast-util-from-markdown"
import type { Handle, Options } from "mdast-util-to-markdown"
import type { Code, Construct, Effects, State } from "micromark-util-types"
import type { SyntaxExtension } from "./gfmExtensions.ts"
import { writeTag } from "./html/htmlTree.ts"
import type { InlineMath } from "./mathNodes.ts"

declare module "micromark-util-types" {
  interface TokenTypeMap {
    inlineMath: "inlineMath"
    inlineMathSequence: "inlineMathSequence"
    inlineMathData: "inlineMathData"
  }
}

declare module "mdast-util-to-markdown" {
  interface ConstructNameMap {
    inlineMath: "inlineMath"
  }
}

const dollar = 36
const isLineEnd = (code: Code): boolean => code === null || code < -2

/** Two dollars, text, and two dollars. A longer or shorter run of dollars is text. */
const inline: Construct = {
  name: "inlineMath",
  previous(code: Code): boolean {
    return code !== dollar || this.events.at(-1)?.[1].type === "characterEscape"
  },
  tokenize(effects: Effects, ok: State, nok: State): State {
    let size = 0
    let isEmpty = true
    const start: State = (code) => {
      effects.enter("inlineMath")
      effects.enter("inlineMathSequence")
      return opening(code)
    }
    const opening: State = (code) => {
      if (code === dollar) {
        effects.consume(code)
        size++
        return opening
      }
      if (size !== 2) return nok(code)
      effects.exit("inlineMathSequence")
      return content(code)
    }
    const content: State = (code) => {
      if (code === null) return nok(code)
      if (code === dollar) {
        size = 0
        effects.enter("inlineMathSequence")
        return closing(code)
      }
      isEmpty = false
      if (isLineEnd(code)) {
        effects.enter("lineEnding")
        effects.consume(code)
        effects.exit("lineEnding")
        return content
      }
      effects.enter("inlineMathData")
      return data(code)
    }
    const data: State = (code) => {
      if (code === dollar || isLineEnd(code)) {
        effects.exit("inlineMathData")
        return content(code)
      }
      effects.consume(code)
      return data
    }
    const closing: State = (code) => {
      if (code === dollar) {
        effects.consume(code)
        size++
        return closing
      }
      const token = effects.exit("inlineMathSequence")
      if (size === 2) {
        if (isEmpty) return nok(code)
        effects.exit("inlineMath")
        return ok(code)
      }
      token.type = "inlineMathData"
      isEmpty = false
      return content(code)
    }
    return start
  }
}

/** Returns the extension of the parser for formulas in one input. */
export const mathSyntaxFor = (text: string): SyntaxExtension =>
  text.includes("$$") ? { text: { [dollar]: inline } } : {}

/** The extension of the compiler for formulas. */
export const mathFromMarkdown: CompilerExtension = {
  enter: {
    inlineMath(token) {
      this.enter({ type: "inlineMath", value: "" }, token)
      this.buffer()
    },
    inlineMathData(token) {
      this.config.enter.data!.call(this, token)
    }
  },
  exit: {
    inlineMathData(token) {
      this.config.exit.data!.call(this, token)
    },
    inlineMath(token) {
      const source = this.resume()
      const node = this.stack[this.stack.length - 1] as unknown as { value: string }
      // A line feed in a formula is equivalent to a space.
      node.value = source.replaceAll(/[ \t]*\n[ \t]*/g, " ")
      this.exit(token)
    }
  }
}

/** Whether a formula can be written between dollars. */
const isExpressible = (formula: string): boolean =>
  formula !== "" && !/^\$|\$$|\n|(?<!\$)\$\$(?!\$)/.test(formula)

/** Returns the tag that represents a formula with any characters. */
export const mathTag = (formula: string): string =>
  `${writeTag("span", { "data-gb-custom-inline": true, "data-tag": "math", "data-formula": formula })}</span>`

const inlineMath: Handle = Object.assign(
  (({ value }: InlineMath) => (isExpressible(value) ? `$$${value}$$` : mathTag(value))) satisfies Handle,
  { peek: ({ value }: InlineMath) => (isExpressible(value) ? "$" : "<") }
)

/** The extension of the serializer for formulas. */
export const mathToMarkdown: Options = {
  unsafe: [
    { character: "$", after: "\\$", inConstruct: "phrasing" },
    { character: "$", before: "\\$", inConstruct: "phrasing" }
  ],
  handlers: { inlineMath }
}
