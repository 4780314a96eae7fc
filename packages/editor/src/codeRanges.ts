/** The colors of code, as ranges of its text. The library is loaded with the first code that has a language. */

import type { Ranges } from "./Ranges.ts"

/** The functions of the library. Its types are not among the installed ones. */
export interface Lowlight {
  readonly registered: (language: string) => boolean
  readonly highlight: (language: string, text: string) => unknown
}

/** A node of the tree that the library returns. */
interface Token {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: ReadonlyArray<string> }
  readonly children?: ReadonlyArray<Token>
}

/** Longer code is not colored, as it takes too long for each key. */
const maximumLength = 30_000

/** The classes of the reader, by the first class of the library. */
const classes: Readonly<Record<string, string>> = {
  comment: "t-comment",
  quote: "t-comment",
  string: "t-string",
  regexp: "t-string",
  number: "t-number",
  literal: "t-number",
  symbol: "t-number",
  keyword: "t-keyword",
  built_in: "t-type",
  type: "t-type",
  title: "t-function",
  section: "t-function",
  name: "t-tag",
  "selector-tag": "t-tag",
  tag: "t-tag",
  attr: "t-attribute",
  attribute: "t-attribute",
  property: "t-attribute",
  variable: "t-attribute",
  operator: "t-operator",
  addition: "t-inserted",
  deletion: "t-deleted"
}

const classOf = (names: ReadonlyArray<string> | undefined): string | undefined =>
  names?.map((name) => classes[name.replace(/^hljs-/, "")]).find((name) => name !== undefined)

const aliases: Readonly<Record<string, string>> = {
  html: "xml",
  vue: "xml",
  jsx: "javascript",
  tsx: "typescript"
}

/** Returns the ranges of a code in a language with their classes. */
export const rangesOfCode = (lowlight: Lowlight, language: string, text: string): Ranges => {
  const syntax = aliases[language] ?? language
  const ranges: Array<readonly [number, number, string]> = []
  if (syntax !== "" && lowlight.registered(syntax) && text.length <= maximumLength) {
    let at = 0
    const visit = (token: Token, className: string | undefined): void => {
      const own = classOf(token.properties?.className) ?? className
      if (token.value !== undefined) {
        if (own !== undefined) ranges.push([at, at + token.value.length, own])
        at += token.value.length
      }
      for (const child of token.children ?? []) visit(child, own)
    }
    visit(lowlight.highlight(syntax, text) as Token, undefined)
  }
  return ranges
}

/** Returns the ranges of code with their classes. None if its language is unknown, or the library cannot be loaded. */
export const colorsOf = async (language: string, text: string): Promise<Ranges> => {
  const loaded = await import("./codeColors.ts").catch(() => undefined)
  return loaded === undefined ? [] : rangesOfCode(loaded.createLowlight(loaded.common), language, text)
}
