/** Finds the tags of components and elements in MDX, outside of code, and pairs them. */

import { codeLines, codeSpans } from "../../foreign/code.ts"
import { literalAt } from "../support/literals.ts"

/** A tag of a component or an element. */
export interface JsxTag {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly kind: "open" | "close" | "empty"
  /** The text of the attributes. */
  readonly attributes: string
}

/** The maximum length of a tag, in characters. */
const maximumTag = 20_000

/** Returns the index after the `>` that ends a tag, or -1. Quotes and braces can contain `>`. */
const endOfTag = (text: string, start: number): number => {
  let [quote, depth] = ["", 0]
  const limit = Math.min(text.length, start + maximumTag)
  for (let at = start; at < limit; at++) {
    const character = text[at]!
    if (quote !== "") {
      if (character === quote) quote = ""
    } else if (character === '"' || character === "'" || (character === "`" && depth > 0)) quote = character
    else if (character === "{") depth++
    else if (character === "}") depth--
    else if (depth <= 0 && character === ">") return at + 1
    else if (depth <= 0 && character === "<") return -1
  }
  return -1
}

/** The ranges of code, as a function from a position to the end of the code that contains it. */
const codeRanges = (text: string): ((position: number) => number | undefined) => {
  const lines = text.split("\n")
  const isCode = codeLines(lines)
  const ends = new Map<number, number>()
  let at = 0
  for (const [index, line] of lines.entries()) {
    if (isCode[index] === true) ends.set(at, at + line.length)
    else if (line.includes("`")) {
      for (const { 0: span, index: column } of codeSpans(line)) {
        ends.set(at + column, at + column + span.length)
      }
    }
    at += line.length + 1
  }
  return (position) => ends.get(position)
}

/** Returns the tags in MDX in their order. */
export const findTags = (text: string): ReadonlyArray<JsxTag> => {
  const tags: Array<JsxTag> = []
  const endOfCode = codeRanges(text)
  const opening = /<(\/?)([A-Za-z][\w.-]*)/y
  for (let at = 0; at < text.length; at++) {
    const code = endOfCode(at)
    if (code !== undefined && code > at) {
      at = code - 1
      continue
    }
    if (text[at] !== "<") continue
    opening.lastIndex = at
    const found = opening.exec(text)
    if (found === null) continue
    const end = endOfTag(text, opening.lastIndex)
    if (end < 0) continue
    const isEmpty = text[end - 2] === "/" && found[1] === ""
    tags.push({
      start: at,
      end,
      name: found[2]!,
      kind: found[1] === "/" ? "close" : isEmpty ? "empty" : "open",
      attributes: text.slice(opening.lastIndex, end - (isEmpty ? 2 : 1))
    })
    at = end - 1
  }
  return tags
}

/** Returns the index of the closing tag of each opening tag that has one. */
export const pairTags = (tags: ReadonlyArray<JsxTag>): ReadonlyMap<number, number> => {
  const pairs = new Map<number, number>()
  const open: Array<number> = []
  const counts = new Map<string, number>()
  const count = (name: string, change: number): void =>
    void counts.set(name, (counts.get(name) ?? 0) + change)
  for (const [index, { name, kind }] of tags.entries()) {
    if (kind === "open") {
      open.push(index)
      count(name, 1)
    } else if (kind === "close" && (counts.get(name) ?? 0) > 0) {
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        count(tags[at]!.name, -1)
        if (tags[at]!.name === name) {
          pairs.set(at, index)
          break
        }
      }
    }
  }
  return pairs
}

const attribute = /([A-Za-z_][\w:.-]*)[ \t\n]*(?:=[ \t\n]*("[^"]*"|'[^']*'|\{))?/y

/** Returns the attributes of a tag that are literals. An attribute without a value is true. */
export const attributesOf = (text: string): ReadonlyMap<string, unknown> => {
  const values = new Map<string, unknown>()
  for (let at = 0; at < text.length; ) {
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (found === null) {
      at++
      continue
    }
    at = attribute.lastIndex
    const [, name, written] = found
    if (written === "{") {
      values.set(name!, literalAt(text, at).value)
      for (let depth = 1; at < text.length && depth > 0; at++) {
        if (text[at] === "{") depth++
        else if (text[at] === "}") depth--
      }
    } else values.set(name!, written === undefined ? true : written.slice(1, -1))
  }
  return values
}

/** Returns the text of an attribute. */
export const attributeText = (values: ReadonlyMap<string, unknown>, name: string): string | undefined => {
  const value = values.get(name)
  return typeof value === "string" && value.trim() !== ""
    ? value.trim()
    : typeof value === "number"
      ? String(value)
      : undefined
}
