/** Formulas as blocks, between lines of `$$`. They have no escapes, so that backslashes and markers are preserved. */
import type { Extension as CompilerExtension } from "mdast-util-from-markdown"
import type { Handle, Options } from "mdast-util-to-markdown"
import type { Code, Construct, Effects, State, TokenizeContext } from "micromark-util-types"
import type { SyntaxExtension } from "./gfmExtensions.ts"
import type { MathBlock } from "./mathNodes.ts"

declare module "micromark-util-types" {
  interface TokenTypeMap {
    mathBlock: "mathBlock"
    mathBlockFence: "mathBlockFence"
    mathBlockLine: "mathBlockLine"
  }
}

const dollar = 36
const isLineEnd = (code: Code): boolean => code === null || code < -2
const isSpace = (code: Code): boolean => code === -2 || code === -1 || code === 32

/** Succeeds if the next line exists and is not a lazy continuation. */
const nextLine: Construct = {
  partial: true,
  tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    return (code) => {
      if (code === null) return nok(code)
      effects.enter("lineEnding")
      effects.consume(code)
      effects.exit("lineEnding")
      return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next))
    }
  }
}

/** The lines that can open a block: lines of dollars before another one. One-based. */
const openingLines = (text: string): ReadonlySet<number> => {
  const found: Array<number> = []
  if (text.includes("$$")) {
    for (const [index, line] of text.split("\n").entries()) {
      if (line.includes("$$") && /(?:^|[ \t>])\$\$+[ \t]*$/.test(line)) found.push(index + 1)
    }
  }
  return new Set(found.slice(0, -1))
}

const block = (lines: ReadonlySet<number>): Construct => ({
  name: "mathBlock",
  concrete: true,
  tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    let size = 0
    const fence = (after: State, minimum: number, fail: State): State => {
      let count = 0
      const spaces: State = (code) => {
        if (!isSpace(code)) return end(code)
        effects.consume(code)
        return spaces
      }
      const end: State = (code) => {
        effects.exit("mathBlockFence")
        return isLineEnd(code) ? after(code) : fail(code)
      }
      const dollars: State = (code) => {
        if (code === dollar) {
          effects.consume(code)
          count++
          return dollars
        }
        if (count < minimum) {
          effects.exit("mathBlockFence")
          return fail(code)
        }
        size = size === 0 ? count : size
        return spaces(code)
      }
      const indentation: State = (code) => {
        if (!isSpace(code)) return code === dollar ? dollars(code) : fail(code)
        effects.consume(code)
        return indentation
      }
      return (code) => {
        effects.enter("mathBlockFence")
        return indentation(code)
      }
    }
    const closing: Construct = {
      partial: true,
      tokenize: (_, succeed, fail) => fence(succeed, size, fail)
    }
    const finish: State = (code) => {
      effects.exit("mathBlock")
      return ok(code)
    }
    const afterLine: State = (code) => effects.attempt(nextLine, beforeLine, finish)(code)
    const beforeLine: State = (code) => effects.attempt(closing, finish, line)(code)
    const line: State = (code) => {
      if (isLineEnd(code)) return afterLine(code)
      effects.enter("mathBlockLine")
      return lineContent(code)
    }
    const lineContent: State = (code) => {
      if (isLineEnd(code)) {
        effects.exit("mathBlockLine")
        return afterLine(code)
      }
      effects.consume(code)
      return lineContent
    }
    return (code) => {
      if (!lines.has(this.now().line)) return nok(code)
      effects.enter("mathBlock")
      return fence(afterLine, 2, nok)(code)
    }
  }
})

/** Returns the extension of the parser for blocks of formulas in one input. */
export const mathBlockSyntaxFor = (text: string): SyntaxExtension =>
  text.includes("$$") ? { flow: { [dollar]: block(openingLines(text)) } } : {}

interface Building {
  value: string
  /** The lines of a block by their number in the source, and the numbers of its first and its last line. */
  lines?: Map<number, string>
  first?: number
  last?: number
}

/** The extension of the compiler for blocks of formulas. */
export const mathBlockFromMarkdown: CompilerExtension = {
  enter: {
    mathBlock(token) {
      this.enter({ type: "math", value: "" }, token)
    }
  },
  exit: {
    mathBlockLine(token) {
      const node = this.stack[this.stack.length - 1] as unknown as Building
      node.lines ??= new Map()
      node.lines.set(token.start.line, this.sliceSerialize(token))
    },
    mathBlockFence(token) {
      const node = this.stack[this.stack.length - 1] as unknown as Building
      if (node.first === undefined) node.first = token.start.line
      else node.last = token.start.line
    },
    mathBlock(token) {
      const node = this.stack[this.stack.length - 1] as unknown as Building
      const { first = 0, last = token.end.line + 1, lines } = node
      const values = Array.from(
        { length: last - first - 1 },
        (_, index) => lines?.get(first + 1 + index) ?? ""
      )
      node.value = values.join("\n")
      delete node.lines
      delete node.first
      delete node.last
      this.exit(token)
    }
  }
}

const math: Handle = ({ value }: MathBlock) => {
  const longest = Math.max(1, ...[...value.matchAll(/\$+/g)].map(([run]) => run.length))
  const fence = "$".repeat(Math.max(2, longest + (/^[ \t]*\$\$+[ \t]*$/m.test(value) ? 1 : 0)))
  return value === "" ? `${fence}\n${fence}` : `${fence}\n${value}\n${fence}`
}

/** The extension of the serializer for blocks of formulas. */
export const mathBlockToMarkdown: Options = { handlers: { math } }
