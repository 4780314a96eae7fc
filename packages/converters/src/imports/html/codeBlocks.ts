/**
 * Normalizes code blocks: finds their language, which generators of pages declare in various places, and their text.
 */
import type { Element } from "hast"
import { toText } from "hast-util-to-text"
import { attribute, classesOf, elementsIn, isElement } from "./nodes.ts"

const languageClass =
  /^(?:language|lang|highlight-source|highlight|brush|syntax|code)[-:]([a-z\d+#._-]{1,40})$/

/** Values that mean that a block has no language. */
const noLanguage = new Set([
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
  const declared = attribute(element, "dataLang") ?? attribute(element, "dataLanguage")
  if (declared !== undefined && /^[\w+#.-]{1,40}$/.test(declared)) return declared.toLowerCase()
  const classes = classesOf(element)
  for (const name of classes) {
    const found = languageClass.exec(name)?.[1]
    if (found !== undefined && !noLanguage.has(found)) return found
  }
  // Pandoc writes the language as a second class after `sourceCode`.
  if (classes.includes("sourcecode"))
    return classes.find((name) => name !== "sourcecode" && !noLanguage.has(name))
  return undefined
}

/**
 * Returns the language that the `code` in a block, the block itself, or one of its three closest ancestors declares.
 */
const languageOf = (pre: Element, ancestors: ReadonlyArray<Element>): string | undefined => {
  const inner = elementsIn(pre).filter((element) => isElement(element, "code"))
  for (const element of [...inner, pre, ...ancestors.slice(-3).toReversed()]) {
    const language = languageIn(element)
    if (language !== undefined) return noLanguage.has(language) ? undefined : language
  }
  return undefined
}

const decorationClass =
  /^(?:lineno|linenos|linenodiv|line-?numbers?(?:-rows)?|gutter|ln-num|hljs-ln-numbers|copy|copybtn|rouge-gutter|gl)$/

const isDecoration = (element: Element): boolean =>
  isElement(element, "button") || classesOf(element).some((name) => decorationClass.test(name))

/** Returns the element without line numbers and buttons. */
const withoutDecorations = (element: Element): Element => ({
  ...element,
  children: element.children
    .filter((child) => !isElement(child) || !isDecoration(child))
    .map((child) => (isElement(child) ? withoutDecorations(child) : child))
})

/**
 * Converts a block to `<pre><code class="language-…">` with text only. `ancestors` are the closest ones, outermost
 * first.
 */
export const toPlainCodeBlock = (pre: Element, ancestors: ReadonlyArray<Element>): Element => {
  const language = languageOf(pre, ancestors)
  const value = toText(withoutDecorations(pre)).replace(/^\n/, "").replace(/\s+$/, "")
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

/** Returns the code block in a table that lays out line numbers, or `undefined` for other tables. */
export const findNumberedCode = (table: Element): Element | undefined => {
  if (
    !classesOf(table).some((name) => /^(?:highlighttable|rouge-table|codehilitetable|hljs-ln)$/.test(name))
  ) {
    return undefined
  }
  const blocks = elementsIn(table, isDecoration).filter((element) => isElement(element, "pre"))
  return blocks.at(-1)
}
