/** Blocks of code: their language, wherever the page's generator has put it, and their text alone. */
import type { Element } from "hast"
import { toText } from "hast-util-to-text"
import { attribute, classesOf, elementsIn, isElement } from "./nodes.ts"

const prefixed = /^(?:language|lang|highlight-source|highlight|brush|syntax|code)[-:]([a-z\d+#._-]{1,40})$/

/** Names that say that there is no language. */
const none = new Set([
  "none",
  "default",
  "plaintext",
  "plain",
  "text",
  "txt",
  "notranslate",
  "highlighter-rouge",
  "block"
])

const languageIn = (element: Element): string | undefined => {
  const said = attribute(element, "dataLang") ?? attribute(element, "dataLanguage")
  if (said !== undefined && /^[\w+#.-]{1,40}$/.test(said)) return said.toLowerCase()
  const classes = classesOf(element)
  for (const name of classes) {
    const found = prefixed.exec(name)?.[1]
    if (found !== undefined && !none.has(found)) return found
  }
  // Pandoc writes the language beside a class of its own.
  if (classes.includes("sourcecode")) return classes.find((name) => name !== "sourcecode" && !none.has(name))
  return undefined
}

/** The language of a block, said by it, by what is in it, or by what it is in. */
const languageOf = (pre: Element, above: ReadonlyArray<Element>): string | undefined => {
  const inner = elementsIn(pre).filter((element) => isElement(element, "code"))
  for (const element of [...inner, pre, ...above.slice(-3).toReversed()]) {
    const language = languageIn(element)
    if (language !== undefined) return none.has(language) ? undefined : language
  }
  return undefined
}

const beside =
  /^(?:lineno|linenos|linenodiv|line-?numbers?(?:-rows)?|gutter|ln-num|hljs-ln-numbers|copy|copybtn|rouge-gutter|gl)$/

const isBeside = (element: Element): boolean =>
  isElement(element, "button") || classesOf(element).some((name) => beside.test(name))

/** The element without its line numbers and buttons. */
const withoutNumbers = (element: Element): Element => ({
  ...element,
  children: element.children
    .filter((child) => !isElement(child) || !isBeside(child))
    .map((child) => (isElement(child) ? withoutNumbers(child) : child))
})

/** A block of code in its plain form. */
export const plainCode = (pre: Element, above: ReadonlyArray<Element>): Element => {
  const language = languageOf(pre, above)
  const value = toText(withoutNumbers(pre)).replace(/^\n/, "").replace(/\s+$/, "")
  return {
    type: "element",
    tagName: "pre",
    properties: {},
    children: [
      {
        type: "element",
        tagName: "code",
        properties: language === undefined ? {} : { className: [`language-${language}`] },
        children: [{ type: "text", value }]
      }
    ]
  }
}

/** The block of code in a table that has its lines numbered, if the table is one. */
export const numberedCode = (table: Element): Element | undefined => {
  if (
    !classesOf(table).some((name) => /^(?:highlighttable|rouge-table|codehilitetable|hljs-ln)$/.test(name))
  ) {
    return undefined
  }
  const blocks = elementsIn(table, isBeside).filter((element) => isElement(element, "pre"))
  return blocks.at(-1)
}
